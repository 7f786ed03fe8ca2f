import type { FileHandle } from 'node:fs/promises'
import { type BlockTarget, BlockWriter } from './block-writer.ts'
import type { HashThread } from './hash-thread.ts'

/** A file that is hashed and written by another thread. */
export class LargeFile implements BlockTarget {
  readonly #file: Pick<FileHandle, 'datasync'>
  readonly #there: ReturnType<HashThread['begin']>
  readonly #writer: BlockWriter

  constructor(file: Pick<FileHandle, 'datasync'>, there: ReturnType<HashThread['begin']>) {
    this.#file = file
    this.#there = there
    this.#writer = new BlockWriter(this, there.blocks)
  }

  /** As `BlockWriter.add`. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    return this.#writer.add(chunk)
  }

  /** Ends when the system has all of the file; the disk has when it was synced after this. @returns the SHA-256 as hex */
  async finish(): Promise<string> {
    await this.#writer.finish()
    return this.#there.finish()
  }

  /** To be called in the end, whatever became of the file: when it ends nothing uses it any more. */
  async release(): Promise<void> {
    await this.#writer.release()
    this.#there.forget()
  }

  write(block: ArrayBuffer, bytes: number): Promise<ArrayBuffer> {
    return this.#there.write(block, bytes)
  }

  async datasync(): Promise<void> {
    // What went past the memory of the system has left nothing there to wait for.
    if (await this.#there.isDirect()) return
    await this.#file.datasync()
  }
}
