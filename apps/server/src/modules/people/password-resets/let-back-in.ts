import type { Database } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findPersonByEmail, type KnownPerson } from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { deletePasskeysOf } from '../passkeys/passkeys.queries.ts'
import { deleteFactor } from '../second-factor/second-factors.queries.ts'
import { endSessions } from '../sign-in/sessions.service.ts'
import { makeShownLink } from './password-resets.service.ts'

/** Who does it, as events say it. */
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

async function getMemberByEmail(db: Database, email: string): Promise<KnownPerson> {
  const person = await findPersonByEmail(db.sql, email.trim())
  if (!person || person.accounts === 0) throw notFound('member with this e-mail address')
  return person
}
