import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { readByteRange } from './byte-range.ts'

/** Answers with stored bytes as an attachment: all of them, or the one range that was asked for. */
export async function sendContent(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  stored: { sha256: string; fileName: string; etag: string },
): Promise<FastifyReply> {
  const { 'if-none-match': known, 'if-range': unlessChanged, range: header } = request.headers
  reply.headers({ ETag: stored.etag, 'Accept-Ranges': 'bytes' })
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === stored.etag)) return reply.code(304).send()

  const { content, sizeBytes } = await context.files.read(stored.sha256)
  const range = readByteRange(
    unlessChanged === undefined || unlessChanged === stored.etag ? header : undefined,
    sizeBytes,
  )
  if (range === 'whole') {
    setContentHeaders(reply, stored.fileName, sizeBytes)
    return reply.send(content)
  }
  content.destroy()
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${sizeBytes}`)
    throw new AppError('RANGE_NOT_SATISFIABLE', { size: sizeBytes })
  }
  const part = await context.files.read(stored.sha256, range)
  setContentHeaders(reply, stored.fileName, range.end - range.start + 1)
  reply.header('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  return reply.code(206).send(part.content)
}

function setContentHeaders(reply: FastifyReply, fileName: string, lengthBytes: number): void {
  reply.headers({
    'Content-Type': 'application/octet-stream',
    'Content-Length': lengthBytes,
    'Content-Disposition': attachmentNamed(fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  })
}

/** RFC 6266: a plain name for old clients, the true one beside it. */
function attachmentNamed(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
