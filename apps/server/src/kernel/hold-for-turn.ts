import type { Writable } from 'node:stream'

/** Sends what is written to a stream during this turn of the event loop in one piece: a write costs more than most of what is written. */
export function holdForTurn(stream: Pick<Writable, 'cork' | 'uncork' | 'writableCorked'>): void {
  // Held already; or by someone else for a moment, who sends what is written then.
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}
