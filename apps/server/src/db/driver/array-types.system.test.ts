import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/run/test-database.ts'
import { arrayTypeOf } from './array-types.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('the array types are those of the server', async () => {
  const types = await database.sql<{ oid: number; typarray: number }[]>`
    select oid, typarray from pg_catalog.pg_type where oid = any(${Object.keys(arrayTypeOf).map(Number)})`
  expect(Object.fromEntries(types.map(({ oid, typarray }) => [oid, typarray]))).toEqual(arrayTypeOf)
})

test('every array column of the schema has a type that is known', async () => {
  const columns = await database.sql<{ name: string; typarray: number }[]>`
    select a.attrelid::regclass || '.' || a.attname as name, t.oid as typarray
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_type t on t.oid = a.atttypid and t.typcategory = 'A'
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'v')
    where c.relnamespace = 'public'::regnamespace`
  const known = new Set(Object.values(arrayTypeOf))
  expect(columns.length).toBeGreaterThan(0)
  expect(columns.filter(({ typarray }) => !known.has(typarray))).toEqual([])
})

test('arrays come back as they were sent, nulls included', async () => {
  const texts = ['plain', 'NULL', '', 'a,b', 'c"d\\e', '{f}', 'line\nbreak']
  const [row] = await database.sql`
    select ${texts}::text[] as texts, ${[1, 2]}::int4[] as numbers, ${[9007199254740991]}::int8[] as large,
      array[true, false] as flags, ${['2026-02-03']}::date[] as days, array['1970-01-01Z'::timestamptz] as times,
      ${[]}::text[] as nothing, array[1, null, 3] as gaps, array[['a'], ['b']] as nested`
  expect(row).toEqual({
    texts,
    numbers: [1, 2],
    large: [9007199254740991],
    flags: [true, false],
    days: ['2026-02-03'],
    times: [new Date(0)],
    nothing: [],
    gaps: [1, null, 3],
    nested: [['a'], ['b']],
  })
})
