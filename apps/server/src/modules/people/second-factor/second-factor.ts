import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { openIfReadable } from '../../../kernel/secret-box.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { hasPasskey } from '../passkeys/passkeys.queries.ts'
import { hashesOfBackupCode } from './backup-codes.ts'
import {
  type FactorRow,
  findFactor,
  listFactors,
  replaceSealed,
  spendBackupCode,
  spendStep,
} from './second-factors.queries.ts'
import { findTotpStep } from './totp.ts'

/** True when this person signs in with a code besides the password. */
export async function hasSecondFactor(sql: Sql, userId: UserId): Promise<boolean> {
  return (await findFactor(sql, userId))?.confirmed_at != null
}

/**
 * Lets a person pass whose password was right: without a second factor, or with a code that is good now. Who has passkeys
 * alone signs in by one of them. Runs in the transaction of the new session, so that a code is used up only when a person
 * comes in by it.
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
  const passkey = await hasPasskey(sql, userId)
  if (!factor?.confirmed_at) {
    if (!passkey) return
    const message = 'Sign in by your passkey: the password alone is not enough.'
    throw new AppError('CODE_REQUIRED', {}, { message, details: { methods: ['passkey'] } })
  }
  const typed = code?.trim() ?? ''
  if (typed === '')
    throw new AppError('CODE_REQUIRED', {}, { details: { methods: passkey ? ['code', 'passkey'] : ['code'] } })

  const step = findTotpStep(openSecret(context, factor), typed.replace(/\s/g, ''), context.clock.now())
  if (step !== undefined && (await spendStep(sql, userId, step))) return

  const hashes = hashesOfBackupCode(context.secrets, userId, typed)
  if (hashes.length === 0 || !(await spendBackupCode(sql, userId, hashes))) throw new AppError('CODE_INVALID')
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

/** Answers what a sealed secret is bound to: moved to another person's row it does not open. */
export function sealedFor(userId: UserId): string {
  return `second factor of ${userId}`
}

/**
 * Seals the secrets of all authenticator apps again, by the present key. Answers how many, and of which people none of the keys opens
 * them: they stay as they are. `sql` is a transaction.
 */
export async function resealFactors(
  secrets: Context['secrets'],
  sql: Sql,
): Promise<{ sealed: number; unreadable: UserId[] }> {
  const factors = await listFactors(sql)
  const unreadable: UserId[] = []
  for (const { user_id, secret_sealed } of factors) {
    const opened = openIfReadable(secrets, secret_sealed, sealedFor(user_id))
    if (opened === undefined) unreadable.push(user_id)
    else await replaceSealed(sql, user_id, secrets.seal(opened.value, sealedFor(user_id)))
  }
  return { sealed: factors.length - unreadable.length, unreadable }
}
