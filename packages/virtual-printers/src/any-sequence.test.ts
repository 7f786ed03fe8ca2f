import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createVirtualPrinter, type VirtualPrinterOptions } from './create-virtual-printer.ts'
import { modelNamed } from './device/models.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { buildPlan, bytesOf, patient } from './test/build-printer.ts'
import {
  type Fault,
  faults,
  type PrintPlan,
  type VirtualPrinter,
  VirtualPrinterError,
  type VirtualPrinterEvent,
  type VirtualReport,
} from './virtual-printer.ts'

type Deed = (printer: VirtualPrinter, clock: ManualClock) => unknown

const fileName = fc.constantFrom('a.gcode', 'b.gcode')
const plan: fc.Arbitrary<PrintPlan> = fc.record({
  printTimeSeconds: fc.double({ min: 0, max: 20_000, noNaN: true }),
  layerCount: fc.integer({ min: 0, max: 2_000 }),
  nozzleTemp: fc.integer({ min: 0, max: 320 }),
  bedTemp: fc.integer({ min: 0, max: 130 }),
})
const targets = fc.record(
  { nozzle: fc.integer({ min: -5, max: 400 }), bed: fc.integer({ min: 0, max: 130 }), chamber: fc.nat(80) },
  { requiredKeys: [] },
)

/** Faults under which every call is answered at once and reports tell the truth. */
const honestFaults = faults.filter(
  (fault) => !['lost_link', 'slow_file_store', 'lying_finish', 'silent_error'].includes(fault),
)

/** Each with a text, so that a failing sequence can be read. */
const deeds = (allowed: readonly Fault[]): fc.Arbitrary<{ text: string; deed: Deed }> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 3_000_000 }))
        .map((ms) => ({ text: `wait ${ms}`, deed: (_: VirtualPrinter, clock: ManualClock) => clock.advance(ms) })),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(fileName, plan).map(([name, what]) => ({
        text: `start ${name} ${JSON.stringify(what)}`,
        deed: (printer: VirtualPrinter) => printer.startPrint(name, what, patient),
      })),
    },
    fc.tuple(fileName, plan).map(([name, what]) => ({
      text: `start by hand ${name}`,
      deed: (printer: VirtualPrinter) => printer.startByHand(name, what),
    })),
    fc.tuple(fileName, fc.nat(3_000)).map(([name, sizeBytes]) => ({
      text: `upload ${name} ${sizeBytes}`,
      deed: (printer: VirtualPrinter) => printer.upload(name, sizeBytes, bytesOf(sizeBytes), patient),
    })),
    fileName.map((name) => ({
      text: `delete ${name}`,
      deed: (printer: VirtualPrinter) => printer.deleteFile(name, patient),
    })),
    fc.constantFrom('pause', 'resume', 'stop', 'loadFilament', 'unloadFilament').map((name) => ({
      text: name,
      // The literal union is lost on the way through `map`; the names are those of five methods alike.
      deed: (printer: VirtualPrinter) => printer[name as 'pause'](patient),
    })),
    targets.map((what) => ({
      text: `targets ${JSON.stringify(what)}`,
      deed: (printer: VirtualPrinter) =>
        printer.setTargets(
          Object.fromEntries(Object.entries(what).filter(([, target]) => target !== undefined)),
          patient,
        ),
    })),
    fc.constant({ text: 'take off', deed: (printer: VirtualPrinter) => printer.takePrintOff() }),
    fc.record({ remembers: fc.boolean() }).map((how) => ({
      text: `restart ${JSON.stringify(how)}`,
      deed: (printer: VirtualPrinter) => printer.restart(how),
    })),
    fc.subarray([...allowed]).map((active) => ({
      text: `faults ${active}`,
      deed: (printer: VirtualPrinter) => printer.setFaults(active),
    })),
    fc.constantFrom(1, 10, 1_000, 100_000).map((speed) => ({
      text: `speed ${speed}`,
      deed: (printer: VirtualPrinter) => printer.setSpeed(speed),
    })),
  )

async function tryTo(deed: Deed, printer: VirtualPrinter, clock: ManualClock): Promise<void> {
  try {
    await deed(printer, clock)
  } catch (error) {
    // Being refused is an ordinary answer; anything else is a bug of the printer.
    if (!(error instanceof VirtualPrinterError)) throw error
  }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'any-sequence-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function expectPossible(report: VirtualReport, modelName: string): void {
  const model = modelNamed(modelName)
  expect(report.progress).toBeGreaterThanOrEqual(0)
  expect(report.progress).toBeLessThanOrEqual(1)
  expect(report.layer).toBeGreaterThanOrEqual(0)
  expect(report.layer).toBeLessThanOrEqual(report.totalLayers)
  for (const [reading, spec] of [
    [report.nozzle, model.nozzle],
    [report.bed, model.bed],
    [report.chamber, model.chamber],
  ] as const) {
    if (!reading || !spec) continue
    expect(reading.actual).toBeGreaterThan(18)
    // A chamber without a heater is warmed by the bed.
    expect(reading.actual).toBeLessThan(Math.max(spec.maxTemp, 70) + 1)
    expect(reading.target).toBeGreaterThanOrEqual(0)
    expect(reading.target).toBeLessThanOrEqual(spec.maxTemp)
  }
  if (report.activity === 'heating' || report.activity === 'printing' || report.activity === 'paused') {
    expect(report.runId).not.toBeNull()
    expect(report.fileName).not.toBeNull()
    expect(report.lastResult).toBeNull()
    expect(report.remainingSeconds).toBeGreaterThanOrEqual(0)
  }
  if (report.lastResult !== null) expect(report.runId).not.toBeNull()
}

