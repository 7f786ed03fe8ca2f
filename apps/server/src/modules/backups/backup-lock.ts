import { CopyConnection } from '../../db/copy/copy-connection.ts'
import type { DatabaseTarget } from '../../db/database.ts'

/** Any fixed number serves; it must only differ from those of other locks in the same database. */
const advisoryLock = 7_237_811_205n

/** The two halves of the number, as `pg_locks` shows them. */
export const advisoryLockHalves = { classid: Number(advisoryLock >> 32n), objid: Number(advisoryLock & 0xffff_ffffn) }

/**
 * Runs `work` while no other process makes a backup of this database; undefined when one does. The lock is that of a connection: it
 * ends with the process, however that ends.
 */
export async function whileAlone<T>(target: DatabaseTarget, work: () => Promise<T>): Promise<T | undefined> {
  const connection = await CopyConnection.open(target, 'printyard backup lock')
  try {
    const [row] = await connection.run('select pg_try_advisory_lock($1::bigint)::text as has_lock', [
      String(advisoryLock),
    ])
    return row?.has_lock === 'true' ? await work() : undefined
  } finally {
    await connection.close()
  }
}
