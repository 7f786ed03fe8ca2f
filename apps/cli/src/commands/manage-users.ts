import { readId } from '@printyard/server/kernel/ids'
import {
  endSessionsOfPerson,
  listPeople,
  makeOwner,
  setPasswordOf,
} from '@printyard/server/modules/people/password-resets/account-recovery'
import { type Answer, count, formatTable } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type ConfirmedOptions, confirm } from '../remote/confirmation.ts'
import { readSecretFromInput } from '../standard-input.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export async function listUsers(options: DataDirOption): Promise<Answer> {
  const people = await withDatabase(options, 'users list', (db) => listPeople(db, new Date()))
  const rows = people.map((person) => [
    person.email,
    person.role,
    person.account_id,
    person.has_password ? 'yes' : 'no',
    person.has_second_factor ? 'yes' : 'no',
    String(person.sessions),
    person.last_seen_at?.toISOString() ?? 'never',
  ])
  const headings = ['E-MAIL', 'ROLE', 'ACCOUNT', 'PASSWORD', 'SECOND FACTOR', 'SESSIONS', 'LAST SEEN']
  return { document: people, text: people.length === 0 ? 'There is no user yet.' : formatTable(headings, rows) }
}

export interface SetPasswordOptions extends DataDirOption {
  passwordStdin?: boolean
}

export async function setUserPassword(email: string, options: SetPasswordOptions): Promise<Answer> {
  if (options.passwordStdin !== true) {
    throw new CommandError(
      'Give the password on standard input, with --password-stdin; or make a link by `users reset-link`.',
      2,
    )
  }
  const password = await readSecretFromInput()
  const set = await withDatabase(options, 'users set-password', (db) => setPasswordOf(db, email, password, new Date()))
  return {
    document: set,
    text:
      `${set.email} signs in by the new password from now on, in all accounts; ${ended(set.ended_sessions)}. A second factor stays.\n` +
      'You know this password now: have the person choose another in Settings, Security.',
  }
}

export interface MakeOwnerOptions extends DataDirOption, ConfirmedOptions {
  account: string
}

export async function makeUserOwner(email: string, options: MakeOwnerOptions): Promise<Answer> {
  const accountId = readId('account', options.account)
  if (accountId === undefined) throw new CommandError('Give the ID of the account; `accounts list` shows it.', 2)
  await confirm(
    `An owner sees and changes everything in the account, its members and keys included. Make ${email} one?`,
    options,
  )
  const made = await withDatabase(options, 'users make-owner', (db) => makeOwner(db, accountId, email, new Date()))
  return {
    document: made,
    text: `${made.email} is an owner of ${made.account_id} now, before: ${made.former_role}; ${ended(made.ended_sessions)}. Other owners stay owners.`,
  }
}

export async function endUserSessions(email: string, options: DataDirOption): Promise<Answer> {
  const done = await withDatabase(options, 'users end-sessions', (db) => endSessionsOfPerson(db, email, new Date()))
  return {
    document: done,
    text: `${done.email}: ${ended(done.ended_sessions)}. Anyone who knows the password can sign in again; API keys go on.`,
  }
}

const ended = (sessions: number) => (sessions === 0 ? 'no session was open' : `${count(sessions, 'session')} ended`)
