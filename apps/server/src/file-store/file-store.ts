import type { Readable } from 'node:stream'

/** Bytes that were taken in whole but are not stored yet. Anyone who has them must discard them in the end, kept or not. */
export interface ReceivedFile {
  sha256: string
  sizeBytes: number
  /** Stores them under their hash, to stay through a power cut. The same content once more replaces itself. */
  keep(): Promise<void>
  /** Drops them; what is kept stays. */
  discard(): Promise<void>
}

/** Bytes by content: a file is stored once under its SHA-256, whatever it is called and anyone who refers to it. */
export interface FileStore {
  /** Rejects with a sentence when nothing can be stored: the directory is gone, read-only or full. */
  check(): Promise<void>
  /**
   * Takes in a stream: temporary file, hash while writing, fsync. Rejects, and leaves nothing behind, when the stream
   * breaks or ends before `expectedBytes` (`UPLOAD_INCOMPLETE`), exceeds `maxBytes` (`PAYLOAD_TOO_LARGE`), or when there
   * is no room (`STORAGE_FULL`). The stream is not destroyed: anyone who reads it may still answer on its connection.
   */
  receive(content: Readable, bounds: { maxBytes: number; expectedBytes?: number }): Promise<ReceivedFile>
  /** A stream of the whole, or of a range of bytes (both ends included). Rejects `SERVICE_UNAVAILABLE` when it is gone. */
  read(sha256: string, range?: { start: number; end: number }): Promise<{ content: Readable; sizeBytes: number }>
  /** Where the parser finds the bytes. */
  pathOf(sha256: string): string
  remove(sha256: string): Promise<void>
  /** The hashes of all that is stored, in pages of bounded size. */
  listPages(): AsyncIterable<string[]>
}
