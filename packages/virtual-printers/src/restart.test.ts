import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createVirtualPrinter, type VirtualPrinterOptions } from './create-virtual-printer.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { buildPlan, bytesOf, eventKinds, patient, startFile, uploadFile } from './test/build-printer.ts'
import type { VirtualPrinter } from './virtual-printer.ts'

const minute = 60_000

let folder: string
let stateFile: string
let clock: ManualClock
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'virtual-printer-'))
  stateFile = join(folder, 'printer-1.jsonl')
  clock = createManualClock()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function buildRemembering(overrides: Partial<VirtualPrinterOptions> = {}): VirtualPrinter {
  const { now, schedule } = clock
  return createVirtualPrinter({ id: 'printer-1', model: 'P1S', now, schedule, stateFile, ...overrides })
}

/** A printer as it comes up after a kill: made from what the file holds at this moment, while the old one lives on. */
async function afterKill(overrides: Partial<VirtualPrinterOptions> = {}): Promise<VirtualPrinter> {
  const copy = join(folder, `copy-${clock.now()}.jsonl`)
  copyFileSync(stateFile, copy)
  const printer = buildRemembering({ stateFile: copy, ...overrides })
  await printer.powerOn()
  return printer
}

const activities: [string, (printer: VirtualPrinter) => Promise<void>][] = [
  ['idle', async () => undefined],
  [
    'heating',
    async (printer) => {
      await startFile(printer)
      clock.advance(20_000)
    },
  ],
  [
    'printing',
    async (printer) => {
      await startFile(printer)
      clock.advance(20 * minute)
    },
  ],
  [
    'paused',
    async (printer) => {
      await startFile(printer)
      clock.advance(20 * minute)
      await printer.pause(patient)
    },
  ],
  [
    'changing filament',
    async (printer) => {
      await printer.unloadFilament(patient)
      clock.advance(20_000)
    },
  ],
  [
    'cooling after the end',
    async (printer) => {
      await startFile(printer)
      clock.advance(70 * minute)
    },
  ],
  [
    'a fault',
    async (printer) => {
      printer.setFaults(['print_failure'])
      await startFile(printer)
      clock.advance(40 * minute)
    },
  ],
  [
    'about to run out of filament',
    async (printer) => {
      printer.setFaults(['runout'])
      await startFile(printer)
      clock.advance(10 * minute)
    },
  ],
  [
    'sped up',
    async (printer) => {
      await startFile(printer)
      clock.advance(10 * minute)
      printer.setSpeed(3)
      clock.advance(minute)
    },
  ],
]

test.each(activities)('a restart while %s is as if there had been none', async (_name, prepare) => {
  const printer = buildRemembering()
  await printer.powerOn()
  await prepare(printer)
  for (const laterMs of [0, 30_000, 15 * minute, 300 * minute]) {
    // A process that comes back after a while, against one that ran all the time.
    const copy = join(folder, `copy-${laterMs}.jsonl`)
    copyFileSync(stateFile, copy)
    clock.advance(laterMs)
    const again = buildRemembering({ stateFile: copy })
    await again.powerOn()
    expect(again.report()).toEqual(printer.report())
    expect(again.events.filter(({ kind }) => kind !== 'powered_on')).toEqual(
      printer.events.filter(({ kind }) => kind !== 'powered_on'),
    )
    await again.powerOff()
  }
})

test('files, plate and identities survive a restart', async () => {
  const printer = buildRemembering()
  await printer.powerOn()
  const first = await startFile(printer)
  clock.advance(200 * minute)
  await printer.powerOff()

  const again = buildRemembering()
  await again.powerOn()
  expect(await again.listFiles(patient)).toEqual([{ fileName: 'part.gcode', sizeBytes: 5_000 }])
  const { runId } = await again.startPrint('part.gcode', buildPlan(), patient)
  expect(runId).not.toBe(first)
  expect(eventKinds(again)).toEqual([
    'powered_on',
    'uploaded',
    'started',
    'completed',
    'powered_on',
    'started',
    'started_on_occupied_plate',
  ])
})

