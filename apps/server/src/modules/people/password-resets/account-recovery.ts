import type { Database } from '../../../db/database.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { workIn } from '../../events/work.ts'
import { type ListedPerson, listEverybody } from '../accounts/everybody.queries.ts'
import { hashPassword } from '../accounts/password.ts'
import { dropResets } from '../accounts/password-resets.queries.ts'
import {
  findMemberByEmail,
  findPersonByEmail,
  type KnownPerson,
  listNamesAround,
  lockMembership,
  lockPerson,
  setPassword,
  setRole,
} from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { deletePasskeysOf } from '../passkeys/passkeys.queries.ts'
import { deleteFactor } from '../second-factor/second-factors.queries.ts'
import { endSessionsIn } from '../sign-in/sessions.queries.ts'
import { endSessions, seenAfter } from '../sign-in/sessions.service.ts'
import { makeShownLink } from './password-resets.service.ts'

/** Actor, as events say it. */
const actor = 'cli'

/**
 * Makes a link by which a person sets a new password, for the one who runs the machine: the way back for an only owner, for
 * whom no one in the account can make one. Links of before work no more.
 *
 * @throws AppError `NOT_FOUND` when no member of any account has this address
 */
export async function makeLinkForPerson(
  db: Database,
  email: string,
  publicUrl: string,
  now: Date,
): Promise<{ email: string; url: string; expires_at: Date }> {
  const person = await getMemberByEmail(db, email)
  const clock = { now: () => now }
  const { url, expiresAt } = await makeShownLink({ db, clock }, { userId: person.id, publicUrl, actor })
  return { email: person.email, url, expires_at: expiresAt }
}

/**
 * Takes the authenticator app, the backup codes and the passkeys away from a person who has lost them, and ends their
 * sessions: from now on the password alone lets them in.
 *
 * @throws AppError `NOT_FOUND` when no member of any account has this address, or this one has no second factor
 */
export async function removeSecondFactorOf(
  db: Database,
  email: string,
  now: Date,
): Promise<{ email: string; ended_sessions: number }> {
  const person = await getMemberByEmail(db, email)
  return db.begin(async (sql) => {
    const hadApp = await deleteFactor(sql, person.id)
    const passkeys = await deletePasskeysOf(sql, person.id)
    if (!hadApp && passkeys === 0) throw notFound('second factor of this person')
    const ended = await endSessions({ clock: { now: () => now } }, sql, person.id, 'second_factor_removed', { actor })
    await recordUserEvent(sql, person.id, { type: 'user.totp_disabled', data: {}, actor })
    return { email: person.email, ended_sessions: ended }
  })
}

/** Everybody who can sign in to an account, with what is needed to find who can help whom. */
export async function listPeople(db: Database, now: Date): Promise<ListedPerson[]> {
  return await listEverybody(db.sql, { now, seenAfter: seenAfter(now) })
}

/**
 * Sets the password of a person, and ends their sessions and links to new passwords. A second factor stays.
 *
 * @throws AppError `NOT_FOUND` when no member of any account has this address, `VALIDATION_ERROR` for a password that cannot be taken
 */
export async function setPasswordOf(
  db: Database,
  email: string,
  password: string,
  now: Date,
): Promise<{ email: string; ended_sessions: number }> {
  const person = await getMemberByEmail(db, email)
  const passwordHash = await hashPassword(password, await listNamesAround(db.sql, person.id))
  return db.begin(async (sql) => {
    await lockPerson(sql, person.id)
    await dropResets(sql, person.id)
    // Who runs the machine has seen it, as with a link that is shown.
    await setPassword(sql, person.id, { passwordHash, isByShownLink: true }, now)
    const ended = await endSessions({ clock: { now: () => now } }, sql, person.id, 'password_changed', { actor })
    await recordUserEvent(sql, person.id, { type: 'user.password_changed', data: { ended_sessions: ended }, actor })
    return { email: person.email, ended_sessions: ended }
  })
}

/** Ends all sessions of a person. @throws AppError `NOT_FOUND` when no member of any account has this address */
export async function endSessionsOfPerson(
  db: Database,
  email: string,
  now: Date,
): Promise<{ email: string; ended_sessions: number }> {
  const person = await getMemberByEmail(db, email)
  const clock = { now: () => now }
  const ended = await db.begin((sql) => endSessions({ clock }, sql, person.id, 'signed_out_everywhere', { actor }))
  return { email: person.email, ended_sessions: ended }
}

/**
 * Makes a member an owner, beside those there are. Their sessions in the account end, as with every change of a role.
 *
 * @throws AppError `NOT_FOUND` when the account has no member with this address, `ALREADY_EXISTS` for one who is an owner
 */
export async function makeOwner(
  db: Database,
  accountId: AccountId,
  email: string,
  now: Date,
): Promise<{ email: string; account_id: AccountId; former_role: Role; ended_sessions: number }> {
  const person = await getMemberByEmail(db, email)
  return db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor, now })
    await lockMembership(sql, accountId)
    const member = await findMemberByEmail(sql, accountId, person.email)
    if (!member) throw notFound('member of this account with this e-mail address')
    if (member.role === 'owner') {
      throw new AppError('ALREADY_EXISTS', {}, { message: `${person.email} is an owner of this account already.` })
    }
    await setRole(work, member, 'owner')
    const ended = await endSessionsIn(work, member.user_id)
    const data = { user_id: member.user_id, why: 'role_changed' }
    await work.recordAll(ended.map(({ id }) => ({ type: 'session.ended', subjectId: id, data })))
    await work.record({
      type: 'member.role_changed',
      subjectId: member.id,
      data: { user_id: member.user_id, from: member.role, to: 'owner' },
    })
    return { email: person.email, account_id: accountId, former_role: member.role, ended_sessions: ended.length }
  })
}

async function getMemberByEmail(db: Database, email: string): Promise<KnownPerson> {
  const person = await findPersonByEmail(db.sql, email.trim())
  if (!person || person.accounts === 0) throw notFound('member with this e-mail address')
  return person
}
