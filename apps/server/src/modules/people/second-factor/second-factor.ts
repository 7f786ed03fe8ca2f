import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { hashBackupCode } from './backup-codes.ts'
import { type FactorRow, findFactor, spendBackupCode, spendStep } from './second-factors.queries.ts'
import { findTotpStep } from './totp.ts'

/** Whether this person signs in with a code besides the password. */
export async function hasSecondFactor(sql: Sql, userId: UserId): Promise<boolean> {
  return (await findFactor(sql, userId))?.confirmed_at != null
}

/**
 * Lets somebody pass whose password was right: without a second factor, or with a code that is good now. Runs in the
 * transaction of the new session, so that a code is used up only when somebody comes in by it.
 *
 * @throws AppError `CODE_REQUIRED`, `CODE_INVALID`
 */
export async function checkSecondFactor(
  context: Pick<Context, 'secrets' | 'clock'>,
  sql: Sql,
  userId: UserId,
  code: string | undefined,
): Promise<void> {
  const factor = await findFactor(sql, userId)
  if (!factor?.confirmed_at) return
  const typed = code?.trim() ?? ''
  if (typed === '') throw new AppError('CODE_REQUIRED')

  const step = findTotpStep(openSecret(context, factor), typed.replace(/\s/g, ''), context.clock.now())
  if (step !== undefined && (await spendStep(sql, userId, step))) return

  const hash = hashBackupCode(context.secrets, userId, typed)
  if (hash === undefined || !(await spendBackupCode(sql, userId, hash))) throw new AppError('CODE_INVALID')
  await recordUserEvent(sql, userId, { type: 'user.backup_code_used', data: {}, actor: `user:${userId}` })
}

/** The secret of an authenticator app, as it was sealed for this person. */
export function openSecret(
  { secrets }: Pick<Context, 'secrets'>,
  { user_id, secret_sealed }: Pick<FactorRow, 'user_id' | 'secret_sealed'>,
): string {
  // Sealed by us, so it holds what was put in.
  return secrets.open(secret_sealed, sealedFor(user_id)) as string
}

/** What a sealed secret is bound to: moved to another person's row it does not open. */
export function sealedFor(userId: UserId): string {
  return `second factor of ${userId}`
}
