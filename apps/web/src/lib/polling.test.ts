import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './api-client.ts'
import { startPolling } from './polling.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function follow(load: (signal: AbortSignal) => Promise<string>, isAsleep = () => false) {
  const seen: unknown[] = []
  const poller = startPolling({
    load,
    intervalMs: 10_000,
    isAsleep,
    onValue: (value) => seen.push(value),
    onError: (error) => seen.push(error),
  })
  return { poller, seen }
}

describe('polling', () => {
  it('loads at once, then after each pause', async () => {
    let count = 0
    const { poller, seen } = follow(async () => `load ${++count}`)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(seen).toEqual(['load 1', 'load 2', 'load 3'])
    poller.stop()
  })

  it('a slow load is never overtaken by the next one', async () => {
    let running = 0
    let most = 0
    const { poller, seen } = follow(async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 25_000))
      running -= 1
      return 'slow'
    })
    await vi.advanceTimersByTimeAsync(12_000)
    poller.wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(most).toBe(1)
    expect(seen).toEqual(['slow', 'slow'])
    poller.stop()
  })

  it('goes on by itself after errors', async () => {
    const down = new ApiError('The service cannot be reached', { code: 'SERVICE_UNREACHABLE', status: 0 })
    let count = 0
    const { poller, seen } = follow(async () => {
      if (++count < 3) throw down
      return 'back'
    })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(seen).toEqual([down, down, 'back'])
    poller.stop()
  })

  it('a request to wait is honoured even when the page is looked at again', async () => {
    const limited = new ApiError('Too many requests', { code: 'RATE_LIMITED', status: 429, retryAfterMs: 40_000 })
    let count = 0
    const { poller, seen } = follow(async () => {
      if (++count === 1) throw limited
      return 'served'
    })
    await vi.advanceTimersByTimeAsync(20_000)
    poller.wake()
    await vi.advanceTimersByTimeAsync(19_999)
    expect(seen).toEqual([limited])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual([limited, 'served'])
    poller.stop()
  })

  it('asks nothing while nobody looks, and at once when somebody does', async () => {
    let isHidden = true
    const { poller, seen } = follow(
      async () => 'seen',
      () => isHidden,
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual([])
    isHidden = false
    poller.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(seen).toEqual(['seen'])
    poller.stop()
  })

  it('after stop nothing arrives and nothing is asked', async () => {
    const signals: AbortSignal[] = []
    const { poller, seen } = follow(async (signal) => {
      signals.push(signal)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return 'late'
    })
    poller.stop()
    poller.wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual([])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})
