import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from './database.ts'
import type { DatabaseTarget } from './driver/database-target.ts'
import { DatabaseSetupError, systemCodeOf } from './setup/database-setup-error.ts'

/**
 * True when two connections share sessions of the server, as behind a pooler in transaction mode: what one sets in its session the
 * other finds in its own.
 */
export async function shareSessions(one: Pick<Database, 'sql'>, other: Pick<Database, 'sql'>): Promise<boolean> {
  const mark = randomUUID()
  // Not prepared: another client of such a pooler may have prepared a statement of this name in the session.
  await one.sql.unsafe(`select set_config('printyard.session', '${mark}', false)`)
  const [found] = await other.sql.unsafe("select current_setting('printyard.session', true) as mark")
  return found?.mark === mark
}

/**
 * Refuses a pooler that gives a session to others between transactions: notices of changes do not arrive over it, and locks of a session
 * are those of anybody.
 *
 * @throws DatabaseSetupError `DATABASE_SESSIONS_POOLED`
 */
export async function refusePooledSessions(target: DatabaseTarget): Promise<void> {
  const small = { target, statementConnections: 1, transactionConnections: 1 }
  const [one, other] = [openDatabase(small), openDatabase(small)]
  try {
    // The second must have a connection of its own before the first sets anything.
    await other.sql.unsafe('select 1')
    if (!(await shareSessions(one, other))) return
  } finally {
    await Promise.all([one.close(), other.close()])
  }
  throw pooledSessions()
}

/** True when a session has statements prepared that this program did not prepare there (`duplicate_prepared_statement`). */
export function isOfPooledSession(error: unknown): boolean {
  return systemCodeOf(error) === '42P05'
}

export function pooledSessions(cause?: unknown): DatabaseSetupError {
  return new DatabaseSetupError(
    'DATABASE_SESSIONS_POOLED',
    'DATABASE_URL leads to a pooler in transaction mode, over which notices and locks of a session do not work. Use the address of PostgreSQL itself, or a pooler in session mode.',
    { cause },
  )
}
