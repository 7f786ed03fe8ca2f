import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHub, type Hub } from '../hub.ts'
import { openJournal } from '../journal/journal.ts'
import { createRecordedLog } from '../test/quiet-log.ts'
import { buildConfig, makeDataDir, printerEvents, quickTimings, startsAt } from '../test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from '../test/test-service.ts'
import type { Timings } from '../timings.ts'

const ATTEMPT = 'att_0000000000000001'
const SECOND = 'att_0000000000000002'

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub
let printers: Map<string, VirtualPrinter>

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
})

afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

async function startHub(timings: Partial<Timings> = {}, clock = Date.now) {
  const connects = service.connectCount
  printers = new Map()
  const config = buildConfig(service, { dataDir: dataDir.path, speed: 200 })
  const simulatedPrinters = printers
  hub = createHub(config, {
    log: createRecordedLog(),
    timings: { ...quickTimings, ...timings },
    clock,
    simulatedPrinters,
  })
  await hub.start()
  await service.until(() => service.connectCount > connects, 'the hub')
}

async function becomeReady(connection: Record<string, unknown> = {}, timings: Partial<Timings> = {}) {
  service.printers = [buildPrinter({ connection })]
  await startHub(timings)
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
}

const configure = (connection: Record<string, unknown>) =>
  service.send('configure', { printers: [buildPrinter({ connection })] })

const serveCube = () => service.serve('cube.gcode', { content: Buffer.alloc(20_000, 'G1 X10\n') })

async function print(attempt_id = ATTEMPT) {
  return service.resultOf(service.command('print', { attempt_id, file: serveCube() }))
}

const stepsOf = (attemptId: string) => service.reportsOf(attemptId).map(({ phase, outcome }) => `${phase} ${outcome}`)

const lost = () =>
  service.until(
    () => service.reportsOf(ATTEMPT).find(({ reason_code }) => reason_code === 'RESULT_LOST'),
    'the result to be lost',
  )

/** A print that was seen running, and whose printer forgets it over a power cut. */
async function loseResult() {
  await becomeReady({ remembers_last_run: false })
  await print()
  await service.reachesPhase(ATTEMPT, 'confirmed')
  await service.until(() => (service.pictureOf(PRINTER).progress ?? 0) >= 5, 'some progress')
  printers.get(PRINTER)?.restart({ remembers: false })
  return lost()
}

describe('a refused start', () => {
  test('that takes effect while it is watched is confirmed', async () => {
    await becomeReady({ faults: ['refusal_after_effect'], late_start_ms: 150 })
    await print()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    expect(stepsOf(ATTEMPT)).toEqual(['transferring null', 'starting null', 'confirmed null'])
  })

  test('that runs after it was reported takes its attempt back, and is stopped as any other', async () => {
    await becomeReady({ faults: ['refuse'] })
    await print()
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({
      outcome: 'not_started',
      reason_code: 'PRINTER_REFUSED',
      evidence: { kind: 'refusal' },
    })
    const file_name = printerEvents(dataDir.path).find(({ kind }) => kind === 'uploaded')?.fileName ?? ''
    printers.get(PRINTER)?.startByHand(file_name, { printTimeSeconds: 6_000, layerCount: 9, nozzleTemp: 0, bedTemp: 0 })
    expect(await service.reachesPhase(ATTEMPT, 'confirmed')).toMatchObject({ outcome: null })
    await service.until(() => service.pictureOf(PRINTER).run?.attempt_id === ATTEMPT, 'our run')
    expect(await print(SECOND)).toMatchObject({ ok: false, code: 'PRINTER_BUSY' })
    configure({})
    expect((await service.resultOf(service.command('stop', { attempt_id: ATTEMPT }))).ok).toBe(true)
    await service.until(() => stepsOf(ATTEMPT).at(-1) === 'finished cancelled', 'the end')
    await hub.stop()
    const journal = await openJournal({ path: `${dataDir.path}/journal.jsonl`, log: createRecordedLog() })
    expect(journal.state.attempts.get(ATTEMPT)?.report).toMatchObject({ phase: 'finished', outcome: 'cancelled' })
    await journal.close()
    expect(startsAt(dataDir.path)).toBe(1)
  })

  test('that may have printed while the hub was down is asked about, and never said not to have started', async () => {
    await becomeReady({ faults: ['refuse'] })
    await print()
    await service.reachesPhase(ATTEMPT, 'starting')
    await wait(100)
    await hub.stop()
    const fileName = printerEvents(dataDir.path).find(({ kind }) => kind === 'uploaded')?.fileName ?? ''
    const stateFile = `${dataDir.path}/virtual/${PRINTER}.jsonl`
    const printer = createVirtualPrinter({ id: PRINTER, model: 'MK4S', speed: 1_000, stateFile })
    await printer.powerOn()
    const quick = { printTimeSeconds: 1, layerCount: 1, nozzleTemp: 0, bedTemp: 0 }
    for (const name of [fileName, 'vase.gcode']) {
      printer.startByHand(name, quick)
      await service.until(() => printer.report().activity === 'idle', `the end of ${name}`)
      printer.takePrintOff()
    }
    await printer.powerOff()
    await startHub()
    await service.until(() => stepsOf(ATTEMPT).at(-1) === 'starting unknown', 'the question')
    expect(service.reportsOf(ATTEMPT).at(-1)).toMatchObject({ reason_code: 'REFUSED_OUT_OF_SIGHT' })
    await wait(300)
    expect(stepsOf(ATTEMPT).at(-1)).toBe('starting unknown')
  })

  test('is remembered over a restart of the hub, and not started in the end', async () => {
    await becomeReady({ faults: ['refuse'] })
    await print()
    await service.reachesPhase(ATTEMPT, 'starting')
    await wait(100)
    await hub.stop()
    expect(stepsOf(ATTEMPT)).toEqual(['transferring null', 'starting null'])
    await startHub()
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({
      outcome: 'not_started',
      reason_code: 'PRINTER_REFUSED',
    })
  })
})

