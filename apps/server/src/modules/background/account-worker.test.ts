import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Context } from '../../context/context.ts'
import { newId } from '../../kernel/ids.ts'
import { runAccountWorker } from './account-worker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const accountId = newId('account')

/** A worker whose first turn fails, and what it wrote to the log. */
function failingOnce(error: Error) {
  const log = { warn: vi.fn(), error: vi.fn() }
  const context = { log, isDraining: () => false, db: { onChange: () => () => undefined } }
  const work = vi.fn(async () => undefined).mockRejectedValueOnce(error)
  // What a worker does before its first statement needs no more of a context.
  const worker = runAccountWorker(context as unknown as Context, {
    name: 'look for orders to pick',
    work,
    atOnce: 1,
    gatherMs: 0,
    sweepMs: 60_000,
    findAccounts: async () => [],
  })
  return { worker, work, log }
}

const failure = (code: string) => Object.assign(new Error(code), { code })

test('a turn that waited too long for another transaction is made up for soon, and is no failure of the service', async () => {
  const { worker, work, log } = failingOnce(failure('55P03'))
  worker.wake(accountId)
  await vi.advanceTimersByTimeAsync(900)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(work).toHaveBeenCalledTimes(2)
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([1, 0])
  await worker.stop()
})

test('a turn that failed is logged as an error, and waits for an event or a sweep', async () => {
  const { worker, work, log } = failingOnce(failure('23514'))
  worker.wake(accountId)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(work).toHaveBeenCalledTimes(1)
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([0, 1])
  await worker.stop()
})
