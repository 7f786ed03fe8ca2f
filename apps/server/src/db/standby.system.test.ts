import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../test/run/test-database.ts'
import { openDatabase } from './database.ts'
import { isConnectionError } from './database-errors.ts'

test('a connection that turns out to lead to a standby is left: the next statement goes to wherever the address leads by then', async () => {
  const db = await createTestDatabase()
  onTestFinished(() => db.close())
  // To sessions that begin from here on, the server is one that only reads.
  await db.sql.unsafe(`alter database ${db.name} set default_transaction_read_only = on`)
  const service = openDatabase({ target: db.target, statementConnections: 1, transactionConnections: 1 })
  onTestFinished(() => service.close())
  const write = () => service.sql`update backup_schedule set hour = hour`
  const failure = await write().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(isConnectionError(failure), String(failure)).toBe(true)
  await db.sql.unsafe(`alter database ${db.name} reset default_transaction_read_only`)
  expect((await write()).count).toBe(1)
})