describe('a print that ended unseen', () => {
  test('is unknown with the last progress that was seen, also after a restart, and holds the printer until it is released', async () => {
    const report = await loseResult()
    expect(report).toMatchObject({ phase: 'confirmed', outcome: 'unknown', reason_code: 'RESULT_LOST' })
    expect(report.evidence.detail).toMatch(/last seen at \d+ % at 20/)
    await hub.stop()
    service.settle = [{ attempt_id: ATTEMPT, printer_id: PRINTER, fence: report.fence }]
    const told = service.reportsOf(ATTEMPT).length
    await startHub()
    await service.until(() => service.reportsOf(ATTEMPT).length > told, 'the settlement')
    expect(service.reportsOf(ATTEMPT).at(-1)).toMatchObject({ phase: 'confirmed', outcome: 'unknown' })
    expect(service.ofType('hello').at(-1)?.open_attempts).toMatchObject([{ attempt_id: ATTEMPT, outcome: 'unknown' }])
    service.send('release', { attempts: [{ attempt_id: ATTEMPT, printer_id: PRINTER }] })
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({
      outcome: 'unknown',
      reason_code: 'RELEASED',
    })
  })

  test('gives way to a newer command, as superseded', async () => {
    await loseResult()
    expect((await print(SECOND)).ok).toBe(true)
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({
      outcome: 'unknown',
      reason_code: 'SUPERSEDED',
    })
  })
})

