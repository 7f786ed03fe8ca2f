import type { Context } from '../../../context/context.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { spaceWrites } from '../../background/spaced-writes.ts'
import { deleteImportProgress, type ImportProgress, writeImportProgress } from './import-progress.queries.ts'

/** Interval at which it is written how far an import is. */
const writeEveryMs = 300

/**
 * Records how far the import with this ID is while `work` is done, outside of its transaction, so that others see it. Without an ID nothing
 * is recorded.
 */
export async function withProgress<T>(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  accountId: AccountId,
  id: string | undefined,
  work: (tell: (progress: ImportProgress) => void) => Promise<T>,
): Promise<T> {
  if (id === undefined) return work(() => undefined)
  const onError = (error: unknown) => log.warn({ err: error }, 'how far an import is was not noted')
  const writes = spaceWrites<ImportProgress>({
    write: (progress) => writeImportProgress(db.sql, accountId, { id, ...progress, updated_at: clock.now() }),
    everyMs: writeEveryMs,
    // How many rows there are is known once all are read.
    isUrgent: (progress, last) => progress.total_rows !== last.total_rows,
    onError,
  })
  try {
    return await work(writes.tell)
  } finally {
    await writes.settled()
    await deleteImportProgress(db.sql, accountId, id).catch(onError)
  }
}
