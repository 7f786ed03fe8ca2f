import { type ConnectionOptions, connect } from 'node:tls'
import { MAX_STILL_BYTES } from '@printyard/protocol/still'
import { requireJpeg, tooLarge } from '../camera/camera-http.ts'
import { StillError } from '../camera/still-error.ts'

const HEADER_BYTES = 16
const NAME_BYTES = 32

interface BambuCameraOptions {
  host: string
  port: number
  accessCode: string
  /** What the certificate must be. */
  tls: ConnectionOptions
}

/**
 * The first picture of the stream of JPEGs that the smaller models give; the connection is closed then. A wrong code is
 * answered by nothing but the end of the connection. Rejects with a `StillError`, or with the signal's reason.
 */
export function takeBambuStill(options: BambuCameraOptions, signal: AbortSignal): Promise<Buffer> {
  const { host, port, accessCode, tls } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = connect({ ...tls, host, port })
    let received: Buffer = Buffer.alloc(0)
    let isConnected = false
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort)
      socket.removeAllListeners('close')
      socket.destroy()
      settle()
    }
    const fail = (error: unknown) => end(() => reject(error))
    const onAbort = () => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('secureConnect', () => {
      isConnected = true
      socket.write(greeting(accessCode))
    })
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part])
      if (received.length < HEADER_BYTES) return
      const length = received.readUInt32LE(0)
      if (length > MAX_STILL_BYTES) return fail(tooLarge())
      if (received.length < HEADER_BYTES + length) return
      try {
        const still = requireJpeg(received.subarray(HEADER_BYTES, HEADER_BYTES + length))
        end(() => resolve(still))
      } catch (error) {
        fail(error)
      }
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        new StillError('CAMERA_UNREACHABLE', `the camera cannot be reached (${error.code ?? error.message})`, {
          cause: error,
        }),
      ),
    )
    socket.once('close', () =>
      fail(
        isConnected && received.length === 0
          ? new StillError('CAMERA_REFUSED', 'the camera hangs up: wrong access code, or the live view is switched off')
          : new StillError('CAMERA_UNREACHABLE', 'the connection to the camera broke off'),
      ),
    )
  })
}

/** Four words and the login, each part padded with zeros. */
function greeting(accessCode: string): Buffer {
  const message = Buffer.alloc(4 * 4 + 2 * NAME_BYTES)
  for (const [at, word] of [0x40, 0x3000, 0, 0].entries()) message.writeUInt32LE(word, at * 4)
  message.write('bblp', 16, NAME_BYTES, 'latin1')
  message.write(accessCode, 16 + NAME_BYTES, NAME_BYTES, 'latin1')
  return message
}
