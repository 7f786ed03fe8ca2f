import type { Writable } from 'node:stream'

const held = new WeakSet<object>()

/** Sends what is written to a stream during this turn of the event loop in one piece: a write costs more than most of what is written. */
export function holdForTurn(stream: Pick<Writable, 'cork' | 'uncork'>): void {
  if (held.has(stream)) return
  held.add(stream)
  stream.cork()
  setImmediate(() => {
    held.delete(stream)
    stream.uncork()
  })
}
