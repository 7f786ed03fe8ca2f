import { createAccountWithOwner } from '@printyard/server/modules/people/accounts/accounts.service'
import { type Answer, note } from '../answer.ts'
import { readSecretFromInput } from '../standard-input.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export interface CreateAccountOptions extends DataDirOption {
  name: string
  ownerEmail: string
  ownerPasswordStdin?: boolean
  timeZone?: string
}

export async function createAccount(options: CreateAccountOptions): Promise<Answer> {
  const ownerPassword = options.ownerPasswordStdin ? await readSecretFromInput() : undefined
  const { name, ownerEmail, timeZone } = options
  const account = await withDatabase(options, 'accounts create', (db) =>
    createAccountWithOwner(db, { name, ownerEmail, ownerPassword, timeZone, createdBy: 'cli' }, new Date()),
  )
  if (account.owner.password === 'kept') {
    note('The owner is known here and has a password already; that one stays, the one given was not used.')
  }
  return {
    document: { id: account.id, name: account.name },
    text: `Made the account "${account.name}": ${account.id}`,
  }
}
