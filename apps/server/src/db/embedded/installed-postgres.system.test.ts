import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/run/temporary-directory.ts'
import { connectDatabase } from '../connect-database.ts'
import { silentLog } from '../setup/database-log.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'

/** Debian's, of a major that is not the bundled one. */
const folder = '/usr/lib/postgresql'
const major = existsSync(folder)
  ? readdirSync(folder)
      .map(Number)
      .find((found) => found >= 15 && found < 18)
  : undefined
const binDir = `${folder}/${major}/bin`

function otherPrograms(version: string): string {
  const programs = join(temporaryDirectory(0o755), 'bin')
  mkdirSync(programs)
  for (const name of ['initdb', 'postgres']) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${version}"\n`)
    chmodSync(join(programs, name), 0o755)
  }
  return programs
}

test('a folder without PostgreSQL, or with one that is too old, is refused by the name of the setting', () => {
  expect(() => findPostgresBinaries('/usr/bin/nowhere')).toThrow(
    /nowhere \(PRINTYARD_POSTGRES_BIN_DIR\) has no programs/,
  )
  expect(() => findPostgresBinaries(otherPrograms('postgres (PostgreSQL) 14.9'))).toThrow(
    /14\.9; Printyard needs PostgreSQL 15/,
  )
  expect(() => findPostgresBinaries(otherPrograms('something else'))).toThrow('something else')
  expect(findPostgresBinaries(otherPrograms('postgres (PostgreSQL) 19beta1')).major).toBe(19)
})

test('a machine without a bundled PostgreSQL starts with one of its own', () => {
  const riscv = { os: 'linux', architecture: 'riscv64', hasGlibc: true }
  expect(() => findPostgresBinaries(undefined, riscv)).toThrow(/DATABASE_URL.*PRINTYARD_POSTGRES_BIN_DIR/)
  expect(findPostgresBinaries(otherPrograms('postgres (PostgreSQL) 17.2'), riscv).major).toBe(17)
})

test.runIf(major !== undefined)(
  'the PostgreSQL of Debian holds the tables, and the bundled one refuses its data',
  { timeout: 120_000 },
  async () => {
    const dataDir = join(temporaryDirectory(), 'data')
    const connect = (binDirOf: string | undefined) =>
      connectDatabase({ dataDir, purpose: 'service', postgres: { binDir: binDirOf } }, silentLog)
    for (const time of ['first', 'second']) {
      const connected = await connect(binDir)
      try {
        const { sql } = connected.database
        const [found] = await sql<{ version: string; ordered: string; lowered: string }[]>`
        select current_setting('server_version') as version, lower('ÄÖŠ') as lowered,
               (select string_agg(letter, '' order by letter) from unnest(array['b', 'B', 'a', 'ä']) as letter) as ordered`
        expect([time, found?.version.startsWith(`${major}.`)]).toEqual([time, true])
        // As the bundled one orders and spells.
        expect([found?.ordered, found?.lowered]).toEqual(['Babä', 'äöš'])
        const [tables] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_catalog.pg_tables where schemaname = 'public'`
        expect(tables?.count).toBeGreaterThan(50)
      } finally {
        await connected.close()
      }
    }
    expect(JSON.parse(readFileSync(join(dataDir, 'VERSION.json'), 'utf8'))).toMatchObject({ postgres_major: major })
    await expect(connect(undefined)).rejects.toThrow(`written by PostgreSQL ${major}`)
  },
)
