import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWaiter, WaitTimeoutError } from './waiter.ts'

describe('waiter', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the present value is enough when it matches', async () => {
    const waiter = createWaiter<number>()
    waiter.show(3)
    await expect(waiter.until((value) => value === 3, { awaited: 'three', timeoutMs: 10 })).resolves.toBe(3)
  })

  test('values that do not match are passed over', async () => {
    const waiter = createWaiter<number>()
    const found = waiter.until((value) => value > 2, { awaited: 'more than two', timeoutMs: 10 })
    waiter.show(1)
    waiter.show(5)
    await expect(found).resolves.toBe(5)
  })

  test('a time-out says what was awaited and for how long', async () => {
    const waiter = createWaiter<number>()
    const found = waiter.until(() => false, { awaited: 'the pause', timeoutMs: 25_000 })
    const refused = expect(found).rejects.toThrow(new WaitTimeoutError('the pause', 25_000))
    vi.advanceTimersByTime(25_000)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })

  test('an aborted wait leaves no timer behind', async () => {
    const waiter = createWaiter<number>()
    const abort = new AbortController()
    const found = waiter.until(() => false, { awaited: 'nothing', timeoutMs: 1000, signal: abort.signal })
    abort.abort(new Error('stopped'))
    await expect(found).rejects.toThrow('stopped')
    expect(vi.getTimerCount()).toBe(0)
  })
})
