import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import type { MemberId, UserId } from '../../../kernel/ids.ts'
import { hashPassword } from '../accounts/password.ts'
import {
  dropResets,
  findUserOfReset,
  insertReset,
  recordResetShown,
  takeReset,
} from '../accounts/password-resets.queries.ts'
import {
  findMember,
  findPerson,
  findPersonByEmail,
  listNamesAround,
  lockMembership,
  lockPerson,
  setPassword,
} from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { makeLinkToken, resetLifetimeMs, resetUrl } from '../mail/links.ts'
import { mailLater } from '../mail/mail-later.ts'
import { resetMail, securityMail } from '../mail/messages.ts'
import { sendMail } from '../mail/send-mail.ts'
import { requireCanManage } from '../roles/can-manage.ts'
import { endSessions } from '../sign-in/sessions.service.ts'

/**
 * Mails a link to anyone who has this address, if anybody has it and mail is configured. It takes as long as the mail server
 * does, so no one should wait for it: how long it takes would tell who is known.
 */
export async function mailResetLink(context: Context, email: string): Promise<void> {
  const { smtpUrl, publicUrl } = context.config
  if (smtpUrl === undefined || publicUrl === undefined) return
  const person = await findPersonByEmail(context.db.sql, email.trim())
  if (!person || person.accounts === 0) return
  // Beside those that were mailed before: a stranger who asks too must not take them away.
  const { url } = await makeLink(context, { userId: person.id, publicUrl, actor: 'system' })
  await sendMail(context, resetMail(person.email, url))
}

export interface MadeResetLink {
  expires_at: Date
  mailed: boolean
  /** There when no mail could bring it: anyone who made it passes it on. */
  url?: string
}

/**
 * Makes a link by which a member sets a new password. It is mailed to them when mail is configured, else answered. No one
 * gets a link to see for a person who works in other accounts too, where they have no say.
 *
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, `MAIL_REFUSED`
 */
export async function makeResetLink(
  context: Context,
  person: Person,
  memberId: MemberId,
  publicUrl: string,
): Promise<MadeResetLink> {
  const forbid = (action: string) => new AppError('FORBIDDEN', { action })
  const { user, canBeShown, link } = await context.db.beginFor(person.accountId, async (sql) => {
    await lockMembership(sql, person.accountId)
    const member = await findMember(sql, person.accountId, memberId)
    const found = member && (await findPerson(sql, member.user_id))
    if (!found) throw notFound('member')
    await requireCanManage(context, sql, person, member.role, 'set the password of an owner')
    const canBeShown = found.accounts === 1 && found.id !== person.userId
    if (context.config.smtpUrl === undefined && !canBeShown) {
      throw found.id === person.userId
        ? forbid('see a link for your own password; change it with the present one')
        : forbid('see a link for a person who works in other accounts too; it can only be mailed to them')
    }
    // While membership is held: a role that they are given next ends it.
    const link = await addLink(context, sql, { userId: found.id, publicUrl, actor: person.label, isOnlyOne: true })
    return { user: found, canBeShown, link }
  })
  const { url, token, expiresAt } = link
  const outcome = await sendMail(context, resetMail(user.email, url))
  const mailed = outcome === 'sent'
  if (mailed) return { expires_at: expiresAt, mailed }
  if (canBeShown) {
    const isGood = await recordResetShown(context.db.sql, hashSecret(token), person.accountId)
    if (!isGood) throw forbid('see this link: the role of the person has changed meanwhile')
    return { expires_at: expiresAt, mailed, url }
  }
  await takeReset(context.db.sql, hashSecret(token), context.clock.now())
  if (outcome === 'refused') throw new AppError('MAIL_REFUSED')
  throw new AppError('SERVICE_UNAVAILABLE', { why: 'the mail server did not take the mail' })
}

/** Makes the one link of a person, for who runs the machine to see. */
export async function makeShownLink(
  context: Pick<Context, 'db' | 'clock'>,
  wanted: WantedLink,
): Promise<{ url: string; expiresAt: Date }> {
  const { url, token, expiresAt } = await makeLink(context, { ...wanted, isOnlyOne: true })
  await recordResetShown(context.db.sql, hashSecret(token), undefined)
  return { url, expiresAt }
}

interface WantedLink {
  userId: UserId
  publicUrl: string
  /** As in `Actor.label`. */
  actor: string
  /** Links of before work no more. */
  isOnlyOne?: boolean
}

function makeLink(context: Pick<Context, 'db' | 'clock'>, wanted: WantedLink) {
  return context.db.begin((sql) => addLink(context, sql, wanted))
}

async function addLink(
  context: Pick<Context, 'clock'>,
  sql: Sql,
  { userId, publicUrl, actor, isOnlyOne = false }: WantedLink,
) {
  const now = context.clock.now()
  const expiresAt = new Date(now.getTime() + resetLifetimeMs)
  const { token, hash } = makeLinkToken()
  if (isOnlyOne) await dropResets(sql, userId)
  await insertReset(sql, { user_id: userId, token_hash: hash, expires_at: expiresAt, created_at: now })
  await recordUserEvent(sql, userId, { type: 'user.password_link_made', data: {}, actor })
  return { url: resetUrl(publicUrl, token), token, expiresAt }
}

/**
 * Sets a password by a link, which is used up with all others of the person, and ends all sessions of the person: who had
 * the password of before is out. A second factor stays.
 *
 * @throws AppError `RESET_LINK_INVALID`, `VALIDATION_ERROR`
 */
export async function resetPassword(context: Context, token: string, password: string): Promise<void> {
  const tokenHash = hashSecret(token)
  // No one makes the service hash by sending links that are none.
  const holder = await findUserOfReset(context.db.sql, tokenHash, context.clock.now())
  if (holder === undefined) throw new AppError('RESET_LINK_INVALID')
  const passwordHash = await hashPassword(password, await listNamesAround(context.db.sql, holder))
  const now = context.clock.now()
  await context.db.begin(async (sql) => {
    // A membership that is being added is seen by what follows, or waits for it.
    await lockPerson(sql, holder)
    const reset = await takeReset(sql, tokenHash, now)
    if (!reset) throw new AppError('RESET_LINK_INVALID')
    const { user_id: userId, is_shown: isByShownLink } = reset
    await dropResets(sql, userId)
    await setPassword(sql, userId, { passwordHash, isByShownLink }, now)
    await endSessions(context, sql, userId, 'password_reset')
    await recordUserEvent(sql, userId, { type: 'user.password_reset', data: {}, actor: `user:${userId}` })
  })
  const person = await findPerson(context.db.sql, holder)
  if (person) mailLater(context, securityMail(person.email, 'password_reset', now))
}
