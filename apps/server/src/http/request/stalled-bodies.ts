import type { Readable } from 'node:stream'
import type { Look } from './first-looks.ts'

/** Less than this in one interval is not an upload but a connection held open: about 1 KB/s. */
const leastBytesPerInterval = 64 * 1024

/**
 * Destroys a stream that brings too little, so that no one can hold uploads open for ever. It counts what arrives at the
 * connection, not what was read from it, so that a slow disk is not blamed on the client.
 */
export function destroyWhenStalled(content: Readable, countBytes: () => number, intervalMs: number): void {
  let before = countBytes()
  const timer = setInterval(() => {
    const now = countBytes()
    if (now - before < leastBytesPerInterval && content.readableLength === 0) {
      content.destroy(new Error(`fewer than ${leastBytesPerInterval} bytes came in ${intervalMs} ms`))
    }
    before = now
  }, intervalMs)
  timer.unref()
  content.once('close', () => clearInterval(timer))
  content.once('end', () => clearInterval(timer))
}

/** Without an end, a body that does not come holds its connection for as long as its client likes. */
const stallIntervalMs = 60_000

/** Ends the connection of a request whose body stalls, from any caller and whether it is read or not: a small body has a minute to come. */
export function endStalledBodies(intervalMs: number = stallIntervalMs): Look {
  return ({ raw }) => {
    const { headers, socket } = raw
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return
    destroyWhenStalled(raw, () => socket.bytesRead, intervalMs)
  }
}
