import type { Database, Sql } from '../../../db/database.ts'
import { type FieldErrors, validationError } from '../../../kernel/errors.ts'
import { type AccountId, newId, type UserId } from '../../../kernel/ids.ts'
import { workIn } from '../../events/work.ts'
import {
  findUserByEmail,
  insertAccount,
  insertMember,
  insertUserUnlessKnown,
  setFirstPassword,
} from './accounts.queries.ts'
import { findEmailProblem, namesInEmail } from './email.ts'
import { findPasswordProblem, hashPassword } from './password.ts'

export interface NewAccount {
  name: string
  ownerEmail: string
  /** Name of the owner; of a person who is known already it stays as it is. */
  ownerName?: string | undefined
  /** Without one the owner cannot sign in yet. */
  ownerPassword?: string | undefined
  /** IANA name; UTC unless given. */
  timeZone?: string | undefined
  createdBy: string
}

interface CreatedAccount {
  id: AccountId
  name: string
  owner: {
    id: UserId
    /** False when a person with this e-mail address existed and was made the owner. */
    isNew: boolean
    /** `kept`: one was given, but the user has another already, which stays. */
    password: 'set' | 'kept' | 'none'
  }
}

/**
 * Makes an account and its first member, the owner. A person keeps one password over all accounts, so a known e-mail
 * address becomes a member of this account too, and a password that is set is never replaced from here.
 *
 * @throws AppError `VALIDATION_ERROR`, with every wrong field at once.
 */
export async function createAccountWithOwner(
  db: Pick<Database, 'begin'>,
  input: NewAccount,
  now: Date,
): Promise<CreatedAccount> {
  const fields = await findAccountProblems(input)
  if (Object.keys(fields).length > 0) throw validationError(fields)
  // Before the transaction, which nothing slow should hold open.
  const passwordHash = input.ownerPassword === undefined ? null : await hashPassword(input.ownerPassword)
  return await db.begin((sql) => addAccountWithOwner(sql, input, passwordHash, now))
}

/** The same in a transaction, for what was found to be right and whose password is hashed. */
export async function addAccountWithOwner(
  sql: Sql,
  input: Omit<NewAccount, 'ownerPassword'>,
  passwordHash: string | null,
  now: Date,
): Promise<CreatedAccount> {
  const { name, email, timeZone } = tidied(input)
  const id = newId('account', now.getTime())
  await insertAccount(sql, { id, name, time_zone: timeZone })
  const isNew = await insertUserUnlessKnown(sql, {
    id: newId('user', now.getTime()),
    email,
    name: input.ownerName?.trim() ?? '',
    password_hash: passwordHash,
  })
  const user = await findUserByEmail(sql, email)
  if (!user) throw new Error('The owner of a new account was added and is not there.')
  let password: CreatedAccount['owner']['password'] = 'none'
  if (passwordHash !== null) {
    password = isNew || (await setFirstPassword(sql, user.id, passwordHash, now)) ? 'set' : 'kept'
  }
  await insertMember(sql, id, { id: newId('member', now.getTime()), user_id: user.id, role: 'owner' })
  await workIn(sql, { accountId: id, actor: input.createdBy, now }).record({
    type: 'account.created',
    subjectId: id,
    data: { name, time_zone: timeZone, owner_user_id: user.id },
  })
  return { id, name, owner: { id: user.id, isNew, password } }
}

function tidied({ name, ownerEmail, timeZone }: NewAccount) {
  return { name: name.trim(), email: ownerEmail.trim(), timeZone: timeZone ?? 'UTC' }
}

/** Answers what is wrong with a new account and its owner, by `name`, `owner_email`, `owner_password` and `time_zone`. */
export async function findAccountProblems(input: NewAccount): Promise<FieldErrors> {
  const { name, email: ownerEmail, timeZone } = tidied(input)
  const { ownerPassword } = input
  const fields: FieldErrors = {}
  if (name === '' || name.length > 200) fields.name = ['An account needs a name of at most 200 characters.']
  const emailProblem = findEmailProblem(ownerEmail)
  if (emailProblem !== undefined) fields.owner_email = [emailProblem]
  if (!isTimeZone(timeZone)) fields.time_zone = [`"${timeZone}" is not a time zone; write it like Europe/Berlin.`]
  const names = [name, input.ownerName ?? '', ...namesInEmail(ownerEmail)]
  const passwordProblem = ownerPassword === undefined ? undefined : await findPasswordProblem(ownerPassword, names)
  if (passwordProblem !== undefined) fields.owner_password = [passwordProblem]
  return fields
}

/** Names only: "+02:00" would pass in JavaScript, and PostgreSQL reads its sign the other way round. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
