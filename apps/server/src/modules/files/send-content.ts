import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context/context.ts'
import { attachmentNamed } from '../../http/attachment.ts'
import { contentPolicy } from '../../http/request/browser-headers.ts'
import { AppError } from '../../kernel/errors.ts'
import { readByteRange } from './byte-range.ts'
import type { VersionContent } from './files.queries.ts'

/**
 * Answers with the bytes of a version as an attachment: all of them, or the one range that was asked for. Who may be sent to the store
 * itself is, where the store can be reached: it answers ranges as well.
 */
export async function sendContent(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Pick<VersionContent, 'sha256' | 'original_name' | 'file_size_bytes'>,
  { etag, canRedirect }: { etag: string; canRedirect: boolean },
): Promise<FastifyReply> {
  const { 'if-none-match': known, 'if-range': unlessChanged, range: header } = request.headers
  const sizeBytes = version.file_size_bytes
  reply.headers({ ETag: etag, 'Accept-Ranges': 'bytes' })
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()

  const range = readByteRange(unlessChanged === undefined || unlessChanged === etag ? header : undefined, sizeBytes)
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${sizeBytes}`)
    throw new AppError('RANGE_NOT_SATISFIABLE', { size: sizeBytes })
  }
  // The store does not know our tags.
  const address =
    canRedirect && unlessChanged === undefined
      ? context.files.signedUrl(version.sha256, attachmentNamed(version.original_name))
      : undefined
  if (address !== undefined) return reply.code(307).header('Location', address).send()
  const { content } = await context.files.read(version.sha256, range === 'whole' ? undefined : range)
  if (range === 'whole') {
    setContentHeaders(reply, version.original_name, sizeBytes)
  } else {
    setContentHeaders(reply, version.original_name, range.end - range.start + 1)
    reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  }
  return reply.send(content)
}

function setContentHeaders(reply: FastifyReply, fileName: string, lengthBytes: number): void {
  reply.headers({
    'Content-Type': 'application/octet-stream',
    'Content-Length': lengthBytes,
    'Content-Disposition': attachmentNamed(fileName),
    'Content-Security-Policy': contentPolicy,
  })
}
