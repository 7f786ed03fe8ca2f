import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { migrationsDirectory } from '../../db/migrate.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A database without tables, for the tests of this file; it is the same object for all of them. */
export function emptyDatabase(): TestDatabase {
  const database = {} as TestDatabase
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase())
    await database.sql`drop schema public cascade`
    await database.sql`create schema public`
  })
  afterAll(() => database.close())
  return database
}

/** A directory with the migrations before the one of this name. */
export function migrationsBefore(name: string): string {
  const directory = temporaryDirectory()
  const files = readdirSync(migrationsDirectory).sort()
  const end = files.findIndex((file) => file.endsWith(`-${name}.sql`))
  expect(end).toBeGreaterThan(0)
  for (const file of files.slice(0, end)) copyFileSync(join(migrationsDirectory, file), join(directory, file))
  return directory
}
