import type { Scope } from '@printyard/server/kernel/actor'
import { workIn } from '@printyard/server/modules/events/work'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { getAccountId } from '../known-account.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export interface CreateKeyOptions extends DataDirOption {
  account: string
  name: string
  scopes: Scope[]
  /** Milliseconds. */
  expiresIn?: number
}

export async function createKey(options: CreateKeyOptions): Promise<Answer> {
  const name = options.name.trim()
  if (name === '' || name.length > 200) throw new CommandError('A key needs a name of at most 200 characters.', 2)
  const now = new Date()
  const expiresAt = options.expiresIn === undefined ? null : new Date(now.getTime() + options.expiresIn)
  const key = await withDatabase(options, 'keys create', (db) =>
    db.begin(async (sql) => {
      const accountId = await getAccountId(sql, options.account)
      return createApiKey(workIn(sql, { accountId, actor: 'cli', now }), { name, scopes: options.scopes, expiresAt })
    }),
  )
  const until = expiresAt === null ? 'It does not expire.' : `It expires at ${expiresAt.toISOString()}.`
  return {
    document: key,
    text: `Made the API key "${key.name}" (${key.id}) with ${key.scopes.join(', ')}. ${until}\nIt is shown only now; keep it safe:\n\n${key.key}`,
  }
}
