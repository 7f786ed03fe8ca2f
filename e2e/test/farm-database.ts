import { openDatabase } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { migrate } from '@printyard/server/db/migrate'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { scopes } from '@printyard/server/kernel/actor'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { insertAccount } from '@printyard/server/modules/people/accounts/accounts.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { createTestDatabase, type TestDatabase } from '@printyard/server/test/run/test-database'

/** A clone of the migrated database, with one account and one key that may do everything. */
export interface FarmDatabase {
  db: TestDatabase
  accountId: AccountId
  key: string
  createHub(name: string): Promise<{ id: string; token: string }>
}

/** Opens it on the server that all tests of a run share; `db.close` drops it. */
export async function openFarmDatabase(options: Parameters<typeof createTestDatabase>[0] = {}): Promise<FarmDatabase> {
  return addAccount(await createTestDatabase(options))
}

/** Opens the empty database at an address, and migrates it; `db.close` leaves it there. */
export async function openFarmDatabaseAt(url: string): Promise<FarmDatabase> {
  const target = { url }
  await migrate({ target, log: silentLog })
  return addAccount({ ...openDatabase({ target }), target, url, name: new URL(url).pathname.slice(1) })
}

async function addAccount(db: TestDatabase): Promise<FarmDatabase> {
  const accountId = newId('account')
  await insertAccount(db.sql, { id: accountId, name: 'Farm', time_zone: 'UTC' })
  const { key } = await createApiKey(systemWork(db.sql, accountId), { name: 'test', scopes, expiresAt: null })
  return { db, accountId, key, createHub: (name) => createHubWithToken(systemWork(db.sql, accountId), name) }
}

/** Makes a hub beside a service that runs its own PostgreSQL, as `printyard hubs create` does. */
export async function createHubBeside(
  dataDir: string,
  accountId: AccountId,
  name: string,
): Promise<{ id: string; token: string }> {
  const { connection, close } = embeddedConnection(dataDir)
  const db = openDatabase({ target: connection })
  try {
    return await createHubWithToken(systemWork(db.sql, accountId), name)
  } finally {
    await db.close()
    close()
  }
}
