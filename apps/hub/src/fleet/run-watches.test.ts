import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Journal, journalPath, openJournal } from '../journal/journal.ts'
import { createRecordedLog } from '../test/quiet-log.ts'
import { SHORTEST_PRINT_MS } from './run-mark.ts'
import { createRunWatches, type RunWatches } from './run-watches.ts'

const idle: PrinterState = { ...unknownPrinterState(''), status: 'idle' }
const minutes = (count: number) => count * 60_000

let dataDir: string
let journal: Journal
let watches: RunWatches
let nowMs: number
let upSeconds: number
const missed = vi.fn()

/** The hub as it runs from here on; what came before it was killed. */
async function startHub(): Promise<void> {
  journal = await openJournal({ path: journalPath(dataDir), log: createRecordedLog() })
  watches = createRunWatches({
    journal,
    clock: () => nowMs,
    aliveMs: 10_000,
    shortestPrintMs: SHORTEST_PRINT_MS,
    onMissed: missed,
    upSeconds: () => upSeconds,
  })
}

async function killHub(): Promise<void> {
  watches.stop()
  await journal.close()
}

const pass = (ms: number) => {
  nowMs += ms
  upSeconds += ms / 1_000
}

/** The hub runs on, with its record that it is alive. */
const live = (ms: number) => {
  for (let passed = 0; passed < ms; passed += 10_000) {
    pass(10_000)
    vi.advanceTimersByTime(10_000)
  }
}

const markOfPrinter = (picture = idle, remembers = false) => watches.of('prn_1').see(picture, remembers)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  missed.mockClear()
  dataDir = mkdtempSync(join(tmpdir(), 'printyard-watches-'))
  nowMs = 1_800_000_000_000
  upSeconds = 5_000
  await startHub()
})
afterEach(async () => {
  await killHub()
  vi.useRealTimers()
  rmSync(dataDir, { recursive: true })
})

describe('a hub that was killed', () => {
  test('and is back at once has missed nothing, however long it ran before', async () => {
    const { run_mark } = markOfPrinter()
    live(minutes(60))
    await killHub()
    pass(15_000)
    await startHub()
    expect(markOfPrinter().run_mark).toBe(run_mark)
  })

  test('and stayed away for minutes says for how many', async () => {
    const { run_mark } = markOfPrinter()
    live(minutes(5))
    await killHub()
    pass(minutes(12))
    await startHub()
    expect(markOfPrinter()).toEqual({
      run_mark: expect.not.stringContaining(String(run_mark)),
      run_mark_reason: 'out of sight for 12 minutes; it does not remember what it printed',
    })
  })

  test('and killed again before it saw the printer counts from the first time', async () => {
    const { run_mark } = markOfPrinter()
    await killHub()
    pass(minutes(12))
    await startHub()
    live(20_000)
    await killHub()
    await startHub()
    expect(markOfPrinter().run_mark).not.toBe(run_mark)
  })

  test('with its whole machine does not believe a clock that stood still meanwhile', async () => {
    const { run_mark } = markOfPrinter()
    await killHub()
    nowMs += 5_000
    upSeconds = 20
    await startHub()
    expect(markOfPrinter()).toMatchObject({ run_mark_reason: expect.stringContaining('unknown time') })
    expect(markOfPrinter().run_mark).not.toBe(run_mark)
  })

  test('still knows what a printer that remembers shows', async () => {
    const { run_mark } = markOfPrinter(idle, true)
    await killHub()
    pass(minutes(60))
    await startHub()
    expect(markOfPrinter(idle, true)).toEqual({ run_mark, run_mark_reason: null })
  })
})

test('a printer that was out of sight when the hub was killed has been for all that time', async () => {
  const { run_mark } = markOfPrinter()
  markOfPrinter({ ...idle, status: 'offline' })
  live(20_000)
  await killHub()
  pass(15_000)
  await startHub()
  expect(markOfPrinter().run_mark).not.toBe(run_mark)
})

test('a printer that the hub let go of is out of sight from then on', () => {
  const { run_mark } = markOfPrinter()
  watches.of('prn_1').leave()
  live(minutes(1))
  expect(markOfPrinter().run_mark).not.toBe(run_mark)
})

test.each([minutes(8), -minutes(8)])(
  'a machine that slept, or whose clock was set, watched nothing (%d ms)',
  (byMs) => {
    const { run_mark } = markOfPrinter()
    live(minutes(1))
    expect(missed).not.toHaveBeenCalled()
    nowMs += byMs
    vi.advanceTimersByTime(10_000)
    expect(missed).toHaveBeenCalledOnce()
    expect(markOfPrinter().run_mark).not.toBe(run_mark)
  },
)

test('records of the watch are no part of the position that tells a lost journal', async () => {
  markOfPrinter()
  live(minutes(2))
  await killHub()
  await startHub()
  expect(journal.state.position).toBe(0)
  expect(journal.state.watches.size).toBe(1)
})
