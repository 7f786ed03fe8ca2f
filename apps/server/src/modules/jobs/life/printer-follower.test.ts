import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccountId, HubId, PrinterId } from '../../../kernel/ids.ts'
import { fromHub } from '../../../live/hub-messages.ts'
import type { LivePrinter } from '../../../live/printers.ts'
import { followTrouble } from '../../../live/recovery.ts'
import { createPrinterFollower } from './printer-follower.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A printer whose picture shows a number, and records that end when they are told to. */
function watched() {
  let shown = 0
  const recorded: number[] = []
  const waiting: ((error?: Error) => void)[] = []
  const live = (): LivePrinter => ({
    accountId: 'acc_1' as AccountId,
    hubId: 'hub_1' as HubId,
    state: { ...fromHub(unknownPrinterState('')), progress: shown },
    reportedAt: new Date(0),
    readiness: followTrouble(undefined, false, new Date(0)),
  })
  const see = createPrinterFollower(
    { printers: { find: live, findHere: live }, log: pino({ level: 'silent' }), isDraining: () => false },
    (_printerId, { state }) => {
      recorded.push(state.progress ?? -1)
      return new Promise((resolve, reject) => waiting.push((error) => (error ? reject(error) : resolve())))
    },
  )
  return {
    recorded,
    show(progress: number) {
      shown = progress
      see('prn_1' as PrinterId)
    },
    async end(error?: Error) {
      waiting.shift()?.(error)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('changes that come faster than they are recorded cost one look more, at the newest', async () => {
  const printer = watched()
  for (let progress = 1; progress <= 100; progress += 1) printer.show(progress)
  expect(printer.recorded).toEqual([1])
  await printer.end()
  expect(printer.recorded).toEqual([1, 100])
  await printer.end()
  expect(printer.recorded).toEqual([1, 100])
  printer.show(101)
  expect(printer.recorded).toEqual([1, 100, 101])
})

test('what could not be recorded because the database was away is looked at again, and other failures are not', async () => {
  const printer = watched()
  printer.show(1)
  await printer.end(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  expect(printer.recorded).toEqual([1])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(printer.recorded).toEqual([1, 1])
  await printer.end(new Error('a defect'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(printer.recorded).toEqual([1, 1])
})
