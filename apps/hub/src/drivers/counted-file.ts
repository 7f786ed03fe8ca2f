import { createReadStream, openAsBlob } from 'node:fs'
import type { FileToUpload } from './driver.ts'

/** A file that tells how many of its bytes were read so far by whoever sends it. */
class CountedFile extends File {
  readonly #onRead: (readBytes: number) => void

  constructor(content: Blob, name: string, onRead: (readBytes: number) => void) {
    super([content], name)
    this.#onRead = onRead
  }

  override stream() {
    let readBytes = 0
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (part, controller) => {
        readBytes += part.byteLength
        controller.enqueue(part)
        this.#onRead(readBytes)
      },
    })
    return super.stream().pipeThrough(count)
  }
}

/**
 * The content of a file as the body of a request, or as a part of a form, under the name that it shall have. It stays on the
 * disk, and `onSent` hears of each piece as it is handed to the connection, which holds a few pieces of its own.
 */
export async function openCounted({ path, file_name, onSent }: FileToUpload, name = file_name): Promise<File> {
  return new CountedFile(await openAsBlob(path), name, (readBytes) => onSent?.(readBytes))
}

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
