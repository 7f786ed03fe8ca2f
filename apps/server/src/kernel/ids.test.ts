import { expect, expectTypeOf, test } from 'vitest'
import { type JobId, newId, type PrinterId } from './ids.ts'

test('IDs are prefix, underscore and 26 characters of base32', () => {
  expect(newId('job')).toMatch(/^job_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('IDs sort in the order in which they were made, also within one millisecond', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => newId('event', 1_800_000_000_000 + Math.floor(index / 1000)))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a clock that steps back does not disturb the order', () => {
  const before = newId('job', 1_900_000_000_000)
  const after = newId('job', 1_899_999_000_000)
  expect(after > before).toBe(true)
})

test('an ID of one kind is not taken for one of another, nor a plain text for an ID', () => {
  expectTypeOf(newId('job')).toEqualTypeOf<JobId>()
  expectTypeOf<JobId>().toExtend<string>()
  expectTypeOf<JobId>().not.toExtend<PrinterId>()
  expectTypeOf<string>().not.toExtend<JobId>()
})
