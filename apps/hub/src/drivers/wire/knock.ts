import { connect } from 'node:net'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'

const CONNECT_MS = 5_000

/** The host of an address as sockets want it: IPv6 without its brackets. */
export function hostOf(address: URL): string {
  return address.hostname.replace(/^\[|\]$/g, '')
}

/**
 * Opens a connection and closes it again, so that what follows is known to be the fault of what answers there. Rejects with
 * a `ConnectionProblemError` `unreachable` or `refused`.
 */
export function knock(host: string, port: number, signal: AbortSignal, timeoutMs = CONNECT_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = connect({ host, port })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason))
    const timer = setTimeout(() => end(() => reject(new ConnectionProblemError('unreachable'))), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('connect', () => end(resolve))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const words = { message: `The device at this address does not accept connections at port ${port}.` }
      const reason = error.code === 'ECONNREFUSED' ? 'refused' : 'unreachable'
      const given = reason === 'refused' ? words : {}
      end(() => reject(new ConnectionProblemError(reason, given, { cause: error })))
    })
  })
}
