import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createVirtualPrinter } from './create-virtual-printer.ts'
import { buildPlan, buildPrinter, eventKinds, patient, startFile, uploadFile } from './test/build-printer.ts'
import type { VirtualPrinter } from './virtual-printer.ts'

const minute = 60_000
const quick = { printTimeSeconds: 1, layerCount: 1, nozzleTemp: 0, bedTemp: 0 }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hands-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('what was printed lies on the plate, one print on another, until a hand takes everything off', async () => {
  const { printer, clock } = await buildPrinter()
  const first = await startFile(printer)
  expect(printer.plate).toEqual([])
  clock.advance(200 * minute)
  const { runId: second } = printer.startByHand('vase.gcode', buildPlan())
  clock.advance(20 * minute)
  await printer.stop(patient)
  const both = [
    { runId: first, fileName: 'part.gcode' },
    { runId: second, fileName: 'vase.gcode' },
  ]
  expect(printer.plate).toEqual(both)
  printer.takeOffPlate()
  printer.takeOffPlate()
  expect(printer.plate).toEqual([])
  const of = (kind: string) => printer.events.filter((event) => event.kind === kind).map(({ onPlate }) => onPlate)
  expect(of('started')).toEqual([[], [both[0]]])
  expect(of('plate_taken_off')).toEqual([both])
})

test('no hand takes a print off while it runs, not even in a pause', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(20 * minute)
  await printer.pause(patient)
  expect(() => printer.takeOffPlate()).toThrow(expect.objectContaining({ code: 'WRONG_STATE' }))
})

test('a print by hand that begins and ends between two looks leaves its result, its identity and its print', async () => {
  const { printer, clock } = await buildPrinter()
  const { runId } = printer.startByHand('quick.gcode', quick)
  clock.advance(2_000)
  expect(printer.report()).toMatchObject({
    activity: 'idle',
    runId,
    fileName: 'quick.gcode',
    lastResult: 'completed',
    progress: 1,
  })
  expect(printer.plate).toEqual([{ runId, fileName: 'quick.gcode' }])
})

test('a print by hand is reported as it begins, however short it is and whenever the last report was', async () => {
  const { printer } = await buildPrinter({ speed: 100_000 })
  const told: (string | null)[] = []
  printer.onReport(({ fileName }) => told.push(fileName))
  await printer.setLight(true, patient)
  printer.startByHand('quick.gcode', quick)
  expect(told.at(-1)).toBe('quick.gcode')
})

test.each([
  ['remembers that its print ended', true, { lastResult: 'failed', lastResultReason: 'The power was cut.' }],
  ['forgets its print', false, { runId: null, fileName: null, lastResult: null }],
])('a machine that restarts in mid-print %s, and its plate stays as it is', async (_what, remembersLastRun, shown) => {
  const { printer, clock } = await buildPrinter({ remembersLastRun })
  await startFile(printer)
  clock.advance(20 * minute)
  printer.restart()
  expect(printer.report()).toMatchObject({ activity: 'idle', ...shown })
  expect(printer.plate).toHaveLength(1)
  expect(eventKinds(printer).slice(-2)).toEqual(['failed', 'restarted'])
})

test('a power cut just after the end loses the result where the machine forgets, and nowhere the print', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(200 * minute)
  printer.restart({ remembers: false })
  expect(printer.report()).toMatchObject({ runId: null, lastResult: null })
  expect(printer.plate).toHaveLength(1)
})

test('without power the machine is silent, and comes back by itself', async () => {
  const { printer, clock } = await buildPrinter()
  let reports = 0
  printer.onReport(() => reports++)
  printer.restart({ offMs: minute })
  const before = reports
  const call = printer.setLight(true, AbortSignal.timeout(60_000))
  call.catch(() => undefined)
  clock.advance(30_000)
  expect(reports).toBe(before)
  expect(() => printer.startByHand('vase.gcode', quick)).toThrow(expect.objectContaining({ code: 'WRONG_STATE' }))
  clock.advance(31_000)
  expect(reports).toBeGreaterThan(before)
  await printer.setLight(true, patient)
})

test.each([
  ['the machine restarts', (printer: VirtualPrinter) => printer.restart()],
  [
    'a lost link is back',
    (printer: VirtualPrinter) => {
      printer.setFaults(['lost_link'])
      printer.setFaults([])
    },
  ],
])('an upload breaks when %s, and can be repeated', async (_what, happen) => {
  const { printer } = await buildPrinter()
  async function* content() {
    yield new Uint8Array(400)
    happen(printer)
    await new Promise(() => undefined)
  }
  await expect(printer.upload('part.gcode', 1_000, content(), patient)).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
  await uploadFile(printer)
})

test('refusal_after_effect: the start is refused, and runs anyway some seconds later', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['refusal_after_effect'], lateStartMs: 12_000 })
  await uploadFile(printer)
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  clock.advance(11_000)
  expect(printer.report().runId).toBeNull()
  clock.advance(2_000)
  expect(printer.report()).toMatchObject({ activity: 'heating', fileName: 'part.gcode' })
  expect(eventKinds(printer)).toEqual(['powered_on', 'uploaded', 'refused', 'started'])
})

test('refusal_after_effect: what a person starts meanwhile takes the place of the start that was refused', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['refusal_after_effect'], lateStartMs: 12_000 })
  await uploadFile(printer)
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  clock.advance(5_000)
  printer.startByHand('by-hand.gcode', buildPlan())
  clock.advance(200 * minute)
  expect(printer.events.filter(({ kind }) => kind === 'started').map(({ fileName }) => fileName)).toEqual([
    'by-hand.gcode',
  ])
})

test('lasting_error: no stop ends the fault, a person at the machine does', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['print_failure', 'lasting_error'] })
  await startFile(printer)
  clock.advance(200 * minute)
  await printer.stop(patient)
  expect(printer.report().activity).toBe('fault')
  printer.takePrintOff()
  expect(printer.report().activity).toBe('idle')
})

test('silent_error: with its fault the machine says nothing more until a person has been there', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['print_failure', 'silent_error'] })
  await startFile(printer)
  let told = printer.report().activity
  printer.onReport(({ activity }) => {
    told = activity
  })
  clock.advance(200 * minute)
  expect(told).toBe('printing')
  printer.acknowledgeFault()
  await printer.setLight(true, patient)
  clock.advance(1_000)
  expect(told).toBe('idle')
  expect(printer.plate).toHaveLength(1)
})

test('the plate, its late start and its lost power survive the process', async () => {
  const stateFile = join(folder, 'printer.jsonl')
  const { printer, clock } = await buildPrinter({
    stateFile,
    faults: ['refusal_after_effect'],
    remembersLastRun: false,
  })
  printer.startByHand('quick.gcode', quick)
  clock.advance(2_000)
  await uploadFile(printer)
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  await printer.powerOff()
  clock.advance(10_000)
  const { now, schedule } = clock
  const again = createVirtualPrinter({ id: 'printer-1', model: 'MK4S', now, schedule, stateFile })
  await again.powerOn()
  expect(again.report()).toMatchObject({ activity: 'heating', fileName: 'part.gcode' })
  expect(again.plate).toMatchObject([{ fileName: 'quick.gcode' }])
  expect(eventKinds(again)).toContain('started_on_occupied_plate')
})

test('a state file of an earlier release keeps what lay on the plate', async () => {
  const stateFile = join(folder, 'printer.jsonl')
  writeFileSync(stateFile, `${JSON.stringify({ state: { plateOccupied: true, run: null } })}\n`)
  expect((await buildPrinter({ stateFile })).printer.plate).toHaveLength(1)
})