test('an upload that the kill cut off is a partial file afterwards', async () => {
  const printer = buildRemembering()
  await printer.powerOn()
  const caller = new AbortController()
  async function* content() {
    yield* bytesOf(300)
    await new Promise(() => undefined)
  }
  const upload = printer.upload('part.gcode', 1_000, content(), caller.signal)
  const again = await afterKill()
  await expect(again.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  await uploadFile(again)
  await again.startPrint('part.gcode', buildPlan(), patient)
  caller.abort(new Error('killed'))
  await expect(upload).rejects.toThrow('killed')
})

test('faults and speed given again hold from now on, those not given stay as they were', async () => {
  const printer = buildRemembering({ speed: 10, faults: ['refuse'] })
  await printer.powerOn()
  await uploadFile(printer)
  printer.startByHand('part.gcode', buildPlan({ printTimeSeconds: 36_000 }))
  clock.advance(30 * minute)
  const { progress } = printer.report()

  const same = await afterKill()
  await expect(same.stop(patient)).rejects.toMatchObject({ code: 'REFUSED' })
  const faster = await afterKill({ speed: 100, faults: [] })
  expect(faster.report().progress).toBe(progress)
  clock.advance(minute)
  expect(faster.report().progress - progress).toBeCloseTo(6_000 / 36_000, 3)
  expect(same.report().progress - progress).toBeCloseTo(600 / 36_000, 3)
  await faster.stop(patient)
})

test('a history of thousands of events keeps its file small and every start', async () => {
  const printer = buildRemembering()
  await printer.powerOn()
  await uploadFile(printer)
  const rounds = 3_000
  for (let round = 0; round < rounds; round++) {
    await printer.startPrint('part.gcode', buildPlan(), patient)
    await printer.stop(patient)
  }
  expect(statSync(stateFile).size).toBeLessThan(1_500_000)
  const again = await afterKill()
  const runIds = again.events.filter(({ kind }) => kind === 'started').map(({ runId }) => runId)
  expect(new Set(runIds).size).toBe(rounds)
  expect(again.events.length).toBeLessThan(2 * rounds)
  expect(again.report()).toEqual(printer.report())
})

test('a state file that cannot be written is told, and written whole once it can be', async () => {
  const onError = vi.fn<(error: unknown, what: string) => void>()
  const printer = buildRemembering({ onError })
  await printer.powerOn()
  rmSync(folder, { recursive: true })
  await startFile(printer)
  expect(onError).toHaveBeenCalledWith(
    expect.objectContaining({ code: 'ENOENT' }),
    expect.stringContaining('state file'),
  )
  const { runId } = printer.report()
  mkdirSync(folder)
  await printer.setLight(true, patient)
  const again = await afterKill()
  expect(again.report()).toMatchObject({ runId, lightOn: true })
  expect(eventKinds(again)).toContain('started')
})

/** Runs a script in a Node process of its own. */
function runScript(lines: string[]) {
  const script = join(folder, 'script.ts')
  const module = new URL('./create-virtual-printer.ts', import.meta.url).href
  writeFileSync(script, [`import { createVirtualPrinter } from ${JSON.stringify(module)}`, ...lines].join('\n'))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  return { child, exit }
}

const plan = JSON.stringify(buildPlan({ printTimeSeconds: 100_000 }))

test('a process with a printer that was switched off in the middle of a print ends by itself', async () => {
  const { child, exit } = runScript([
    `const printer = createVirtualPrinter({ id: 'a', model: 'P1S', stateFile: ${JSON.stringify(stateFile)} })`,
    'await printer.powerOn()',
    'printer.onReport(() => undefined)',
    `printer.startByHand('part.gcode', ${plan})`,
    'await printer.powerOff()',
  ])
  const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  expect(await exit).toEqual({ code: 0, signal: null })
  clearTimeout(killer)
}, 20_000)

test('a print started in a process that is killed at once runs on in the next', async () => {
  const { child, exit } = runScript([
    `const printer = createVirtualPrinter({ id: 'a', model: 'P1S', stateFile: ${JSON.stringify(stateFile)} })`,
    'await printer.powerOn()',
    `printer.startByHand('part.gcode', ${plan})`,
    'process.stdout.write(printer.report().runId)',
    'setInterval(() => undefined, 1000)',
  ])
  const runId = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
  child.kill('SIGKILL')
  expect((await exit).signal).toBe('SIGKILL')
  const later = Date.now() + 60 * minute
  const printer = createVirtualPrinter({ id: 'a', model: 'P1S', stateFile, now: () => later })
  expect(printer.report()).toMatchObject({ activity: 'printing', runId })
  expect(eventKinds(printer)).toEqual(['powered_on', 'started'])
}, 20_000)
