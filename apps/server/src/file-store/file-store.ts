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

/** A range of bytes, both ends included. */
interface BytesRange {
  start: number
  end: number
}

/** A stored content. */
interface SizedContent {
  sha256: string
  sizeBytes: number
}

/**
 * Bytes by content: a file is stored once under its SHA-256, whatever it is called and whatever refers to it. Any number of processes
 * may use the same contents at once.
 */
export interface StoredContents {
  /** Answers how many bytes are stored under a hash; undefined when none are. Rejects `SERVICE_UNAVAILABLE` when that cannot be told. */
  sizeOf(sha256: string): Promise<number | undefined>
  /** A stream of the whole, or of a range. Rejects `SERVICE_UNAVAILABLE` when it is gone. */
  read(sha256: string, range?: BytesRange): Promise<{ content: Readable; sizeBytes: number }>
  /**
   * Stores a content under its hash, to stay through a power cut. It appears whole or not at all.
   *
   * @returns whether the content is what the hash says; otherwise nothing was stored
   */
  add(sha256: string, content: Readable): Promise<boolean>
  /** Removing what is not stored is no error. */
  remove(sha256: string): Promise<void>
  /** The hashes of all that is stored, in pages of bounded size. */
  listPages(): AsyncIterable<string[]>
  /** The same with their sizes. */
  listSized(): AsyncIterable<SizedContent[]>
}

/** The contents as the service uses them. */
export interface FileStore extends StoredContents {
  /** Rejects with a sentence when nothing can be stored: the directory is gone, read-only or full, or the store does not answer. */
  check(): Promise<void>
  /**
   * Takes in a stream: temporary file, hash while writing, fsync. Rejects, and leaves nothing behind, when the stream
   * breaks or ends before `expectedBytes` (`UPLOAD_INCOMPLETE`), exceeds `maxBytes` (`PAYLOAD_TOO_LARGE`), or when there
   * is no room (`STORAGE_FULL`). The stream is not destroyed: anyone who reads it may still answer on its connection.
   */
  receive(content: Readable, bounds: { maxBytes: number; expectedBytes?: number }): Promise<ReceivedFile>
  /**
   * An address at which a content is got from the store itself, whole or in ranges, for a few minutes and without any other
   * credential. Undefined where only the service reaches the store.
   *
   * @param disposition the `Content-Disposition` of the answer
   */
  signedUrl(sha256: string, disposition: string): string | undefined
  /** Lends a file with these bytes, for programs that read files alone. It is gone, or not, once `work` has ended. */
  withLocalCopy<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>
  /** Removes what was on its way before a moment, and was left there by a process that ended. */
  removeAbandoned(before: Date): Promise<void>
}
