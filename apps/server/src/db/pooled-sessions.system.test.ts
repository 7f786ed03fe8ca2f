import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { openDatabase } from './database.ts'
import { refusePooledSessions, shareSessions } from './pooled-sessions.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
}, 60_000)
afterAll(() => db?.close())

test('connections of PostgreSQL itself share no session', async () => {
  await expect(refusePooledSessions({ url: db.url })).resolves.toBeUndefined()
})

test('two that are given the same session, as by a pooler in transaction mode, are seen', async () => {
  const one = openDatabase({ target: { url: db.url }, statementConnections: 1 })
  try {
    expect(await shareSessions(one, one)).toBe(true)
  } finally {
    await one.close()
  }
})
