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
  const { see, look } = createPrinterFollower(
    { printers: { find: live, findHere: live }, log: pino({ level: 'silent' }), isDraining: () => false },
    (_printerId, { state }) => {
      recorded.push(state.progress ?? -1)
      return new Promise((resolve, reject) => waiting.push((error) => (error ? reject(error) : resolve())))
    },
  )
  return {
    recorded,
    look: () => look('prn_1' as PrinterId),
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

test('an asker who waits for its look has it after the one under way, at what is shown by then', async () => {
  const printer = watched()
  printer.show(1)
  let isSeen = false
  const seen = printer.look().then(() => {
    isSeen = true
  })
  printer.show(2)
  expect(printer.recorded).toEqual([1])
  await printer.end()
  expect([printer.recorded, isSeen]).toEqual([[1, 2], false])
  await printer.end()
  await seen
  // The look of the second change, which was asked for after that of the asker.
  expect(printer.recorded).toEqual([1, 2, 2])
})

test('an asker is told of a failure of its own look, not of the one before', async () => {
  const printer = watched()
  const failed = expect(printer.look()).rejects.toThrow('a defect')
  const second = printer.look()
  await printer.end(new Error('a defect'))
  await failed
  await printer.end()
  await second
  expect(printer.recorded).toEqual([0, 0])
})
