import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Database, type DatabaseOptions, type DatabaseTarget, openDatabase } from '../../db/database.ts'
import { openDriver } from '../../db/driver/open-driver.ts'
import { embeddedConnection } from '../../db/embedded/embedded-connection.ts'
import { accountGuard } from '../app/account-guard.ts'
import { askForTestServer } from './test-server.ts'

export interface TestDatabase extends Database {
  readonly name: string
  readonly target: DatabaseTarget
  /** For DATABASE_URL of a service started as a process of its own. */
  readonly url: string
}

/**
 * A migrated, empty database of its own, for one test file; statements on it must name the account. `close` drops it,
 * anyone who is still connected.
 */
export async function createTestDatabase({
  beforeStatement,
  ...options
}: Omit<DatabaseOptions, 'target' | 'guard'> & {
  /** Sees each statement before it is sent; when it throws, the statement is not. */
  beforeStatement?: () => void
} = {}): Promise<TestDatabase> {
  const { dataDir, accountTables } = await askForTestServer(inject('testServerSocket'))
  const { connection, close: closeSockets } = embeddedConnection(dataDir)
  const name = `test_${randomBytes(6).toString('hex')}`
  const administration = { ...connection, database: 'postgres' }
  await run(administration, `create database ${name} template ${connection.database} strategy file_copy`)
  const target = { ...connection, database: name }
  const guardAccounts = accountGuard(accountTables)
  const guard = (text: string) => {
    guardAccounts(text)
    beforeStatement?.()
  }
  const database = openDatabase({ ...options, target, guard })
  return {
    ...database,
    name,
    target,
    url: `postgresql://${connection.user}@localhost/${name}?host=${encodeURIComponent(join(dataDir, 'run'))}`,
    async close() {
      await database.close()
      await run(administration, `drop database ${name} with (force)`)
      closeSockets()
    },
  }
}

async function run(target: DatabaseTarget, statement: string): Promise<void> {
  const sql = openDriver(target, 'printyard test')
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
