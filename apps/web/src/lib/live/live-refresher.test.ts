import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefresher } from './live-refresher.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A page that shows these keys; each read takes this long and is counted. */
function show(keys: string[], readMs = 10) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const reads = Object.fromEntries(keys.map((key) => [key, 0]))
  const given = Object.fromEntries(keys.map((key) => [key, 0]))
  const leave = keys.map((key) =>
    new QueryObserver(queryClient, {
      queryKey: [key],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async ({ signal }) => {
        reads[key] = (reads[key] ?? 0) + 1
        signal.addEventListener('abort', () => {
          given[key] = (given[key] ?? 0) + 1
        })
        await new Promise((resolve) => setTimeout(resolve, readMs))
        return Date.now()
      },
    }).subscribe(() => undefined),
  )
  return { queryClient, refresher: createRefresher(queryClient), reads, given, leave }
}

/** An event each 100 ms that touches these. */
async function storm(refresher: ReturnType<typeof createRefresher>, keys: string[], seconds: number) {
  for (let count = 0; count < seconds * 10; count += 1) {
    refresher.add(keys.map((key) => [key]))
    await vi.advanceTimersByTimeAsync(100)
  }
}

test('one event is shown soon', async () => {
  const { refresher, reads } = show(['jobs', 'files'])
  await vi.advanceTimersByTimeAsync(100)
  refresher.add([['jobs']])
  await vi.advanceTimersByTimeAsync(160)
  expect(reads).toEqual({ jobs: 2, files: 1 })
})

test('however many events there are, what they touch is read at most once a second, and once more after the last', async () => {
  const { refresher, reads, queryClient } = show(['jobs', 'printers'])
  await vi.advanceTimersByTimeAsync(100)
  await storm(refresher, ['jobs', 'printers'], 20)
  const lastEvent = Date.now() - 100
  expect(reads.jobs).toBeGreaterThan(15)
  expect(reads.jobs).toBeLessThanOrEqual(22)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(queryClient.getQueryData(['jobs'])).toBeGreaterThan(lastEvent)
  expect(reads.jobs).toBeLessThanOrEqual(23)
  expect(reads.printers).toBe(reads.jobs)
})

test('a read that is slower than the events is never given up, and what came meanwhile is read after it', async () => {
  const { refresher, reads, given } = show(['jobs'], 3_000)
  await storm(refresher, ['jobs'], 30)
  expect(given.jobs).toBe(0)
  // Three seconds of reading, two of rest.
  expect(reads.jobs).toBeLessThanOrEqual(8)
  expect(reads.jobs).toBeGreaterThanOrEqual(3)
})

test('what is not shown is not read until it is shown again', async () => {
  const { refresher, reads, queryClient, leave } = show(['jobs'])
  await vi.advanceTimersByTimeAsync(100)
  for (const each of leave) each()
  await storm(refresher, ['jobs'], 5)
  expect(reads.jobs).toBe(1)
  expect(queryClient.getQueryState(['jobs'])?.isInvalidated).toBe(true)
})

test('while no one looks nothing is read, and what was touched meanwhile is read once when a person does', async () => {
  const { refresher, reads } = show(['jobs'])
  await vi.advanceTimersByTimeAsync(100)
  refresher.hold()
  await storm(refresher, ['jobs'], 10)
  expect(reads.jobs).toBe(1)
  refresher.resume()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(reads.jobs).toBe(2)
})

test('a key touches all that begins with it', async () => {
  const { refresher, queryClient } = show([])
  queryClient.setQueryData(['jobs', 'one', 'job_1'], {})
  queryClient.setQueryData(['files', 'one'], {})
  refresher.add([['jobs']])
  await vi.advanceTimersByTimeAsync(200)
  expect(queryClient.getQueryState(['jobs', 'one', 'job_1'])?.isInvalidated).toBe(true)
  expect(queryClient.getQueryState(['files', 'one'])?.isInvalidated).toBe(false)
})
