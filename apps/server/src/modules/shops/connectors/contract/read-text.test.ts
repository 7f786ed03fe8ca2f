import { expect, test } from 'vitest'
import { readHookBody } from './read-text.ts'

test('a webhook of a usual order is read', () => {
  expect(readHookBody(Buffer.from('{"id":7,"total":"1.00"}'))).toEqual({ id: 7, total: '1.00' })
})

test.each(['', 'nothing', '[1]', 'null', '{"id":'])('one that is no object says nothing: %j', (body) => {
  expect(readHookBody(Buffer.from(body))).toEqual({})
})

test('one that is longer than any order says nothing, and takes no time to read', () => {
  const padded = (bytes: number) => Buffer.from(`{"id":7,"note":"${'x'.repeat(bytes)}"}`)
  expect(readHookBody(padded(200_000)).id).toBe(7)
  expect(readHookBody(padded(300_000))).toEqual({})
})
