import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { notifyWhenCommitted } from './commit-notices.ts'

let db: TestDatabase
const heard: string[] = []
beforeAll(async () => {
  db = await createTestDatabase()
  db.onChange(({ what }) => heard.push(what))
})
afterAll(() => db.close())

const tell = (sql: Parameters<typeof notifyWhenCommitted>[0], what: string) =>
  notifyWhenCommitted(sql, { accountId: 'acc_1' as AccountId, what })

test('a change is told after the commit, with those of its savepoints, and never when it is rolled back', async () => {
  await db.begin(async (sql) => {
    tell(sql, 'first')
    await sql.savepoint(async (inner) => tell(inner, 'second'))
    const undone = sql.savepoint(async (inner) => {
      tell(inner, 'undone')
      await inner`select 1 / 0`
    })
    await expect(undone).rejects.toThrow(/division by zero/)
    await sql`select 1`
    expect(heard).toEqual([])
  })
  expect(heard).toEqual(['first', 'second'])
  const failing = db.begin(async (sql) => {
    tell(sql, 'never')
    await sql`select 1 / 0`
  })
  await expect(failing).rejects.toThrow(/division by zero/)
  expect(heard).toEqual(['first', 'second'])
})

test('outside of a transaction a change is told at once', () => {
  tell(db.sql, 'alone')
  expect(heard.at(-1)).toBe('alone')
})
