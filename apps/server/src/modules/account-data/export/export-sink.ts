/** Target of an export: a folder, or one archive. */
export interface ExportSink {
  /** Takes a part that lies at this path below the folder of the draft. */
  addPart(path: string): void
  /** Copies a content from the store of files; undefined when it is gone or is not what its hash says. */
  addFile(sha256: string): Promise<{ bytes: number } | undefined>
  /** Takes the manifest and the sums, which lie in the folder of the draft, and waits until all is written. */
  finish(): Promise<void>
}
