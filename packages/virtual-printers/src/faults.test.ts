import { expect, test } from 'vitest'
import { buildPlan, buildPrinter, bytesOf, eventKinds, patient, startFile, uploadFile } from './test/build-printer.ts'
import type { VirtualPrinter } from './virtual-printer.ts'

const minute = 60_000

/** Whether a call has been answered by now, well or badly. */
async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open')
  // A turn of the event loop, so that everything that is on its way arrives.
  await new Promise((resolve) => setImmediate(resolve))
  const first = await Promise.race([call.catch(() => 'rejected'), Promise.resolve(open)])
  return first !== open
}

test('lost_link: calls hang until their signal aborts, reports stop, and the print goes on to its end', async () => {
  const { printer, clock } = await buildPrinter()
  let reports = 0
  printer.onReport(() => reports++)
  await startFile(printer)
  printer.setFaults(['lost_link'])
  const before = reports
  const caller = new AbortController()
  const calls = [
    printer.pause(caller.signal),
    printer.listFiles(caller.signal),
    printer.upload('b.gcode', 10, bytesOf(10), caller.signal),
    printer.startPrint('part.gcode', buildPlan(), caller.signal),
  ]
  clock.advance(30 * minute)
  for (const call of calls) expect(await isAnswered(call)).toBe(false)
  caller.abort(new Error('timeout'))
  for (const call of calls) await expect(call).rejects.toThrow('timeout')
  clock.advance(60 * minute)
  expect(reports).toBe(before)
  printer.setFaults([])
  expect(reports).toBe(before + 1)
  expect(printer.report().lastResult).toBe('completed')
  expect(eventKinds(printer)).toEqual(['powered_on', 'uploaded', 'started', 'completed'])
})

test('lost_link right after a start loses the answer, not the start', async () => {
  const { printer } = await buildPrinter()
  await uploadFile(printer)
  const caller = new AbortController()
  const start = printer.startPrint('part.gcode', buildPlan(), caller.signal)
  printer.setFaults(['lost_link'])
  expect(await isAnswered(start)).toBe(false)
  caller.abort(new Error('timeout'))
  await expect(start).rejects.toThrow('timeout')
  expect(eventKinds(printer)).toContain('started')
})

test('lost_link switched on by the listener that hears of the start loses its answer too', async () => {
  const { printer, clock } = await buildPrinter()
  await uploadFile(printer)
  clock.advance(1_000)
  printer.onReport(({ activity }) => {
    if (activity === 'heating') printer.setFaults(['lost_link'])
  })
  const start = printer.startPrint('part.gcode', buildPlan(), patient)
  expect(await isAnswered(start)).toBe(false)
  expect(printer.report().activity).toBe('heating')
})

test('lost_link in the middle of an upload hangs it and leaves a partial file', async () => {
  const { printer } = await buildPrinter()
  const caller = new AbortController()
  async function* content() {
    yield new Uint8Array(400)
    printer.setFaults(['lost_link'])
    yield new Uint8Array(600)
  }
  const upload = printer.upload('part.gcode', 1_000, content(), caller.signal)
  expect(await isAnswered(upload)).toBe(false)
  caller.abort(new Error('timeout'))
  await expect(upload).rejects.toThrow('timeout')
  printer.setFaults([])
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
})

test('refuse: every command is refused with a reason and on record; files and reports work', async () => {
  const { printer } = await buildPrinter({ faults: ['refuse'] })
  await uploadFile(printer)
  const commands: ((printer: VirtualPrinter) => Promise<unknown>)[] = [
    (printer) => printer.startPrint('part.gcode', buildPlan(), patient),
    (printer) => printer.pause(patient),
    (printer) => printer.resume(patient),
    (printer) => printer.stop(patient),
    (printer) => printer.setTargets({ nozzle: 100 }, patient),
    (printer) => printer.setLight(true, patient),
    (printer) => printer.loadFilament(patient),
    (printer) => printer.unloadFilament(patient),
  ]
  for (const command of commands) {
    await expect(command(printer)).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringMatching(/refuses/) })
  }
  expect(eventKinds(printer)).toEqual(['powered_on', 'uploaded', ...commands.map(() => 'refused')])
  expect(printer.report()).toMatchObject({ activity: 'idle', lightOn: false, nozzle: { target: 0 } })
  printer.setFaults([])
  await printer.startPrint('part.gcode', buildPlan(), patient)
})