describe('a filament map', () => {
  test('that the printer cannot be told ends the attempt before anything is sent, with a reason of its own', async () => {
    await becomeReady()
    const filament_map = [{ filament: 0, slot: 1 }]
    const id = service.command('print', { attempt_id: ATTEMPT, file: serveCube(), filament_map })
    expect((await service.resultOf(id)).ok).toBe(true)
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({
      outcome: 'not_started',
      reason_code: 'FILAMENT_NOT_MAPPED',
      evidence: { kind: 'refusal', detail: 'the printer cannot be told from which slots to print' },
    })
    expect(printerEvents(dataDir.path).filter(({ kind }) => kind === 'uploaded')).toEqual([])
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('is what a hub says that it can keep to', async () => {
    await becomeReady()
    expect(service.ofType('hello').at(-1)?.capabilities).toContain('filament-map')
  })
})

describe('a hub that lost its journal', () => {
  const fileNameOf = (kind: string) => printerEvents(dataDir.path).find((event) => event.kind === kind)?.fileName ?? ''
  const plan = { printTimeSeconds: 6_000, layerCount: 9, nozzleTemp: 0, bedTemp: 0 }
  const printLong = (attempt_id = ATTEMPT) =>
    service.resultOf(service.command('print', { attempt_id, file: { ...serveCube(), print_time_seconds: 60_000 } }))
  const shownRun = () => service.pictureOf(PRINTER).run

  /** Begins again with nothing but what the service and the printers know. */
  async function loseJournal(settle: Partial<TestService['settle'][number]> = {}, attempt_id = ATTEMPT) {
    await hub.stop()
    rmSync(`${dataDir.path}/journal.jsonl`)
    service.received.length = 0
    service.settle = [{ attempt_id, printer_id: PRINTER, fence: 7, ...settle }]
    await startHub()
  }

  test('knows the run of the attempt by the name of its file, and follows it to its end', async () => {
    await becomeReady()
    await printLong()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    await loseJournal()
    await service.until(() => shownRun()?.attempt_id === ATTEMPT, 'our run to be known as ours')
    expect(service.reportsOf(ATTEMPT)).toMatchObject([
      { phase: 'finished', outcome: 'not_started', reason_code: 'ORDER_LOST', evidence: { kind: 'journal' } },
      { phase: 'confirmed', outcome: null, fence: 7, evidence: { kind: 'telemetry' } },
    ])
    expect((await service.resultOf(service.command('stop', { attempt_id: ATTEMPT }))).ok).toBe(true)
    await service.until(() => stepsOf(ATTEMPT).at(-1) === 'finished cancelled', 'the end')
    expect(startsAt(dataDir.path)).toBe(1)
  })

  test('tells that the print has ended well meanwhile', async () => {
    await becomeReady()
    await print()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    await hub.stop()
    await wait(4_000)
    await loseJournal()
    await service.until(() => stepsOf(ATTEMPT).includes('finished done'), 'the end')
  })

  test('takes another run of the file for no run of the attempt', async () => {
    await becomeReady()
    await printLong()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    await loseJournal({ run_id: 'another-run' })
    await service.until(() => shownRun(), 'the run')
    await wait(300)
    expect(shownRun()).toMatchObject({ attempt_id: null })
    expect(stepsOf(ATTEMPT).at(-1)).toBe('finished not_started')
  })

  test('takes an older file of ours that a person prints again for no run of the live attempt', async () => {
    await becomeReady()
    await printLong()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    const fileName = fileNameOf('started')
    expect((await service.resultOf(service.command('stop', { attempt_id: ATTEMPT }))).ok).toBe(true)
    await service.until(() => stepsOf(ATTEMPT).at(-1) === 'finished cancelled', 'the end')
    printers.get(PRINTER)?.startByHand(fileName, plan)
    await loseJournal({}, SECOND)
    await service.until(() => shownRun()?.file_name === fileName, 'the run')
    await wait(300)
    expect(shownRun()).toMatchObject({ attempt_id: null })
    expect(stepsOf(SECOND)).toEqual(['finished not_started'])
  })

  test('does not take the file back once the printer has had another command', async () => {
    await becomeReady()
    await printLong()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    const fileName = fileNameOf('started')
    await printers.get(PRINTER)?.stop(AbortSignal.timeout(5_000))
    await loseJournal({ fence: 1 })
    await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
    await printLong(SECOND)
    await service.reachesPhase(SECOND, 'confirmed')
    expect((await service.resultOf(service.command('stop', { attempt_id: SECOND }))).ok).toBe(true)
    await service.until(() => stepsOf(SECOND).at(-1) === 'finished cancelled', 'the end of the second')
    printers.get(PRINTER)?.startByHand(fileName, plan)
    await service.until(() => shownRun()?.file_name === fileName, 'the run by hand')
    await wait(300)
    expect(shownRun()).toMatchObject({ attempt_id: null })
  })
})

describe('release', () => {
  test('takes back a command that is on its way, ends one that runs, and one of a printer that is not run any more', async () => {
    await becomeReady()
    const file = service.serve('slow.gcode', { content: Buffer.from('G28\n'), delayMs: 5_000 })
    await service.resultOf(service.command('print', { attempt_id: ATTEMPT, file }))
    service.send('release', { attempts: [{ attempt_id: ATTEMPT, printer_id: PRINTER }] })
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({ outcome: 'cancelled' })
    await print(SECOND)
    await service.reachesPhase(SECOND, 'confirmed')
    service.send('configure', { printers: [] })
    await service.until(() => printers.size === 0, 'the printer to be let go')
    service.send('release', { attempts: [{ attempt_id: SECOND, printer_id: PRINTER }] })
    expect(await service.reachesPhase(SECOND, 'finished')).toMatchObject({ reason_code: 'RELEASED' })
    service.send('configure', { printers: service.printers })
    await service.until(() => service.pictureOf(PRINTER).run?.attempt_id === SECOND, 'our run to be known as ours')
  })
})

describe('a hub that restarts all the time', () => {
  /** Lives as short as this, while the limits are longer. */
  const lifeMs = 400

  test.each([
    ['a clock that goes', () => Date.now(), 'starting unknown'],
    ['a clock that is set back each time', backwards(), undefined],
  ])('gives up a lost start anyway, with %s', async (_, clock, expected) => {
    await becomeReady({ faults: ['yes_without_effect'] })
    await print()
    await service.reachesPhase(ATTEMPT, 'starting')
    for (let life = 0; life < 15 && !stepsOf(ATTEMPT).includes('finished not_started'); life += 1) {
      await hub.stop()
      await startHub({}, clock)
      await wait(lifeMs)
    }
    expect(await service.reachesPhase(ATTEMPT, 'finished', 100)).toMatchObject({
      outcome: 'not_started',
      reason_code: 'PRINTER_IGNORED_START',
    })
    if (expected) expect(stepsOf(ATTEMPT)).toContain(expected)
  })
})

/** An hour earlier at each call for a new hub, and going forward within it. */
function backwards() {
  const began = Date.now()
  return () => Date.now() - 3_600_000 - (Date.now() - began) / 2
}
