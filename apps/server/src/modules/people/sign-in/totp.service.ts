import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { hashBackupCode, makeBackupCodes } from '../second-factor/backup-codes.ts'
import { openSecret, sealedFor } from '../second-factor/second-factor.ts'
import {
  confirmFactor,
  deleteFactor,
  findFactor,
  replaceBackupCodes,
  saveUnconfirmed,
} from '../second-factor/second-factors.queries.ts'
import { findTotpStep, makeTotpSecret, otpauthUrl } from '../second-factor/totp.ts'
import { findUser } from './sessions.queries.ts'
import { endSessions } from './sessions.service.ts'

/**
 * Makes a secret for an authenticator app. It counts only once its first code is confirmed: no one locks themselves out
 * by an app that did not take it. Call it when the password was shown to be right.
 *
 * @throws AppError `ALREADY_EXISTS` when an app is confirmed
 */
export async function beginTotp(
  context: Context,
  sql: Sql,
  person: Person,
): Promise<{ secret: string; otpauth_url: string }> {
  const user = await findUser(sql, person.userId)
  if (!user) throw new AppError('SESSION_EXPIRED')
  const secret = makeTotpSecret()
  const sealed = context.secrets.seal(secret, sealedFor(person.userId))
  if (!(await saveUnconfirmed(sql, person.userId, sealed, context.clock.now()))) {
    throw new AppError('ALREADY_EXISTS', { resource: 'authenticator app' })
  }
  return { secret, otpauth_url: otpauthUrl(secret, user.email) }
}

/**
 * Confirms the app by a code that it shows: from now on signing in needs one, and the person's other sessions end. Answers
 * the backup codes, which are seen only here.
 *
 * @throws AppError `NOT_FOUND` when none was started, `ALREADY_EXISTS` when one is confirmed, `CODE_INVALID`
 */
export async function confirmTotp(context: Context, sql: Sql, person: Person, code: string): Promise<string[]> {
  const factor = await findFactor(sql, person.userId)
  if (!factor) throw notFound('authenticator app in set-up')
  if (factor.confirmed_at) throw new AppError('ALREADY_EXISTS', { resource: 'authenticator app' })
  const now = context.clock.now()
  const step = findTotpStep(openSecret(context, factor), code.replace(/\s/g, ''), now)
  if (step === undefined || !(await confirmFactor(sql, factor, step, now))) throw new AppError('CODE_INVALID')
  const codes = await giveBackupCodes(context, sql, person.userId)
  // Who was in before by the password alone is out.
  await endSessions(context, sql, person.userId, 'second_factor_added', { except: person.sessionId })
  await recordUserEvent(sql, person.userId, { type: 'user.totp_enabled', data: {}, actor: person.label })
  return codes
}

/** @throws AppError `NOT_FOUND` when no app is confirmed */
export async function removeTotp(sql: Sql, person: Person): Promise<void> {
  if (!(await deleteFactor(sql, person.userId))) throw notFound('authenticator app')
  await recordUserEvent(sql, person.userId, { type: 'user.totp_disabled', data: {}, actor: person.label })
}

/**
 * Makes ten new backup codes; those of before work no more.
 *
 * @throws AppError `NOT_FOUND` when no app is confirmed
 */
export async function renewBackupCodes(context: Context, sql: Sql, person: Person): Promise<string[]> {
  if (!(await findFactor(sql, person.userId))?.confirmed_at) throw notFound('authenticator app')
  const codes = await giveBackupCodes(context, sql, person.userId)
  await recordUserEvent(sql, person.userId, { type: 'user.backup_codes_renewed', data: {}, actor: person.label })
  return codes
}

async function giveBackupCodes(context: Pick<Context, 'secrets'>, sql: Sql, userId: UserId): Promise<string[]> {
  const codes = makeBackupCodes()
  const hashes = codes.map((code) => hashBackupCode(context.secrets, userId, code) as string)
  await replaceBackupCodes(sql, userId, hashes)
  return codes
}
