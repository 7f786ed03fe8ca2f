import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type HubId, newId } from '../kernel/ids.ts'
import { PendingAnswers } from './pending.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const first = 'hub_1' as HubId
const second = 'hub_2' as HubId

const question = (hubId: HubId, id: string) => ({ hubId, id, timeoutMs: 1_000 })
const asked = () => undefined

test('an answer reaches the question of its kind and hub, once', async () => {
  const pending = new PendingAnswers()
  const answer = pending.wait('command', question(first, 'q'), asked)
  expect(pending.answer('command', second, 'q', { kind: 'succeeded' })).toBe(false)
  expect(pending.answer('still', first, 'q', { kind: 'offline' })).toBe(false)
  expect(pending.isWaiting('command', first, 'q')).toBe(true)
  expect(pending.answer('command', first, 'q', { kind: 'succeeded', pending: 'later' })).toBe(true)
  expect(await answer).toEqual({ kind: 'succeeded', pending: 'later' })
  expect(pending.isWaiting('command', first, 'q')).toBe(false)
  expect(pending.answer('command', first, 'q', { kind: 'succeeded' })).toBe(false)
})

test('a question ends without an answer in time, with its hub, or at once where it could not be asked', async () => {
  const pending = new PendingAnswers()
  const late = pending.wait('command', question(first, 'a'), asked)
  await vi.advanceTimersByTimeAsync(1_000)
  const lost = pending.wait('still', question(first, 'b'), asked)
  const other = pending.wait('connection_test', question(second, 'c'), asked)
  pending.loseHub(first)
  const unasked = pending.wait('command', question(newId('hub'), 'd'), (settle) => settle({ kind: 'offline' }))
  expect(await Promise.all([late, lost, unasked])).toEqual([
    { kind: 'silent', why: 'timeout' },
    { kind: 'silent', why: 'hub_lost' },
    { kind: 'offline' },
  ])
  expect(pending.isWaiting('connection_test', second, 'c')).toBe(true)
  pending.loseHub(second)
  expect(await other).toEqual({ kind: 'silent', why: 'hub_lost' })
})
