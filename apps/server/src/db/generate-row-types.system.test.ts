import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { printRowTypes, rowTypesFile } from './generate-row-types.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('the checked-in row types match the migrations', async () => {
  expect(readFileSync(rowTypesFile, 'utf8'), 'run: node apps/server/src/db/generate-row-types.ts').toBe(
    await printRowTypes(database.sql),
  )
})

test('a check on allowed texts becomes a union, as does an enum', async () => {
  await database.sql.unsafe(`
    create type paint as enum ('red', 'blue');
    create table things (
      state text not null check (state in ('new', 'it''s done')),
      only_one text check (only_one in ('single')),
      short varchar(10) not null check (short in ('a', 'b')),
      size text not null check (length(size) < 5),
      paint paint,
      amounts bigint[] not null
    )`)
  expect(await printRowTypes(database.sql)).toContain(`export type ThingRow = {
  state: 'new' | 'it\\'s done'
  only_one: 'single' | null
  short: 'a' | 'b'
  size: string
  paint: 'red' | 'blue' | null
  amounts: number[]
}`)
})
