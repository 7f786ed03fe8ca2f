import type { IncomingMessage } from 'node:http'
import { MAX_STILL_BYTES } from '@printyard/protocol/still'
import { requestOnce } from '../../util/http-request.ts'
import { StillError } from './still-error.ts'

const soi = Buffer.from([0xff, 0xd8, 0xff])
const eoi = Buffer.from([0xff, 0xd9])
const blankLine = Buffer.from('\r\n\r\n')

/**
 * Answers where a camera is that a printer names. The hub asks only the printer's own host, at whatever port: an address in a person's
 * settings must not make it ask other machines of the network. Loopback means the host that said it. Rejects with a
 * `StillError`: for another host `CAMERA_REFUSED`, which only `camera_url` in the printer's connection overrides.
 */
export function cameraAddress(named: string, printer: URL): URL {
  const url = readAddress(named, printer)
  if (isLoopback(url.hostname)) url.hostname = printer.hostname
  if (url.hostname === printer.hostname) return url
  throw new StillError(
    'CAMERA_REFUSED',
    `the camera is at ${url.hostname}, not at the printer; set camera_url in the connection of the printer to allow it`,
  )
}

/** The camera that an operator named for a printer, wherever it is. */
export function ownCameraAddress(named: string): URL {
  return readAddress(named, undefined)
}

function readAddress(named: string, base: URL | undefined): URL {
  const url = URL.parse(named, base?.href)
  if (!url) throw new StillError('CAMERA_REFUSED', 'the address of the camera cannot be understood')
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw new StillError(
    'NOT_SUPPORTED',
    `the camera streams by ${url.protocol.slice(0, -1)} and gives no single pictures`,
  )
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}

/**
 * One JPEG from an address that answers with a picture, or with an endless stream of them, of which the first is taken. The
 * connection is over when it resolves. Rejects with a `StillError`, or with the signal's reason.
 */
export async function fetchStill(address: URL, signal: AbortSignal): Promise<Buffer> {
  const url = new URL(address)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  let answer: IncomingMessage
  try {
    const headers = username === '' && password === '' ? {} : { authorization: `Basic ${login}` }
    answer = await requestOnce(url, { headers, signal })
  } catch (error) {
    throw signal.aborted ? signal.reason : unreachable(url, error)
  }
  try {
    refuseStatus(answer.statusCode)
    const boundary = boundaryOf(answer.headers['content-type'] ?? '')
    return requireJpeg(await readPicture(answer, boundary))
  } catch (error) {
    if (error instanceof StillError) throw error
    throw signal.aborted ? signal.reason : unreachable(url, error)
  } finally {
    // Whatever is still to come of an endless stream is not wanted.
    answer.destroy()
  }
}

/** The JPEG at the beginning of what came, when it is whole and of a bearable size; throws a `StillError` when it is not. */
export function requireJpeg(bytes: Buffer): Buffer {
  if (bytes.length > MAX_STILL_BYTES) throw tooLarge()
  if (!bytes.subarray(0, soi.length).equals(soi)) {
    throw new StillError('NOT_A_PICTURE', 'what the camera sends is no JPEG')
  }
  // What some cameras pad the end with is no part of it.
  const end = bytes.lastIndexOf(eoi)
  if (end < 0) throw new StillError('NOT_A_PICTURE', 'the picture of the camera is cut off')
  return bytes.subarray(0, end + eoi.length)
}

export function tooLarge(): StillError {
  return new StillError('TOO_LARGE', `the picture of the camera is larger than ${MAX_STILL_BYTES} bytes`)
}

function unreachable(url: URL, error: unknown): StillError {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return new StillError('CAMERA_UNREACHABLE', `the camera at ${url.host} cannot be reached${code}`, { cause: error })
}

function refuseStatus(status: number | undefined): void {
  if (status === 200) return
  if (status === 401 || status === 403) throw new StillError('CAMERA_REFUSED', 'the camera refuses the credentials')
  if (status !== undefined && status >= 300 && status < 400)
    throw new StillError('CAMERA_REFUSED', 'the camera points elsewhere')
  throw new StillError('CAMERA_OFF', `the camera has no picture (status ${status})`)
}

/** Answers what separates the pictures of a stream; undefined for a single picture. */
function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\//i.test(contentType)) return undefined
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  // Some name it with the dashes that go before it.
  return `--${(quoted ?? plain ?? '').replace(/^--/, '')}`
}

async function readPicture(answer: IncomingMessage, boundary: string | undefined): Promise<Buffer> {
  let received: Buffer = Buffer.alloc(0)
  for await (const part of answer as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, part])
    const picture = boundary === undefined ? undefined : firstPicture(received, boundary)
    if (picture) return picture
    // A little more than the picture itself comes with a stream.
    if (received.length > MAX_STILL_BYTES + (boundary === undefined ? 0 : 4_096)) throw tooLarge()
  }
  if (boundary === undefined) return received
  throw new StillError('NOT_A_PICTURE', 'the stream of the camera ended before its first picture')
}

/** The first whole picture of a stream, by its stated length, else up to the next boundary; undefined as long as it is not whole. */
function firstPicture(received: Buffer, boundary: string): Buffer | undefined {
  const opening = received.indexOf(boundary)
  const headerEnd = opening < 0 ? -1 : received.indexOf(blankLine, opening)
  if (headerEnd < 0) return undefined
  const start = headerEnd + blankLine.length
  const stated = /^content-length:\s*(\d+)\s*$/im.exec(received.toString('latin1', opening, headerEnd))?.[1]
  if (stated !== undefined) {
    const end = start + Number(stated)
    if (Number(stated) > MAX_STILL_BYTES) throw tooLarge()
    return received.length >= end ? received.subarray(start, end) : undefined
  }
  const next = received.indexOf(boundary, start)
  return next < 0 ? undefined : received.subarray(start, next)
}
