import fc from 'fast-check'
import Type from 'typebox'
import { expect, test } from 'vitest'
import type { AppError } from '../../kernel/errors.ts'
import { pageQuery, request } from '../schema.ts'
import { isTimestamp } from './timestamps.ts'
import { makeValidatorCompiler } from './validation.ts'

const compile = makeValidatorCompiler()
const query = compile({ schema: request(pageQuery), httpPart: 'querystring' })
const body = compile({
  schema: request({
    n: Type.Integer(),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2 })),
  }),
  httpPart: 'body',
})
const details = (result: { error?: unknown }) => (result.error as AppError | undefined)?.details

test('the size of a page has a default, and page values are read from plain decimal texts', () => {
  expect(query({})).toEqual({ value: { limit: 50 } })
  expect(query({ limit: '100', offset: '7' })).toEqual({ value: { limit: 100, offset: 7 } })
})

test.each(['abc', '', '0', '101', '1e1', '0x10', ' 5', '5 ', '+5', '5.0', '05', 'Infinity', '1e999', '-1', '٥'])(
  'limit=%j is an error, never clamped or read as something else',
  (limit) => {
    expect(details(query({ limit }))).toHaveProperty('limit')
  },
)

test('an empty cursor and one that is longer than any of ours are errors', () => {
  expect(details(query({ cursor: '' }))).toEqual({ cursor: ['must not be empty'] })
  expect(details(query({ cursor: 'x'.repeat(1501) }))).toEqual({ cursor: ['must have at most 1500 characters'] })
})

test('a repeated query key is an error', () => {
  expect(details(query({ limit: ['1', '2'] }))).toEqual({ limit: ['must be a whole number'] })
})

test('nothing in a body is coerced', () => {
  for (const n of ['5', 1.5, null, true, [5], {}]) expect(details(body({ n }))).toHaveProperty('n')
  expect(details(body({}))).toEqual({ n: ['is required'] })
  expect(details(body([]))).toEqual({ _root: ['must be an object'] })
})

test('unknown fields are dropped', () => {
  expect(body({ n: 1, extra: 2, __proto__: { x: 1 } })).toEqual({ value: { n: 1 } })
})

test('fields inside lists are named by a dotted path, and lengths count characters', () => {
  expect(details(body({ n: 1, tags: ['ok', 'toolong'] }))).toEqual({ 'tags.1': ['must have at most 3 characters'] })
  expect(body({ n: 1, tags: ['😀😀😀'] })).toEqual({ value: { n: 1, tags: ['😀😀😀'] } })
  expect(details(body({ n: 1, tags: ['a', 'b', 'c'] }))).toEqual({ tags: ['must have at most 2 items'] })
})

test('any JSON value is either accepted or refused with details, and never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const result = body(structuredClone(value))
      expect('value' in result || typeof details(result) === 'object').toBe(true)
    }),
  )
})

test('timestamps take any offset and dates without a time, and name real moments', () => {
  for (const good of [
    '2026-11-20',
    '2026-11-20T09:30:00Z',
    '2026-11-20T09:30:00.123+02:00',
    '2024-02-29',
    // Python's isoformat() of a naive moment, Java's LocalDateTime and SimpleDateFormat.
    '2026-11-20T09:30:00.123456',
    '2026-11-20T09:30',
    '2026-11-20T09:30:00+0200',
  ]) {
    expect(isTimestamp(good), good).toBe(true)
  }
  for (const bad of [
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-02-29',
    '2026-13-01',
    'yesterday',
    '2026-11-20 09:30',
    '1700000000',
    '2026-11-20T25:00:00Z',
    '',
  ]) {
    expect(isTimestamp(bad), bad).toBe(false)
  }
})

test('a list that is too long is refused before its items are looked at, wherever it stands', () => {
  const nested = compile({
    schema: request({ rows: Type.Array(request({ n: Type.Integer() }), { maxItems: 500 }) }),
    httpPart: 'body',
  })
  const startedAt = process.threadCpuUsage()
  expect(details(nested({ rows: Array.from({ length: 260_000 }, () => ({})) }))).toEqual({
    rows: ['must have at most 500 items'],
  })
  // Of the processor: others may use it meanwhile.
  const { user, system } = process.threadCpuUsage(startedAt)
  expect((user + system) / 1000).toBeLessThan(100)
})

test('a refusal names fifty fields and says how many more problems there are', () => {
  const list = compile({
    schema: request({ rows: Type.Array(Type.Integer(), { maxItems: 500 }) }),
    httpPart: 'body',
  })
  const found = details(list({ rows: Array.from({ length: 400 }, () => 'x') })) as Record<string, string[]>
  expect(Object.keys(found)).toHaveLength(51)
  expect(found._root).toEqual(['and 350 more problems'])
})

test('a timestamp without an offset is one of UTC, wherever it stands', () => {
  const at = Type.String({ format: 'date-time' })
  const times = compile({
    schema: request({
      at,
      either: Type.Optional(Type.Union([at, Type.Null()])),
      many: Type.Optional(Type.Array(at, { maxItems: 3 })),
    }),
    httpPart: 'body',
  })
  const bare = '2026-11-20T09:30:00'
  expect(times({ at: bare, either: bare, many: [bare, '2026-11-20', '2026-11-20T09:30:00+02:00'] })).toEqual({
    value: { at: `${bare}Z`, either: `${bare}Z`, many: [`${bare}Z`, '2026-11-20', '2026-11-20T09:30:00+02:00'] },
  })
})
