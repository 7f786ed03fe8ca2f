import { expect, test } from 'vitest'
import { nextBackupAt } from './due-time.ts'

const at = (text: string) => new Date(`${text}Z`)
const done = (text: string) => ({ startedAt: at(text), isDone: true })
const failed = (text: string) => ({ startedAt: at(text), isDone: false })
const now = at('2026-11-23T12:00:00')

test.each([
  ['the first one is due at once', undefined, '2026-11-23T02:00:00'],
  ['after one that was made, the next day', done('2026-11-23T02:00:10'), '2026-11-24T02:00:00'],
  ['one that was missed is made up for', done('2026-11-21T02:00:10'), '2026-11-23T02:00:00'],
  ['one that failed is tried again after an hour', failed('2026-11-23T11:30:00'), '2026-11-23T12:30:00'],
])('%s', (_, last, expected) => {
  expect(nextBackupAt(2, last, now)).toEqual(at(expected))
})

test('before the hour of the day, the slot is that of the day before', () => {
  expect(nextBackupAt(20, undefined, now)).toEqual(at('2026-11-22T20:00:00'))
  expect(nextBackupAt(20, done('2026-11-22T20:00:00'), now)).toEqual(at('2026-11-23T20:00:00'))
})

test('a retry never comes later than the next slot', () => {
  expect(nextBackupAt(13, failed('2026-11-23T11:59:59'), now)).toEqual(at('2026-11-23T12:59:59'))
  expect(nextBackupAt(13, failed('2026-11-23T12:00:00'), at('2026-11-23T12:40:00'))).toEqual(at('2026-11-23T13:00:00'))
})
