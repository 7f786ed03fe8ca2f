import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { findPending, migrationsDirectory, readMigrations } from './migrate.ts'

function buildDirectory(files: Record<string, string>): string {
  const directory = join(temporaryDirectory(), 'migrations')
  mkdirSync(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

test('the migrations of this version are well formed', () => {
  expect(readMigrations(migrationsDirectory).length).toBeGreaterThan(0)
})

test.each([
  [{ '0001-a.sql': '', '0003-c.sql': '' }, 'expected 0002-….sql, found 0003-c.sql'],
  [{ '0001-a.sql': '', '0001-b.sql': '' }, 'found 0001-b.sql'],
  [{ '1-a.sql': '' }, 'found 1-a.sql'],
])('files that are not numbered 1, 2, 3 are refused by name', (files, words) => {
  expect(() => readMigrations(buildDirectory(files))).toThrow(words)
})

test.each(['commit;', 'create table a();\nROLLBACK ;', ' begin;'])(
  'a file that ends its transaction itself (%s) is refused',
  (text) => {
    expect(() => readMigrations(buildDirectory({ '0001-a.sql': text }))).toThrow(
      '0001-a.sql must not begin or end a transaction',
    )
  },
)

test('a function body may have begin and end', () => {
  const text = 'create function f() returns void language plpgsql as $$\nbegin\n  perform 1;\nend;\n$$;'
  expect(readMigrations(buildDirectory({ '0001-a.sql': text }))).toHaveLength(1)
})

test('line ends of another system do not count as a change', () => {
  const [unix] = readMigrations(buildDirectory({ '0001-a.sql': 'select 1;\nselect 2;\n' }))
  const [other] = readMigrations(buildDirectory({ '0001-a.sql': 'select 1;\r\nselect 2;\r\n' }))
  expect(other?.checksum).toBe(unix?.checksum)
})

test('an applied file that was changed is named', () => {
  const migrations = readMigrations(buildDirectory({ '0001-a.sql': 'select 1;' }))
  expect(() => findPending(migrations, [{ number: 1, file: '0001-a.sql', checksum: 'other' }])).toThrow(
    '0001-a.sql was changed',
  )
})

test('a database newer than the code is refused', () => {
  expect(() => findPending([], [{ number: 1, file: '0001-future.sql', checksum: '' }])).toThrow('0001-future.sql')
})
