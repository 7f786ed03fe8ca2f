import type { Context } from '../../context/context.ts'
import { LeasedMemory } from '../../db/coherence/leased-memory.ts'
import type { AccountId, PrintFileId } from '../../kernel/ids.ts'
import { type FileForJob, findFileForJob } from './jobs.queries.ts'

/** Files that are kept, some 500 bytes each: those that the shops and scripts of an account order again and again. */
const mostFiles = 5_000

/** Print files as jobs need them, never older than the question: docs/decisions/0093-a-job-is-one-statement.md says how. */
export interface FileMemory {
  /** Answers undefined when there is no such file. */
  find(accountId: AccountId, fileId: PrintFileId): Promise<FileForJob | undefined>
}

/** For `context.memory.hold`. */
export function rememberFiles({ db }: Pick<Context, 'db'>): FileMemory {
  const files = new LeasedMemory<FileForJob>(db.coherence, mostFiles)
  return {
    async find(accountId, fileId) {
      const key = `${accountId} ${fileId}`
      const known = files.get(key)
      if (known) return known
      return await files.read(key, async () => {
        const file = await findFileForJob(db.sql, accountId, fileId)
        return file && { value: file, ids: [fileId] }
      })
    },
  }
}
