import { VirtualPrinterError } from '../virtual-printer.ts'
import { hang } from './silent-link.ts'

interface Upload {
  fileName: string
  sizeBytes: number
  content: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** The side of the printer that takes files in. */
export interface FileStore {
  isSilent(): boolean
  /** True when uploads are to break off half way. */
  isBreaking(): boolean
  /** Makes room; throws when the file cannot be replaced now. */
  begin(fileName: string): void
  /** Waits as long as the store takes to accept what it received. */
  settle(signal: AbortSignal): Promise<void>
  finish(fileName: string, sizeBytes: number): void
  breakOff(fileName: string, receivedBytes: number, reason: string): void
}

/**
 * Reads an upload to its end and counts it. Whatever goes wrong on the way leaves a partial file, as in a real printer,
 * and rejects: with the reason of the signal when it aborted, else with `UPLOAD_BROKEN` (or `BUSY` before anything is read).
 */
export async function receiveUpload(upload: Upload, store: FileStore): Promise<void> {
  const { fileName, sizeBytes, content, signal } = upload
  signal.throwIfAborted()
  if (store.isSilent()) return hang(signal)
  store.begin(fileName)
  const iterator = content[Symbol.asyncIterator]()
  let receivedBytes = 0
  try {
    for (;;) {
      const next = await nextUnlessAborted(iterator, signal)
      if (store.isSilent()) await hang(signal)
      if (!next.done) receivedBytes += next.value.byteLength
      if (store.isBreaking() && (next.done || receivedBytes * 2 >= sizeBytes)) {
        receivedBytes = Math.floor(sizeBytes / 2)
        throw new VirtualPrinterError('UPLOAD_BROKEN', 'The connection broke off half way.')
      }
      if (receivedBytes > sizeBytes) throw new VirtualPrinterError('UPLOAD_BROKEN', 'More came than was announced.')
      if (next.done) break
    }
    if (receivedBytes < sizeBytes) throw new VirtualPrinterError('UPLOAD_BROKEN', 'Less came than was announced.')
    await store.settle(signal)
    if (store.isSilent()) await hang(signal)
    signal.throwIfAborted()
  } catch (error) {
    letGo(iterator)
    const broken = brokenUpload(error)
    store.breakOff(
      fileName,
      Math.min(receivedBytes, sizeBytes),
      signal.aborted ? 'The sender gave up.' : broken.message,
    )
    throw signal.aborted ? signal.reason : broken
  }
  store.finish(fileName, sizeBytes)
  // The answer travels back; a link that is lost by now swallows it although the file is there.
  await Promise.resolve()
  if (store.isSilent()) await hang(signal)
}

function brokenUpload(error: unknown): VirtualPrinterError {
  if (error instanceof VirtualPrinterError) return error
  const broken = new VirtualPrinterError('UPLOAD_BROKEN', 'The sender stopped before the end.')
  broken.cause = error
  return broken
}

/** Tells the source that no one reads on. It may be stuck for ever in what it was asked before, so no one waits for it. */
function letGo(iterator: AsyncIterator<Uint8Array>): void {
  iterator.return?.().catch(() => undefined)
}

/**
 * The next piece, or the reason of the signal. A race against one promise for the whole upload would hold every piece
 * until its end, so each wait has a listener of its own.
 */
function nextUnlessAborted(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal,
): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) {
      onAbort()
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
