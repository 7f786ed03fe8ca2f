import { expect, test } from 'vitest'
import { idleMs, isAlive, longestMs } from './session-life.ts'

const start = Date.parse('2026-11-01T08:00:00.000Z')
const at = (ms: number) => new Date(start + ms)
const session = { last_seen_at: at(0), expires_at: at(longestMs), ended_at: null }

test('a session lives for seven days without use, and no longer', () => {
  expect(isAlive(session, at(idleMs - 1))).toBe(true)
  expect(isAlive(session, at(idleMs))).toBe(false)
})

test('a session in use is over after thirty days', () => {
  const inUse = { ...session, last_seen_at: at(longestMs - 1) }
  expect(isAlive(inUse, at(longestMs - 1))).toBe(true)
  expect(isAlive(inUse, at(longestMs))).toBe(false)
})

test('a session that was ended is over at once', () => {
  expect(isAlive({ ...session, ended_at: at(1) }, at(2))).toBe(false)
})
