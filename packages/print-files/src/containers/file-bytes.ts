import type { FileHandle } from 'node:fs/promises'
import { PrintFileError } from '../print-file-error.ts'

const windowBytes = 64 * 1024
const chunkBytes = 256 * 1024

/** Random and streaming access to an open file. Disk errors pass through; ends are reported as `DAMAGED`. */
export class FileBytes {
  readonly size: number
  private readonly handle: FileHandle
  private readonly signal: AbortSignal | undefined
  private window: Buffer = Buffer.alloc(0)
  private windowAt = 0

  constructor(handle: FileHandle, size: number, signal?: AbortSignal) {
    this.handle = handle
    this.size = size
    this.signal = signal
  }

  /** Bytes at a position. Small reads near one another cost one call to the disk; the result is valid until the next. */
  async read(position: number, length: number): Promise<Buffer> {
    const isInside = position >= this.windowAt && position + length <= this.windowAt + this.window.length
    if (!isInside) {
      this.signal?.throwIfAborted()
      this.window = await this.readFully(position, Math.max(length, Math.min(windowBytes, this.size - position)))
      this.windowAt = position
    }
    return this.window.subarray(position - this.windowAt, position - this.windowAt + length)
  }

  /** The whole file in pieces. A piece is only valid until the next one is asked for. */
  async *chunks(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (let position = 0; ; ) {
      this.signal?.throwIfAborted()
      const { bytesRead } = await this.handle.read(buffer, 0, chunkBytes, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  private async readFully(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await this.handle.read(buffer, filled, length - filled, position + filled)
      if (bytesRead === 0)
        throw new PrintFileError('DAMAGED', `The file ends at offset ${position + filled} while being read.`)
      filled += bytesRead
    }
    return buffer
  }
}