/** Checks that every run that started also ended before the next one started. */
function expectOneRunAtATime(events: readonly VirtualPrinterEvent[]): void {
  let running: string | null = null
  let at = 0
  for (const event of events) {
    expect(event.at).toBeGreaterThanOrEqual(at)
    at = event.at
    if (event.kind === 'started') {
      expect(running).toBeNull()
      running = event.runId
    }
    if (event.kind === 'completed' || event.kind === 'failed' || event.kind === 'cancelled') {
      expect(event.runId).toBe(running)
      running = null
    }
  }
}

test('no sequence of calls and waits leads to an impossible report, a second run, or progress that falls', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('MK4S', 'P1S', 'X1E', 'A1 mini'),
      fc.array(deeds(honestFaults), { maxLength: 40 }),
      async (model, sequence) => {
        const clock = createManualClock()
        const { now, schedule } = clock
        const problems: unknown[] = []
        const onError = (error: unknown) => problems.push(error)
        const printer = createVirtualPrinter({ id: 'p', model, now, schedule, onError })
        await printer.powerOn()
        let last = printer.report()
        const check = (report: VirtualReport) => {
          expectPossible(report, model)
          if (report.runId !== null && report.runId === last.runId) {
            expect(report.progress).toBeGreaterThanOrEqual(last.progress)
            expect(report.layer).toBeGreaterThanOrEqual(last.layer)
          }
          last = report
        }
        printer.onReport(check)
        for (const { deed } of sequence) {
          await tryTo(deed, printer, clock)
          check(printer.report())
        }
        expect(problems).toEqual([])
        expectOneRunAtATime(printer.events)
        await printer.powerOff()
        expect(clock.pendingTimers).toBe(0)
      },
    ),
    { numRuns: 100 },
  )
}, 30_000)

test('a restart anywhere in a sequence ends in the same report as none', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(deeds(honestFaults), { maxLength: 15 }),
      fc.array(deeds(honestFaults), { maxLength: 10 }),
      fc.nat(5_000_000),
      async (before, after, offMs) => {
        round++
        const clock = createManualClock()
        const options: VirtualPrinterOptions = {
          id: 'p',
          model: 'P1S',
          now: clock.now,
          schedule: clock.schedule,
          stateFile: join(folder, `${round}.jsonl`),
        }
        const steady = createVirtualPrinter(options)
        await steady.powerOn()
        for (const { deed } of before) await tryTo(deed, steady, clock)
        const copy = join(folder, `${round}-copy.jsonl`)
        copyFileSync(join(folder, `${round}.jsonl`), copy)
        clock.advance(offMs)
        const restarted = createVirtualPrinter({ ...options, stateFile: copy })
        await restarted.powerOn()
        expect(restarted.report()).toEqual(steady.report())
        for (const { text, deed } of after) {
          await tryTo(deed, steady, clock)
          // Both live on the same clock, which moves once.
          if (!text.startsWith('wait')) await tryTo(deed, restarted, clock)
          expect(restarted.report()).toEqual(steady.report())
        }
        await steady.powerOff()
        await restarted.powerOff()
      },
    ),
    { numRuns: 80 },
  )
}, 30_000)

test('under any faults at all the physical record stays sound', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deeds(faults), { maxLength: 30 }), async (sequence) => {
      const clock = createManualClock()
      const { now, schedule } = clock
      const printer = createVirtualPrinter({ id: 'p', model: 'X1C', now, schedule })
      await printer.powerOn()
      printer.startByHand('first.gcode', buildPlan())
      for (const { deed } of sequence) {
        const call = tryTo(deed, printer, clock)
        // Calls may hang for ever by design; a turn is enough for those that do not.
        await Promise.race([call, new Promise((resolve) => setImmediate(resolve))])
        expect(printer.report().progress).toBeLessThanOrEqual(1)
      }
      expectOneRunAtATime(printer.events)
      await printer.powerOff()
      expect(clock.pendingTimers).toBe(0)
    }),
    { numRuns: 100 },
  )
}, 30_000)
