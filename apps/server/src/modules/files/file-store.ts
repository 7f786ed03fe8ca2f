import type { Readable } from 'node:stream'

/** Bytes by content: a file is stored once under its SHA-256, whatever it is called and whoever refers to it. */
export interface FileStore {
  /** Rejects with a sentence when nothing can be stored: the directory is gone, read-only or full. */
  check(): Promise<void>
  /**
   * Takes in a stream: temporary file, hash while writing, fsync, rename. Rejects, and keeps nothing, when the stream
   * breaks, exceeds `maxBytes`, or ends before `expectedBytes`.
   */
  receive(
    content: Readable,
    bounds: { maxBytes: number; expectedBytes?: number },
  ): Promise<{ sha256: string; sizeBytes: number }>
  /** A stream of the whole, or of a range of bytes (both ends included). */
  read(sha256: string, range?: { start: number; end: number }): Promise<{ content: Readable; sizeBytes: number }>
  /** Where the parser finds the bytes. */
  pathOf(sha256: string): string
  remove(sha256: string): Promise<void>
}
