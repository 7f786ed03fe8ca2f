import { describe, expect, test } from 'vitest'
import { entityTag, matchesStrongly, matchesWeakly, readTagList } from './entity-tags.ts'

test('a tag is strong, the same for the same bytes and another for others', () => {
  expect(entityTag('{"a":1}')).toMatch(/^"[A-Za-z0-9_-]{27}"$/)
  expect(entityTag('{"a":1}')).toBe(entityTag('{"a":1}'))
  expect(entityTag('{"a":1}')).not.toBe(entityTag('{"a":2}'))
})

describe('a list of tags', () => {
  test.each([
    ['"a"', ['"a"']],
    ['"a", W/"b","c,d"', ['"a"', 'W/"b"', '"c,d"']],
    [' "" ', ['""']],
    [',"a", ,', ['"a"']],
    ['"ü"', ['"ü"']],
    [' * ', '*'],
  ])('%s is read', (header, list) => expect(readTagList(header)).toEqual(list))

  test.each(['', ',', 'a', '"a', '"a" "b"', 'w/"a"', '*, "a"', '"a", *', '"a b"', '"a"x'])(
    '%s is malformed',
    (header) => expect(readTagList(header)).toBeUndefined(),
  )

  test('of 16 KiB of nonsense is read at once', () => {
    expect(readTagList('"a" '.repeat(4000))).toBeUndefined()
    expect(readTagList(`${' '.repeat(16_000)}x`)).toBeUndefined()
    expect(readTagList(','.repeat(16_000))).toBeUndefined()
  })
})

test('a weak tag is enough to be told that nothing changed, and not enough to write by', () => {
  expect([matchesWeakly(['W/"a"'], '"a"'), matchesStrongly(['W/"a"'], '"a"')]).toEqual([true, false])
  expect([matchesWeakly(['"b"', '"a"'], '"a"'), matchesStrongly(['"b"', '"a"'], '"a"')]).toEqual([true, true])
  expect([matchesWeakly(['"b"'], '"a"'), matchesStrongly(['"b"'], '"a"')]).toEqual([false, false])
  expect([matchesWeakly('*', '"a"'), matchesStrongly('*', '"a"')]).toEqual([true, true])
})
