import { listAccounts as findAccounts } from '@printyard/server/modules/people/accounts/accounts.queries'
import { type Answer, formatTable } from '../answer.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export async function listAccounts(options: DataDirOption): Promise<Answer> {
  const accounts = await withDatabase(options, 'accounts list', (db) => findAccounts(db.sql))
  const rows = accounts.map(({ id, name, time_zone, created_at }) => [id, name, time_zone, created_at.toISOString()])
  return {
    document: accounts,
    text:
      accounts.length === 0
        ? 'There is no account yet; make one with `printyard accounts create`.'
        : formatTable(['ID', 'NAME', 'TIME ZONE', 'CREATED'], rows),
  }
}
