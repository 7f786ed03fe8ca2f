import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeyedWorker, type WorkerOptions } from './keyed-worker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A worker whose turns end when they are told to. */
function watched(options: Partial<WorkerOptions<string>> = {}) {
  const started: string[] = []
  const turns = new Map<string, (error?: Error) => void>()
  const worker = new KeyedWorker<string, number>(
    (key, newest) => {
      started.push(`${key}${newest}`)
      return new Promise((resolve, reject) => turns.set(key, (error) => (error ? reject(error) : resolve())))
    },
    { onError: () => undefined, ...options },
  )
  return {
    worker,
    started,
    async end(key: string, error?: Error) {
      turns.get(key)?.(error)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('a key has one turn at a time, and one more with the newest request', async () => {
  const { worker, started, end } = watched()
  for (let newest = 1; newest <= 100; newest += 1) void worker.request('a', newest)
  expect(started).toEqual(['a1'])
  await end('a')
  expect(started).toEqual(['a1', 'a100'])
  await end('a')
  expect(started).toEqual(['a1', 'a100'])
  void worker.request('a', 101)
  expect(started).toEqual(['a1', 'a100', 'a101'])
})

test('keys do not wait for one another, or only for a place among so many', async () => {
  const free = watched()
  for (const key of ['a', 'b', 'c']) void free.worker.request(key, 1)
  expect(free.started).toEqual(['a1', 'b1', 'c1'])

  const limited = watched({ atOnce: 2 })
  for (const key of ['a', 'b', 'c', 'd']) void limited.worker.request(key, 1)
  void limited.worker.request('a', 2)
  expect(limited.started).toEqual(['a1', 'b1'])
  await limited.end('b')
  expect(limited.started).toEqual(['a1', 'b1', 'c1'])
  await limited.end('a')
  await limited.end('c')
  expect(limited.started).toEqual(['a1', 'b1', 'c1', 'd1', 'a2'])
})

test('the keys of one lane take turns among themselves, and never keep those of another waiting', async () => {
  const { worker, started, end } = watched({ atOncePerLane: 2 })
  for (let n = 1; n <= 4; n += 1) void worker.request(`a${n}-`, 1, 'a')
  void worker.request('b1-', 1, 'b')
  expect(started).toEqual(['a1-1', 'a2-1', 'b1-1'])
  // What waits for its place is worked on with the newest request.
  void worker.request('a3-', 9, 'a')
  void worker.request('a1-', 2, 'a')
  await end('a1-')
  expect(started.slice(3)).toEqual(['a3-9'])
  await end('a2-')
  expect(started.slice(4)).toEqual(['a4-1'])
  await end('a3-')
  expect(started.slice(5)).toEqual(['a1-2'])
  for (const key of ['a4-', 'a1-', 'b1-']) await end(key)
  expect(started).toHaveLength(6)
  await worker.stop()
})

test('ten thousand keys of one lane are worked on one after another in a moment', async () => {
  let ended = 0
  const worker = new KeyedWorker<string, number>(
    async () => {
      ended += 1
    },
    { atOncePerLane: 2, onError: () => undefined },
  )
  const startedAt = process.cpuUsage()
  const all = Array.from({ length: 10_000 }, (_, n) => worker.request(`${n}`, n, 'a'))
  await Promise.all(all)
  expect(ended).toBe(10_000)
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000)
})

test('requests are gathered before a turn, and the pause after one follows how long it lasted', async () => {
  const { worker, started, end } = watched({ gatherMs: 100, pauseMs: (lastedMs) => lastedMs * 10 })
  void worker.request('a', 1)
  await vi.advanceTimersByTimeAsync(50)
  void worker.request('a', 2)
  await vi.advanceTimersByTimeAsync(49)
  expect(started).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['a2'])
  void worker.request('a', 3)
  await vi.advanceTimersByTimeAsync(30)
  await end('a')
  await vi.advanceTimersByTimeAsync(299)
  expect(started).toEqual(['a2'])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['a2', 'a3'])
})

test('what is asked for in the pause after a turn waits for its end, and after it for no more than others', async () => {
  const { worker, started, end } = watched({ gatherMs: 100, pauseMs: (lastedMs) => lastedMs * 10 })
  void worker.request('a', 1)
  await vi.advanceTimersByTimeAsync(130)
  await end('a')
  void worker.request('a', 2)
  void worker.request('b', 1)
  await vi.advanceTimersByTimeAsync(299)
  expect(started).toEqual(['a1', 'b1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['a1', 'b1', 'a2'])
  await end('a')
  await vi.advanceTimersByTimeAsync(10_000)
  void worker.request('a', 3)
  await vi.advanceTimersByTimeAsync(100)
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a turn that failed is repeated when the worker is told so, and otherwise not', async () => {
  const { worker, started, end } = watched({
    onError: (error) => ((error as Error).message === 'away' ? 1_000 : undefined),
  })
  void worker.request('a', 1)
  await end('a', new Error('away'))
  await vi.advanceTimersByTimeAsync(999)
  expect(started).toEqual(['a1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['a1', 'a1'])
  await end('a', new Error('a defect'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(started).toEqual(['a1', 'a1'])
})

test('a request is done when a turn that started after it has ended', async () => {
  const { worker, end } = watched()
  const done: string[] = []
  void worker.request('a', 1).then(() => done.push('first'))
  void worker.request('a', 2).then(() => done.push('second'))
  void worker.settled('a').then(() => done.push('all'))
  await end('a')
  expect(done).toEqual(['first'])
  await end('a', new Error('failed'))
  expect(done).toEqual(['first', 'second', 'all'])
  await worker.settled('a')
})

test('a stop waits for the turns under way and starts no other', async () => {
  const { worker, started, end } = watched({ atOnce: 1 })
  void worker.request('a', 1)
  const waiting = worker.request('b', 1)
  let isStopped = false
  const stopped = worker.stop().then(() => {
    isStopped = true
  })
  await waiting
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isStopped).toBe(false)
  await end('a')
  await stopped
  void worker.request('c', 1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(started).toEqual(['a1'])
})
