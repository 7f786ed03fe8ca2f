import type { StoredContents } from '../../../file-store/file-store.ts'
import { syncFolder } from '../../backups/archive/parts.ts'
import { FileArchive } from '../../backups/archive/stored-files.ts'
import type { ExportSink } from './export-sink.ts'

/** An export as a folder: its parts stay where they were written. */
export function folderSink(draft: string, contents: StoredContents): ExportSink {
  const archive = new FileArchive(draft, undefined)
  return {
    addPart: () => undefined,
    async addFile(sha256) {
      const copied = await archive.copyFrom(contents, sha256)
      return copied && { bytes: copied.storedBytes }
    },
    finish: () => syncFolder(draft),
  }
}
