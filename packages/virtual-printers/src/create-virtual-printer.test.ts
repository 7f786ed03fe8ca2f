import { expect, test, vi } from 'vitest'
import { buildPlan, buildPrinter, bytesOf, eventKinds, patient, startFile, uploadFile } from './test/build-printer.ts'
import type { VirtualReport } from './virtual-printer.ts'

const minute = 60_000

test('a print heats, prints layer by layer, ends, and cools', async () => {
  const { printer, clock } = await buildPrinter()
  expect(printer.report()).toMatchObject({
    activity: 'idle',
    runId: null,
    lastResult: null,
    progress: 0,
    totalLayers: 0,
  })

  const runId = await startFile(printer)
  clock.advance(30_000)
  const heating = printer.report()
  expect(heating).toMatchObject({ activity: 'heating', runId, fileName: 'part.gcode', progress: 0, layer: 0 })
  expect(heating.remainingSeconds).toBeGreaterThan(3_600)
  expect(heating.nozzle.target).toBe(215)
  expect(heating.nozzle.actual).toBeGreaterThan(60)
  expect(heating.nozzle.actual).toBeLessThan(200)

  clock.advance(30 * minute)
  const printing = printer.report()
  expect(printing).toMatchObject({ activity: 'printing', runId, totalLayers: 100 })
  expect(printing.progress).toBeGreaterThan(0.4)
  expect(printing.progress).toBeLessThan(0.5)
  expect(printing.layer).toBeGreaterThan(35)
  expect(Math.abs(printing.nozzle.actual - 215)).toBeLessThan(1)
  expect(Math.abs(printing.bed.actual - 60)).toBeLessThan(1)

  clock.advance(45 * minute)
  const done = printer.report()
  expect(done).toMatchObject({
    activity: 'idle',
    runId,
    lastResult: 'completed',
    progress: 1,
    layer: 100,
    remainingSeconds: null,
  })
  expect(done.nozzle.target).toBe(0)
  clock.advance(600 * minute)
  expect(printer.report().nozzle.actual).toBeLessThan(25)
  expect(eventKinds(printer)).toEqual(['powered_on', 'uploaded', 'started', 'completed'])
})

test('remaining seconds count down second by second from the start, heating included', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  const first = printer.report().remainingSeconds ?? 0
  clock.advance(10_000)
  expect(printer.report().remainingSeconds).toBe(first - 10)
  clock.advance(20 * minute)
  expect(Math.abs((printer.report().remainingSeconds ?? 0) - (first - 1_210))).toBeLessThanOrEqual(1)
})

test.each([1, 7, 1_000, 100_000])(
  'at speed %i a print ends at its simulated time to the millisecond',
  async (speed) => {
    const durations: number[] = []
    for (const stepMs of [13, 100_000]) {
      const { printer, clock } = await buildPrinter({ speed, seed: 4 })
      await startFile(printer, { printTimeSeconds: 10 * speed })
      const startedAt = clock.now()
      for (let waited = 0; waited < 200_000; waited += stepMs) clock.advance(stepMs)
      const completed = printer.events.find(({ kind }) => kind === 'completed')
      durations.push((completed?.at ?? Number.NaN) - startedAt)
    }
    expect(durations[0]).toBe(durations[1])
    expect(durations[0]).toBeGreaterThanOrEqual(10_000)
  },
)

test('the last result stays until the next run begins, then is gone', async () => {
  const { printer, clock } = await buildPrinter()
  const first = await startFile(printer)
  clock.advance(1_000 * minute)
  expect(printer.report()).toMatchObject({ activity: 'idle', lastResult: 'completed', runId: first })
  printer.takePrintOff()
  expect(printer.report()).toMatchObject({ lastResult: 'completed', runId: first })
  const { runId } = await printer.startPrint('part.gcode', buildPlan(), patient)
  expect(runId).not.toBe(first)
  expect(printer.report()).toMatchObject({ activity: 'heating', lastResult: null, runId, progress: 0 })
})

test('a pause keeps temperatures and progress, and the print takes as much longer', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(20 * minute)
  await printer.pause(patient)
  const before = printer.report()
  clock.advance(300 * minute)
  const after = printer.report()
  expect(after).toMatchObject({
    activity: 'paused',
    message: 'Paused.',
    progress: before.progress,
    layer: before.layer,
    remainingSeconds: before.remainingSeconds,
  })
  expect(Math.abs(after.nozzle.actual - 215)).toBeLessThan(1)
  await printer.resume(patient)
  expect(printer.report().activity).toBe('printing')
  clock.advance((before.remainingSeconds ?? 0) * 1_000)
  expect(printer.report().lastResult).toBe('completed')
})

