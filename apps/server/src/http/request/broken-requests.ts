import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { AppError, validationError } from '../../kernel/errors.ts'
import type { App } from '../types.ts'
import type { Look } from './first-looks.ts'
import { mostHeadBytes } from './too-long.ts'

/** What is not even HTTP gets an envelope too, and its connection is closed. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: NodeJS.WritableStream & { destroy(): void },
): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { code, message, status } = refusalOf(error)
    const body = JSON.stringify({ success: false, error: { code, message } })
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${randomUUID()}`,
        'Connection: close',
        `\r\n${body}`,
      ].join('\r\n'),
    )
  }
  socket.destroy()
}

function refusalOf({ code }: NodeJS.ErrnoException): AppError {
  if (code !== 'HPE_HEADER_OVERFLOW') {
    return new AppError('VALIDATION_ERROR', {}, { message: 'The request is not valid HTTP.' })
  }
  const message = `The address and the header fields of the request have more than the ${mostHeadBytes} bytes that are read.`
  return new AppError('HEADERS_TOO_LARGE', {}, { message })
}

/** What Node would refuse by itself, without the envelope: a request to no host. */
export const refuseHostless: Look = ({ raw }) => {
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') throw validationError({ Host: ['is required'] })
}

/** Nor does Node refuse an `Expect` that it does not know: no answer of ours depends on one. */
export function ignoreExpectations(app: App): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}
