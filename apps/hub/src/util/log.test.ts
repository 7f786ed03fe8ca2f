import { expect, test } from 'vitest'
import { describeError } from './log.ts'

test.each([
  [new Error('fetch failed', { cause: new Error('ECONNREFUSED') }), 'fetch failed: ECONNREFUSED'],
  [new Error('no heater', { cause: new Error('no heater') }), 'no heater'],
  [new Error('409: the printer is busy', { cause: new Error('the printer is busy') }), '409: the printer is busy'],
  [new Error('alone', { cause: { code: 5 } }), 'alone'],
  ['a text', 'a text'],
])('%s is told in one sentence, and once', (error, sentence) => {
  expect(describeError(error)).toBe(sentence)
})