test('a print resumed on cooled heaters heats again first', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(20 * minute)
  await printer.pause(patient)
  await printer.setTargets({ nozzle: 0 }, patient)
  clock.advance(20 * minute)
  const { progress } = printer.report()
  await printer.resume(patient)
  clock.advance(5_000)
  expect(printer.report()).toMatchObject({ activity: 'heating', progress })
  clock.advance(3 * minute)
  expect(printer.report().activity).toBe('printing')
})

test('a stop gives cancelled, keeps the progress and cools down', async () => {
  const { printer, clock } = await buildPrinter()
  const runId = await startFile(printer)
  clock.advance(30 * minute)
  const { progress } = printer.report()
  await printer.stop(patient)
  expect(printer.report()).toMatchObject({ activity: 'idle', lastResult: 'cancelled', runId, progress })
  expect(printer.report().nozzle.target).toBe(0)
  clock.advance(5 * minute)
  expect(printer.report().nozzle.actual).toBeLessThan(100)
})

test('starting while printing is answered with BUSY and does not touch the running print', async () => {
  const { printer } = await buildPrinter()
  const runId = await startFile(printer)
  await uploadFile(printer, 'other.gcode')
  await expect(printer.startPrint('other.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'BUSY' })
  expect(() => printer.startByHand('other.gcode', buildPlan())).toThrow(expect.objectContaining({ code: 'BUSY' }))
  expect(printer.report().runId).toBe(runId)
  expect(eventKinds(printer).filter((kind) => kind === 'started')).toHaveLength(1)
})

test('what does not fit the state of the printer is answered with WRONG_STATE', async () => {
  const { printer, clock } = await buildPrinter()
  const wrong = { code: 'WRONG_STATE' }
  await expect(printer.pause(patient)).rejects.toMatchObject(wrong)
  await expect(printer.resume(patient)).rejects.toMatchObject(wrong)
  await expect(printer.stop(patient)).rejects.toMatchObject(wrong)
  await startFile(printer)
  await expect(printer.resume(patient)).rejects.toMatchObject(wrong)
  clock.advance(10 * minute)
  expect(() => printer.takePrintOff()).toThrow(expect.objectContaining(wrong))
  await printer.pause(patient)
  await expect(printer.pause(patient)).rejects.toMatchObject(wrong)
  expect(eventKinds(printer).filter((kind) => kind === 'refused')).toHaveLength(5)
})

test('an unknown file is answered with NO_SUCH_FILE', async () => {
  const { printer } = await buildPrinter()
  await expect(printer.startPrint('none.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'NO_SUCH_FILE' })
  await expect(printer.deleteFile('none.gcode', patient)).rejects.toMatchObject({ code: 'NO_SUCH_FILE' })
})

test('the file that is being printed can be neither replaced nor deleted, others can', async () => {
  const { printer } = await buildPrinter()
  await startFile(printer)
  await expect(uploadFile(printer)).rejects.toMatchObject({ code: 'BUSY' })
  await expect(printer.deleteFile('part.gcode', patient)).rejects.toMatchObject({ code: 'BUSY' })
  await uploadFile(printer, 'other.gcode', 10)
  await uploadFile(printer, 'other.gcode', 20)
  expect(await printer.listFiles(patient)).toEqual([
    { fileName: 'part.gcode', sizeBytes: 5_000 },
    { fileName: 'other.gcode', sizeBytes: 20 },
  ])
  await printer.deleteFile('other.gcode', patient)
  expect(await printer.listFiles(patient)).toHaveLength(1)
})

test('targets beyond the limits of the model are refused, in a plan too', async () => {
  const { printer, clock } = await buildPrinter({ model: 'A1 mini' })
  await uploadFile(printer)
  const hot = buildPlan({ bedTemp: 100 })
  await expect(printer.startPrint('part.gcode', hot, patient)).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(printer.setTargets({ nozzle: 301 }, patient)).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(printer.setTargets({ bed: Number.NaN }, patient)).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(printer.setTargets({ chamber: 40 }, patient)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
  await printer.setTargets({ nozzle: 200, bed: 80 }, patient)
  clock.advance(20 * minute)
  expect(Math.abs(printer.report().bed.actual - 80)).toBeLessThan(1)
})

test('a chamber with a heater reaches its target, one with a sensor is warmed by the bed', async () => {
  const heated = await buildPrinter({ model: 'X1E' })
  await heated.printer.setTargets({ chamber: 50 }, patient)
  heated.clock.advance(60 * minute)
  expect(Math.abs((heated.printer.report().chamber?.actual ?? 0) - 50)).toBeLessThan(1)

  const sensed = await buildPrinter({ model: 'P1S' })
  await expect(sensed.printer.setTargets({ chamber: 40 }, patient)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
  await sensed.printer.setTargets({ bed: 90 }, patient)
  sensed.clock.advance(120 * minute)
  expect(sensed.printer.report().chamber?.actual).toBeGreaterThan(35)
})

test('filament is unloaded and loaded in the time that heating and feeding take', async () => {
  const { printer, clock } = await buildPrinter({ filament: { type: 'PETG', colorHex: '#00FF00' } })
  expect(printer.report().filament).toEqual({ type: 'PETG', colorHex: '#00FF00' })
  await uploadFile(printer)
  await printer.unloadFilament(patient)
  expect(printer.report()).toMatchObject({ activity: 'changing_filament', message: 'Unloading filament.' })
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'BUSY' })
  clock.advance(3 * minute)
  expect(printer.report()).toMatchObject({ activity: 'idle', filament: null, nozzle: { target: 0 } })
  await expect(printer.startPrint('part.gcode', buildPlan(), patient)).rejects.toMatchObject({ code: 'REFUSED' })
  await printer.loadFilament(patient)
  clock.advance(3 * minute)
  expect(printer.report().filament).toEqual({ type: 'PETG', colorHex: '#00FF00' })
  await printer.startPrint('part.gcode', buildPlan(), patient)
})

test('the light goes on and off', async () => {
  const { printer } = await buildPrinter()
  await printer.setLight(true, patient)
  expect(printer.report().lightOn).toBe(true)
  await printer.setLight(false, patient)
  expect(printer.report().lightOn).toBe(false)
})

test('a start at the screen looks like any run, needs no uploaded file, and has its own identity', async () => {
  const { printer, clock } = await buildPrinter()
  printer.startByHand('from-stick.gcode', buildPlan())
  const { runId, fileName, activity } = printer.report()
  expect({ fileName, activity }).toEqual({ fileName: 'from-stick.gcode', activity: 'heating' })
  clock.advance(200 * minute)
  printer.takePrintOff()
  expect(await startFile(printer)).not.toBe(runId)
})

test('a start on a plate with the last print on it is on record, one after clearing is not', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(200 * minute)
  const second = await startFile(printer)
  expect(printer.events.filter(({ kind }) => kind === 'started_on_occupied_plate')).toMatchObject([{ runId: second }])
  await printer.stop(patient)
  printer.takePrintOff()
  await startFile(printer)
  expect(eventKinds(printer).filter((kind) => kind === 'started_on_occupied_plate')).toHaveLength(1)
  expect(eventKinds(printer).filter((kind) => kind === 'started')).toHaveLength(3)
})

test('a run cancelled before the first layer leaves a clear plate', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(10_000)
  await printer.stop(patient)
  await startFile(printer)
  expect(eventKinds(printer)).not.toContain('started_on_occupied_plate')
})

test('a change is reported at once, and a working printer at most four times a second', async () => {
  const { printer, clock } = await buildPrinter({ speed: 1_000 })
  const reportedAt: number[] = []
  const activities: string[] = []
  printer.onReport(({ activity }) => {
    reportedAt.push(clock.now())
    activities.push(activity)
  })
  clock.advance(10_000)
  const idleReports = reportedAt.length
  expect(idleReports).toBeLessThanOrEqual(3)
  await startFile(printer, { printTimeSeconds: 100_000 })
  expect(activities.at(-1)).toBe('heating')
  expect(reportedAt.at(-1)).toBe(clock.now())
  clock.advance(20_000)
  expect(reportedAt.length - idleReports).toBeGreaterThan(70)
  for (const [index, at] of reportedAt.entries()) expect(at - (reportedAt[index - 1] ?? 0)).toBeGreaterThanOrEqual(250)
})

test('a cold printer repeats itself every five seconds and does nothing in between', async () => {
  const { printer, clock } = await buildPrinter()
  const reports: VirtualReport[] = []
  printer.onReport((report) => reports.push(report))
  clock.advance(60_000)
  expect(reports.length).toBeGreaterThanOrEqual(12)
  expect(reports.length).toBeLessThanOrEqual(14)
  expect(new Set(reports.map((report) => JSON.stringify(report))).size).toBe(1)
})

test('a listener that throws harms no other and is named', async () => {
  const onError = vi.fn<(error: unknown, what: string) => void>()
  const { printer, clock } = await buildPrinter({ onError })
  const failure = new Error('listener')
  const heard: string[] = []
  printer.onReport(() => {
    throw failure
  })
  printer.onReport(({ activity }) => heard.push(activity))
  await startFile(printer)
  clock.advance(1_000)
  expect(heard).toContain('heating')
  expect(onError).toHaveBeenCalledWith(failure, expect.stringContaining('listener'))
})

test('a listener that was taken back hears nothing more', async () => {
  const { printer, clock } = await buildPrinter()
  let count = 0
  const end = printer.onReport(() => count++)
  clock.advance(1_000)
  const before = count
  end()
  await startFile(printer)
  clock.advance(minute)
  expect(before).toBeGreaterThan(0)
  expect(count).toBe(before)
})

test('off and on can be repeated; off frees every timer and listener, and the print goes on meanwhile', async () => {
  const { printer, clock } = await buildPrinter({ faults: ['slow_file_store'] })
  let count = 0
  printer.onReport(() => count++)
  printer.startByHand('part.gcode', buildPlan())
  const caller = new AbortController()
  const listing = printer.listFiles(caller.signal)
  expect(clock.pendingTimers).toBeGreaterThan(0)
  for (let round = 0; round < 3; round++) {
    await printer.powerOff()
    await printer.powerOff()
    expect(clock.pendingTimers).toBe(0)
    const before = count
    clock.advance(10 * minute)
    expect(count).toBe(before)
    await printer.powerOn()
    await printer.powerOn()
    expect(printer.report().activity).toBe('printing')
  }
  clock.advance(60 * minute)
  expect(printer.report().lastResult).toBe('completed')
  expect(eventKinds(printer).filter((kind) => kind === 'powered_on')).toHaveLength(4)
  caller.abort()
  await expect(listing).rejects.toThrow(/abort/)
})

test('a printer that is off answers nothing until the caller gives up, and can be cleared', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(200 * minute)
  await printer.powerOff()
  const caller = new AbortController()
  const calls = [
    printer.listFiles(caller.signal),
    printer.startPrint('part.gcode', buildPlan(), caller.signal),
    printer.upload('b.gcode', 10, bytesOf(10), caller.signal),
  ]
  expect(() => printer.startByHand('part.gcode', buildPlan())).toThrow(expect.objectContaining({ code: 'WRONG_STATE' }))
  printer.takePrintOff()
  caller.abort(new Error('gave up'))
  for (const call of calls) await expect(call).rejects.toThrow('gave up')
  expect(eventKinds(printer)).toContain('plate_taken_off')
  await printer.powerOn()
  await startFile(printer)
  expect(eventKinds(printer)).not.toContain('started_on_occupied_plate')
})

test('a call whose signal has aborted already changes nothing', async () => {
  const { printer } = await buildPrinter()
  await uploadFile(printer)
  const aborted = AbortSignal.abort(new Error('too late'))
  await expect(printer.startPrint('part.gcode', buildPlan(), aborted)).rejects.toThrow('too late')
  await expect(printer.upload('b.gcode', 10, bytesOf(10), aborted)).rejects.toThrow('too late')
  await expect(printer.listFiles(aborted)).rejects.toThrow('too late')
  expect(eventKinds(printer)).toEqual(['powered_on', 'uploaded'])
})

test('a change of speed in the middle of a print keeps what is done and speeds up the rest', async () => {
  const { printer, clock } = await buildPrinter()
  await startFile(printer)
  clock.advance(30 * minute)
  const { progress, remainingSeconds } = printer.report()
  printer.setSpeed(1_000)
  expect(printer.report()).toMatchObject({ progress, remainingSeconds })
  clock.advance(remainingSeconds ?? 0)
  expect(printer.report().lastResult).toBe('completed')
  expect(() => printer.setSpeed(0)).toThrow(RangeError)
})

test('a spool that a person puts in is what it reports, and is not changed in the middle of a print', async () => {
  const { printer } = await buildPrinter({ filament: { type: 'PLA', colorHex: '#112233' } })
  printer.putSpool({ type: 'PETG', colorHex: '#445566' })
  expect(printer.report().filament).toEqual({ type: 'PETG', colorHex: '#445566' })
  await startFile(printer)
  expect(() => printer.putSpool({ type: 'ASA', colorHex: '#000000' })).toThrow(
    expect.objectContaining({ code: 'WRONG_STATE' }),
  )
  expect(printer.report().filament?.type).toBe('PETG')
})
