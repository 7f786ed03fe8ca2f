import { createHash } from 'node:crypto'
import { expect, expectTypeOf, test } from 'vitest'
import { derivedId, firstIdOf, type JobId, newId, type PrinterId, timeOfId } from './ids.ts'

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

test('many IDs of one millisecond sort, also where the last characters of their random bits are used up', () => {
  const ms = 1_910_000_000_000
  let before = newId('event', ms)
  // More than the last part of the random bits can count.
  for (let count = 0; count < 2_200_000; count += 1) {
    const id = newId('event', ms)
    if (id <= before) throw new Error(`${id} does not sort after ${before}`)
    before = id
  }
  expect(timeOfId(before)).toBe(ms)
})

/** What 130 bits are in base32, by the textbook. */
function spell(bits: bigint): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  return Array.from({ length: 26 }, (_, place) => digits[Number((bits >> BigInt(5 * (25 - place))) & 31n)]).join('')
}

test('an ID tells when it was made, and IDs of a time sort after the first one of that time', () => {
  for (const ms of [0, 1, 31, 32, 1_800_000_000_123, 2 ** 48 - 1]) {
    expect(firstIdOf('job', ms)).toBe(`job_${spell(BigInt(ms) << 80n)}`)
    expect(timeOfId(firstIdOf('job', ms))).toBe(ms)
  }
  const id = newId('job', 1_920_000_000_000)
  expect(timeOfId(id)).toBe(1_920_000_000_000)
  expect(id > firstIdOf('job', 1_920_000_000_000)).toBe(true)
  expect(id < firstIdOf('job', 1_920_000_000_001)).toBe(true)
})

test('an ID that follows from a text is made of the first 80 bits of its hash', () => {
  for (const text of ['', 'one', 'another', 'ein dritter']) {
    const hash = createHash('sha256').update(text).digest('hex')
    expect(derivedId('order', text)).toBe(`ord_${spell(BigInt(`0x${hash.slice(0, 20)}`))}`)
  }
})

test('an ID of one kind is not taken for one of another, nor a plain text for an ID', () => {
  expectTypeOf(newId('job')).toEqualTypeOf<JobId>()
  expectTypeOf<JobId>().toExtend<string>()
  expectTypeOf<JobId>().not.toExtend<PrinterId>()
  expectTypeOf<string>().not.toExtend<JobId>()
})
