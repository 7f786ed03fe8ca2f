import { createReadStream } from 'node:fs'
import type { FileToUpload } from '../driver.ts'

/** The content of a file piece by piece; `onSent` hears of each once the next one is wanted. */
export async function* readCounted({ path, onSent }: Pick<FileToUpload, 'path' | 'onSent'>): AsyncGenerator<Buffer> {
  let sentBytes = 0
  // Without an encoding a stream of a file gives buffers.
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    yield piece
    sentBytes += piece.length
    onSent?.(sentBytes)
  }
}
