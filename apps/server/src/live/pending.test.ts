import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PendingAnswers } from './pending.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const question = (hubId: string, id: string) => ({ hubId, id, timeoutMs: 1_000 })
const asked = () => undefined

test('an answer reaches the question of its kind and hub, once', async () => {
  const pending = new PendingAnswers()
  const answer = pending.wait('command', question('hub_1', 'q'), asked)
  expect(pending.answer('command', 'hub_2', 'q', { kind: 'succeeded' })).toBe(false)
  expect(pending.answer('still', 'hub_1', 'q', { kind: 'offline' })).toBe(false)
  expect(pending.isWaiting('command', 'hub_1', 'q')).toBe(true)
  expect(pending.answer('command', 'hub_1', 'q', { kind: 'succeeded', pending: 'later' })).toBe(true)
  expect(await answer).toEqual({ kind: 'succeeded', pending: 'later' })
  expect(pending.isWaiting('command', 'hub_1', 'q')).toBe(false)
  expect(pending.answer('command', 'hub_1', 'q', { kind: 'succeeded' })).toBe(false)
})

test('a question ends without an answer in time, with its hub, or at once where it could not be asked', async () => {
  const pending = new PendingAnswers()
  const late = pending.wait('command', question('hub_1', 'a'), asked)
  await vi.advanceTimersByTimeAsync(1_000)
  const lost = pending.wait('still', question('hub_1', 'b'), asked)
  const other = pending.wait('connection_test', question('hub_2', 'c'), asked)
  pending.loseHub('hub_1')
  const unasked = pending.wait('command', question('hub_3', 'd'), (settle) => settle({ kind: 'offline' }))
  expect(await Promise.all([late, lost, unasked])).toEqual([
    { kind: 'silent', why: 'timeout' },
    { kind: 'silent', why: 'hub_lost' },
    { kind: 'offline' },
  ])
  expect(pending.isWaiting('connection_test', 'hub_2', 'c')).toBe(true)
  pending.loseHub('hub_2')
  expect(await other).toEqual({ kind: 'silent', why: 'hub_lost' })
})