test('yes_without_effect: a start is answered with an identity that never runs', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['yes_without_effect'] })
  await uploadFile(printer)
  const first = await printer.startPrint('part.gcode', buildPlan(), patient)
  await printer.setLight(true, patient)
  await printer.pause(patient)
  clock.advance(minute)
  expect(printer.report()).toMatchObject({ activity: 'idle', runId: null, lightOn: false })
  expect(eventKinds(printer)).toEqual(['powered_on', 'uploaded', 'ignored', 'ignored', 'ignored'])
  printer.setFaults([])
  const second = await printer.startPrint('part.gcode', buildPlan(), patient)
  expect(second.runId).not.toBe(first.runId)
})

test('lying_finish: a print is reported as completed although it runs on, busy and hot', async () => {
  const { printer, clock } = await buildPrinter()
  const runId = await startFile(printer)
  printer.setFaults(['lying_finish'])
  clock.advance(5 * minute)
  expect(printer.report().activity).toBe('printing')
  clock.advance(20 * minute)
  expect(printer.report()).toMatchObject({
    activity: 'idle',
    lastResult: 'completed',
    runId,
    progress: 1,
    layer: 100,
    nozzle: { target: 215 },
  })
  expect(eventKinds(printer)).not.toContain('completed')
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'BUSY' })
  printer.setFaults([])
  expect(printer.report()).toMatchObject({ activity: 'printing', lastResult: null })
  clock.advance(60 * minute)
  expect(eventKinds(printer)).toContain('completed')
})

test('half_upload: half of the file arrives, cannot be printed, and can be replaced', async () => {
  const { printer } = await buildPrinter({ faults: ['half_upload'] })
  await expect(uploadFile(printer, 'part.gcode', 5_000)).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
  expect(await printer.listFiles(patient)).toEqual([{ fileName: 'part.gcode', sizeBytes: 2_500 }])
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  expect(() => printer.startByHand('part.gcode', buildPlan())).toThrow(expect.objectContaining({ code: 'REFUSED' }))
  expect(eventKinds(printer)).not.toContain('started')
  printer.setFaults([])
  await uploadFile(printer, 'part.gcode', 5_000)
  await printer.startPrint('part.gcode', buildPlan(), patient)
  expect(eventKinds(printer)).toEqual(['powered_on', 'upload_broken', 'refused', 'uploaded', 'started'])
})

test('slow_file_store: an upload and a listing wait, a file is not printable before, and the caller can give up', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['slow_file_store'], slowFileStoreMs: 20_000 })
  const upload = uploadFile(printer)
  const listing = printer.listFiles(patient)
  expect(await isAnswered(upload)).toBe(false)
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  clock.advance(19_999)
  expect(await isAnswered(upload)).toBe(false)
  expect(await isAnswered(listing)).toBe(false)
  clock.advance(1)
  await upload
  expect(await listing).toHaveLength(1)

  const caller = new AbortController()
  const given = printer.upload('b.gcode', 10, bytesOf(10), caller.signal)
  const asked = printer.listFiles(caller.signal)
  await isAnswered(given)
  caller.abort(new Error('gave up'))
  await expect(given).rejects.toThrow('gave up')
  await expect(asked).rejects.toThrow('gave up')
  expect(clock.pendingTimers).toBe(0)
})

