import { workIn } from '@printyard/server/modules/events/work'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { getAccountId } from '../known-account.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export interface CreateHubOptions extends DataDirOption {
  account: string
  name: string
}

export async function createHub(options: CreateHubOptions): Promise<Answer> {
  const name = options.name.trim()
  if (name === '' || name.length > 200) throw new CommandError('A hub needs a name of at most 200 characters.', 2)
  const hub = await withDatabase(options, 'hubs create', (db) =>
    db.begin(async (sql) => {
      const accountId = await getAccountId(sql, options.account)
      return await createHubWithToken(workIn(sql, { accountId, actor: 'cli', now: new Date() }), name)
    }),
  )
  return {
    document: hub,
    text: `Made the hub "${name}" (${hub.id}). Its token is shown only now; give it to the hub:\n\n${hub.token}`,
  }
}
