import { finished, type Readable } from 'node:stream'

/**
 * Hands the chunks of a stream to `take`, one after another, and ends when the stream has. What `take` promises is waited for, and nothing is
 * read meanwhile. Rejects with what `take` throws or rejects with, and when the stream breaks or is closed before its end; nothing is being
 * taken any more by then.
 *
 * The stream survives: destroying a request would take its connection along, and the answer. `for await` would stop and start the
 * connection for each chunk.
 */
export async function eachChunk(content: Readable, take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<void>()
  let taking: Promise<void> | undefined
  const refuse = (error: unknown) => {
    content.off('data', next).pause()
    reject(error)
  }
  const next = (chunk: Buffer) => {
    try {
      taking = take(chunk)
    } catch (error) {
      return refuse(error)
    }
    if (taking === undefined) return
    content.pause()
    taking.then(() => content.resume(), refuse)
  }
  const forget = finished(content, { writable: false }, (error) => (error ? reject(error) : end()))
  content.on('data', next)
  try {
    await ended
  } finally {
    content.off('data', next)
    forget()
    await taking
  }
}