test('runout: the print pauses, wants filament, and goes on once a person has loaded it', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['runout'] })
  await startFile(printer)
  clock.advance(60 * minute)
  const { progress } = printer.report()
  expect(printer.report()).toMatchObject({ activity: 'paused', message: 'The filament ran out.', filament: null })
  expect(progress).toBeCloseTo(0.4, 3)
  await expect(printer.resume(patient)).rejects.toMatchObject({ code: 'WRONG_STATE' })
  await printer.loadFilament(patient)
  expect(printer.report().activity).toBe('changing_filament')
  clock.advance(2 * minute)
  expect(printer.report()).toMatchObject({ activity: 'paused', progress })
  await printer.resume(patient)
  clock.advance(60 * minute)
  expect(printer.report().lastResult).toBe('completed')
  expect(eventKinds(printer)).toEqual([
    'powered_on',
    'uploaded',
    'started',
    'paused',
    'refused',
    'resumed',
    'completed',
  ])
})

test('print_failure: the print fails half way with a reason, heaters off, and needs a person', async () => {
  const { printer, clock } = await buildPrinter()
  const runId = await startFile(printer)
  clock.advance(50 * minute)
  expect(printer.report().activity).toBe('printing')
  printer.setFaults(['print_failure'])
  expect(printer.report()).toMatchObject({
    activity: 'fault',
    lastResult: 'failed',
    lastResultReason: expect.stringMatching(/Thermal/),
    message: expect.stringMatching(/Thermal/),
    runId,
    nozzle: { target: 0 },
  })
  // It strikes when it is switched on, not at a moment that has passed.
  expect(printer.report().progress).toBeGreaterThan(0.7)
  expect(printer.events.at(-1)).toMatchObject({ kind: 'failed', at: clock.now() })
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'WRONG_STATE' })
  printer.setFaults([])
  printer.takePrintOff()
  expect(printer.report()).toMatchObject({ activity: 'idle', message: null, lastResult: 'failed' })
  await printer.startPrint('part.gcode', buildPlan(), patient)
  expect(eventKinds(printer)).not.toContain('started_on_occupied_plate')
})

test('print_failure that was on from the start strikes at half of the print', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['print_failure'] })
  await startFile(printer)
  clock.advance(200 * minute)
  expect(printer.report()).toMatchObject({ activity: 'fault', lastResult: 'failed', progress: 0.5 })
  await printer.stop(patient)
  expect(printer.report().activity).toBe('idle')
})

test.each([
  ['too little', 900],
  ['too much', 1_100],
])('an upload that brings %s is broken and its file not printable', async (_name, sentBytes) => {
  const { printer } = await buildPrinter()
  const upload = printer.upload('part.gcode', 1_000, bytesOf(sentBytes, 100), patient)
  await expect(upload).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
})

test('a source that fails breaks the upload, which keeps the failure as its cause', async () => {
  const { printer } = await buildPrinter()
  const failure = new Error('disk')
  async function* content() {
    yield new Uint8Array(300)
    throw failure
  }
  const upload = printer.upload('part.gcode', 1_000, content(), patient)
  await expect(upload).rejects.toMatchObject({ code: 'UPLOAD_BROKEN', cause: failure })
  expect(await printer.listFiles(patient)).toEqual([{ fileName: 'part.gcode', sizeBytes: 300 }])
})

test('a source that never answers does not hold an upload whose signal aborts', async () => {
  const { printer } = await buildPrinter()
  const caller = new AbortController()
  async function* content() {
    yield new Uint8Array(300)
    await new Promise(() => undefined)
  }
  const upload = printer.upload('part.gcode', 1_000, content(), caller.signal)
  expect(await isAnswered(upload)).toBe(false)
  await expect(uploadFile(printer)).rejects.toMatchObject({ code: 'BUSY' })
  caller.abort(new Error('gave up'))
  await expect(upload).rejects.toThrow('gave up')
  await uploadFile(printer)
})
