import { open } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import { isFull } from '../wire/printer-http.ts'
import { memberOf, numberIn } from '../wire/wire-values.ts'
import { md5Of, PIECE_BYTES, PIECE_TIMEOUT_MS } from './elegoo-session.ts'

/** The answer of the printer to a wrong access code. */
export const WRONG_TOKEN = 1000

/** Far more than what answers a piece. */
const MOST_ANSWER_BYTES = 64 * 1024

/**
 * Sends a file to a Centauri Carbon 2 in pieces. All go over one connection, because the printer answers the fourth new one
 * with 429, and none is sent twice, because that damages the file. Rejects with a `DriverError`.
 */
export async function uploadToCc2(base: URL, token: string, file: FileToUpload, signal: AbortSignal): Promise<void> {
  const md5 = await md5Of(file.path, signal)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const content = await open(file.path)
  try {
    for (let start = 0; start < file.size_bytes; start += PIECE_BYTES) {
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, file.size_bytes - start))
      const { bytesRead } = await content.read(piece, 0, piece.length, start)
      if (bytesRead !== piece.length) throw new DriverError('UPLOAD_BROKEN', 'the file has become shorter')
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': piece.length,
        'content-range': `bytes ${start}-${start + piece.length - 1}/${file.size_bytes}`,
        'x-file-name': file.file_name,
        'x-file-md5': md5,
        'x-token': token,
      }
      accept(await putPiece(new URL('upload', base), agent, headers, piece, signal))
      file.onSent?.(start + piece.length)
    }
  } finally {
    agent.destroy()
    await content.close()
  }
}

interface PieceAnswer {
  status: number
  text: string
}

function putPiece(
  url: URL,
  agent: Agent,
  headers: Record<string, string | number>,
  piece: Buffer,
  signal: AbortSignal,
): Promise<PieceAnswer> {
  const timeout = AbortSignal.timeout(PIECE_TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      if (signal.aborted) return reject(signal.reason)
      const why = timeout.aborted ? `no answer within ${PIECE_TIMEOUT_MS} ms` : 'the connection broke off'
      reject(new DriverError('UPLOAD_BROKEN', why, { cause: error }))
    }
    const question = request(url, { method: 'PUT', agent, headers, signal: AbortSignal.any([signal, timeout]) })
    question.on('error', fail)
    question.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > MOST_ANSWER_BYTES) response.destroy(new Error('the answer is too long'))
      })
      response.on('error', fail)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    question.end(piece)
  })
}

function accept({ status, text }: PieceAnswer): void {
  const code = codeIn(text)
  if (status === 401 || status === 403 || code === WRONG_TOKEN) {
    throw new ConnectionProblemError('credentials_wrong')
  }
  if (isFull({ status, text })) throw new ConnectionProblemError('storage_full')
  if (status === 429) throw new DriverError('BUSY', 'the printer takes no more uploads now')
  if (code === 9000) throw new DriverError('UPLOAD_BROKEN', 'the printer misses a piece of the file')
  if (code === 9004) throw new DriverError('UPLOAD_BROKEN', 'the file arrived damaged: its MD5 differs')
  if (status !== 200 || code !== 0) {
    const what = code === null ? `status ${status}` : `error ${code}`
    throw new DriverError('UPLOAD_BROKEN', `the upload is answered with ${what}`)
  }
}

function codeIn(text: string): number | null {
  try {
    return numberIn(memberOf(JSON.parse(text), 'error_code'))
  } catch {
    // Some refusals come as plain text; their status says enough.
    return null
  }
}
