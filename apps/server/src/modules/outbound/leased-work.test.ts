import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LeasedWork } from './leased-work.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const sweepMs = 1_000

/** Work on three things that are due, each of which is served until the test ends it. */
function startWork(options: { isDraining?: () => boolean; fails?: () => boolean } = {}) {
  const { isDraining = () => false, fails = () => false } = options
  const due = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const served: string[] = []
  const ends = new Map<string, () => void>()
  const log = { warn: vi.fn(), error: vi.fn() }
  const context = { clock: { now: () => new Date(5_000) }, log: log as never, isDraining }
  const work = new LeasedWork(context, {
    leaseId: 'lease',
    leaseMs: 60_000,
    sweepMs,
    atOnce: 2,
    bringBack: async () => undefined,
    take: async (_lease, most) => {
      if (fails()) throw new Error('no database')
      return due.splice(0, most)
    },
    serve: ({ id }) => {
      served.push(id)
      return new Promise((resolve) => {
        ends.set(id, resolve)
        work.signal.addEventListener('abort', () => resolve())
      })
    },
    failure: 'nothing could be done',
  })
  return { work, served, log, end: (id: string) => ends.get(id)?.() }
}

test('no more is worked on at once than was said, and the next as soon as there is a place', async () => {
  const { work, served, end } = startWork()
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(served).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(served).toEqual(['a', 'b'])
  end('a')
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(served).toEqual(['a', 'b', 'c'])
  const stopped = work.stop()
  await vi.advanceTimersByTimeAsync(3_000)
  await stopped
})

test('a lease counts from now for as long as was said', async () => {
  const { work } = startWork()
  expect(work.lease()).toEqual({ id: 'lease', now: new Date(5_000), until: new Date(65_000) })
  await work.stop()
})

test('a process that is draining takes nothing new', async () => {
  const { work, served } = startWork({ isDraining: () => true })
  work.sweep()
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(served).toEqual([])
  await work.stop()
})

test('a stop waits for what is under way, and ends it when that takes too long', async () => {
  const { work, served } = startWork()
  await vi.advanceTimersByTimeAsync(sweepMs)
  let isStopped = false
  const stopped = work.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(2_900)
  expect([work.isStopped, work.signal.aborted, isStopped]).toEqual([true, false, false])
  await vi.advanceTimersByTimeAsync(200)
  expect([work.signal.aborted, isStopped]).toEqual([true, true])
  await stopped
  work.sweep()
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(served).toEqual(['a', 'b'])
})

test('a failure is in the log, and the next sweep tries again', async () => {
  let isAway = true
  const { work, served, log } = startWork({ fails: () => isAway })
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(log.error).toHaveBeenCalledWith({ err: new Error('no database') }, 'nothing could be done')
  isAway = false
  await vi.advanceTimersByTimeAsync(sweepMs)
  expect(served).toEqual(['a', 'b'])
  const stopped = work.stop()
  await vi.advanceTimersByTimeAsync(3_000)
  await stopped
})
