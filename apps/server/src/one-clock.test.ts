import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = import.meta.dirname

const isTest = (file: string) => /(^|\/)test\/|\.test\.ts$|^(abuse|contract|db\/test-processes)\//.test(file)

/** The clock of the database in a statement; `clock.now()` and `Date.now()` are another thing, and so is a function `now`. */
const databaseClock = /(?<![.\w])now\(\)(?![:.])|\b(current|clock|statement|transaction)_timestamp\b/

/** Who may ask the database for the time, and why. All others are given one: tests and a moved clock then hold for them too. */
const askers: Record<string, string> = {
  'db/database-clock.ts': 'it is the clock that all others are given',
  'db/migrate.ts': 'it makes the table of migrations before there is a clock',
  'modules/account-data/export/account-snapshot.ts': 'when the snapshot that it reads was taken',
  'modules/backups/archive/export-database.ts': 'when the snapshot that it reads was taken',
  'modules/backups/upgrade/roll-back.ts': 'the table of migrations as it was',
  'modules/support/support.queries.ts': 'how long the database has been at work, by its own clock',
}

/** The start of a statement that writes rows. */
const write = /\binsert into\b|\bmerge into\b|\bupdate\s+\w+(\s+(as\s+)?\w+)?\s+set\b/i

/** The texts between backticks in which the database is asked for the time and rows are written. */
function writesByDatabaseClock(text: string): string[] {
  return text.split('`').filter((part) => databaseClock.test(part) && write.test(part))
}

describe('the clock', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isTest(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

  test('no statement asks the database for the time, but for a few that have a reason', () => {
    expect(files.length).toBeGreaterThan(200)
    const asking = files.filter(({ text }) => databaseClock.test(text)).map(({ file }) => file)
    expect(asking.sort()).toEqual(Object.keys(askers))
  })

  test('and none of those writes it to a row', () => {
    expect(files.flatMap(({ text }) => writesByDatabaseClock(text))).toEqual([])
  })

  test('the clock of the database would be found, and no other one', () => {
    expect('sql`update jobs set updated_at = now()`').toMatch(databaseClock)
    expect('sql`update jobs set updated_at = current_timestamp`').toMatch(databaseClock)
    expect('const now = context.clock.now()').not.toMatch(databaseClock)
    expect('now(): Date').not.toMatch(databaseClock)
  })

  test('a write by the clock of the database would be found', () => {
    const writes = [
      'update colors set updated_at = now() where id = 1',
      'update jobs j set updated_at = clock_timestamp()',
      'insert into colors (id, created_at) values (1, now())',
      'insert into colors (id) values (1) on conflict (id) do update set updated_at = now()',
    ]
    for (const statement of writes) expect(writesByDatabaseClock(`sql\`${statement}\``)).toEqual([statement])
    expect(writesByDatabaseClock('sql`select now()`; sql`update colors set updated_at = $1`')).toEqual([])
  })
})
