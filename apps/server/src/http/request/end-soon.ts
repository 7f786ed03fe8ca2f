import type { IncomingMessage } from 'node:http'

/** Time that the rest of a refused upload is read and dropped, so that the client gets to see the answer. */
const lingerMs = 5_000

/**
 * A client that is cut off while it sends may never read why. So what it still sends is dropped for a while, and only
 * then is the connection closed.
 */
export function endSoon(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.resume()
  const timer = setTimeout(() => request.destroy(), lingerMs)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
}
