import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, printerEvents, quickTimings, startsAt } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

const ATTEMPT = 'att_0000000000000001'

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  const config = buildConfig(service, { dataDir: dataDir.path, speed: 200 })
  hub = createHub(config, { log: createRecordedLog(), timings: quickTimings })
})

afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

async function becomeReady(connection: Record<string, unknown> = {}) {
  service.printers = [buildPrinter({ connection })]
  await hub.start()
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
}

function configure(connection: Record<string, unknown>) {
  service.send('configure', { printers: [buildPrinter({ connection })] })
}

function serveCube(served: Partial<Parameters<TestService['serve']>[1]> = {}) {
  const content = Buffer.alloc(300_000, 'G1 X10 Y10 E1\n')
  return service.serve('cube.gcode', { content, ...served })
}

async function print(attempt_id = ATTEMPT, file = serveCube()) {
  const commandId = service.command('print', { attempt_id, file })
  return service.resultOf(commandId)
}

async function printing() {
  await print()
  await service.reachesPhase(ATTEMPT, 'confirmed')
  await service.until(() => service.pictureOf(PRINTER).run?.attempt_id === ATTEMPT, 'our run in the telemetry')
}

describe('faults of the printer', () => {
  test('a refused start is not started, with the words of the printer', async () => {
    await becomeReady({ faults: ['refuse'] })
    await print()
    const finished = await service.reachesPhase(ATTEMPT, 'finished')
    expect(finished).toMatchObject({
      outcome: 'not_started',
      reason_code: 'PRINTER_REFUSED',
      evidence: { kind: 'refusal' },
    })
    expect(finished.evidence.detail).toContain('refuses to start')
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('a yes without effect becomes unknown first, and not started once the idle printer has proved it', async () => {
    await becomeReady({ faults: ['yes_without_effect'] })
    await print()
    const finished = await service.reachesPhase(ATTEMPT, 'finished')
    expect(finished).toMatchObject({ outcome: 'not_started', reason_code: 'PRINTER_IGNORED_START' })
    expect(service.reportsOf(ATTEMPT).map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ['transferring', null],
      ['starting', null],
      ['starting', 'unknown'],
      ['finished', 'not_started'],
    ])
    expect(printerEvents(dataDir.path).filter(({ kind }) => kind === 'ignored')).toHaveLength(1)
  })

  test('a pause that is answered with yes and not done is reported as refused', async () => {
    await becomeReady()
    await printing()
    configure({ faults: ['yes_without_effect'] })
    const result = await service.resultOf(service.command('pause', { attempt_id: ATTEMPT }))
    expect(result).toMatchObject({ ok: false, code: 'PRINTER_REFUSED' })
  })

  test('an upload that always breaks is tried three times and then not started', async () => {
    await becomeReady({ faults: ['half_upload'] })
    await print()
    const finished = await service.reachesPhase(ATTEMPT, 'finished')
    expect(finished).toMatchObject({ outcome: 'not_started', reason_code: 'UPLOAD_FAILED' })
    expect(printerEvents(dataDir.path).filter(({ kind }) => kind === 'upload_broken')).toHaveLength(3)
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('a print that fails at the printer is failed, with its reason', async () => {
    await becomeReady({ faults: ['print_failure'], speed: 2_000 })
    await print()
    const finished = await service.reachesPhase(ATTEMPT, 'finished')
    expect(finished).toMatchObject({ outcome: 'failed', reason_code: 'PRINT_FAILED' })
    expect(finished.evidence.detail).toContain('Thermal fault')
    await service.until(() => service.pictureOf(PRINTER).status === 'error', 'the error')
  })

  test('a runout pauses the print, filament goes in, and the print is resumed to its end', async () => {
    await becomeReady({ faults: ['runout'], speed: 2_000 })
    await print()
    await service.until(() => service.pictureOf(PRINTER).status === 'paused', 'the pause')
    expect(service.pictureOf(PRINTER).status_reason).toContain('ran out')
    const loaded = await service.resultOf(service.command('load_filament', { slot: null, temperature: null }))
    expect(loaded.ok).toBe(true)
    await service.until(() => service.pictureOf(PRINTER).filament_type === 'PLA', 'the filament')
    await service.until(() => service.pictureOf(PRINTER).status_reason !== 'Loading filament.', 'the end of loading')
    expect(await service.resultOf(service.command('resume', { attempt_id: ATTEMPT }))).toMatchObject({ ok: true })
    expect((await service.reachesPhase(ATTEMPT, 'finished')).outcome).toBe('done')
  })

  test('a lost link shows the printer offline, the print goes on and its end is seen on return', async () => {
    await becomeReady({ speed: 2_000 })
    await print()
    await service.reachesPhase(ATTEMPT, 'confirmed')
    configure({ faults: ['lost_link'], speed: 2_000 })
    await service.until(() => service.pictureOf(PRINTER).status === 'offline', 'the printer to be offline', 8_000)
    expect(await service.resultOf(service.command('pause', { attempt_id: ATTEMPT }))).toMatchObject({
      ok: false,
      code: 'PRINTER_UNREACHABLE',
    })
    expect(service.reportsOf(ATTEMPT).at(-1)?.phase).toBe('confirmed')
    configure({ faults: [], speed: 2_000 })
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({ outcome: 'done' })
  }, 15_000)

  test('a finish that the printer claims too early is believed once, and its next start refused by the busy printer', async () => {
    await becomeReady({ faults: ['lying_finish'] })
    await print()
    expect((await service.reachesPhase(ATTEMPT, 'finished')).outcome).toBe('done')
    await print('att_0000000000000002')
    const second = await service.reachesPhase('att_0000000000000002', 'finished')
    expect(second).toMatchObject({ outcome: 'not_started', reason_code: 'PRINTER_BUSY' })
    expect(startsAt(dataDir.path)).toBe(1)
  })
})

describe('commands', () => {
  test('pause, resume and stop are answered when the printer shows their effect', async () => {
    await becomeReady()
    await printing()
    for (const [kind, status] of [
      ['pause', 'paused'],
      ['resume', 'printing'],
    ] as const) {
      expect(await service.resultOf(service.command(kind, { attempt_id: ATTEMPT }))).toMatchObject({ ok: true })
      await service.until(() => service.pictureOf(PRINTER).status === status, status)
    }
    expect(await service.resultOf(service.command('stop', { attempt_id: ATTEMPT }))).toMatchObject({ ok: true })
    expect((await service.reachesPhase(ATTEMPT, 'finished')).outcome).toBe('cancelled')
  })

  test('a command for another run is refused, and so is one that does not fit the state', async () => {
    await becomeReady()
    expect(await service.resultOf(service.command('pause', { attempt_id: ATTEMPT }))).toMatchObject({
      code: 'WRONG_STATE',
    })
    await printing()
    const other = 'att_0000000000000009'
    expect(await service.resultOf(service.command('stop', { attempt_id: other }))).toMatchObject({ code: 'WRONG_RUN' })
    expect(await service.resultOf(service.command('resume', { attempt_id: ATTEMPT }))).toMatchObject({
      code: 'WRONG_STATE',
    })
  })

  test('heaters are held within the limits of the printer, and the answer says so', async () => {
    await becomeReady()
    const result = await service.resultOf(service.command('heaters', { nozzle: 450, bed: 50 }))
    expect(result).toMatchObject({ ok: false, code: 'PRINTER_REFUSED' })
    service.send('configure', { printers: [buildPrinter({ limits: { nozzle: 250, bed: 100, chamber: 0 } })] })
    const limited = await service.resultOf(service.command('heaters', { nozzle: 450, bed: 50 }))
    expect(limited).toMatchObject({ ok: true, message: 'nozzle limited to 250 °C' })
    await service.until(() => service.pictureOf(PRINTER).target_nozzle_temp === 250, 'the target')
  })

  test('a stop while the file is on its way cancels the attempt, and nothing is started', async () => {
    await becomeReady()
    await print(ATTEMPT, serveCube({ delayMs: 25_000 }))
    const result = await service.resultOf(service.command('stop', { attempt_id: ATTEMPT }))
    expect(result.ok).toBe(true)
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({ outcome: 'cancelled', reason_code: null })
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('a stop while a slow printer takes the file cancels the attempt', async () => {
    await becomeReady({ faults: ['slow_file_store'] })
    await print()
    await service.until(() => service.fileRequests.length === 1, 'the download')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await service.resultOf(service.command('stop', { attempt_id: ATTEMPT }))).ok).toBe(true)
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({ outcome: 'cancelled' })
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('a repeated command is answered again and done once', async () => {
    await becomeReady()
    const file = serveCube()
    const commandId = service.command('print', { attempt_id: ATTEMPT, file })
    await service.reachesPhase(ATTEMPT, 'confirmed')
    service.command('print', { attempt_id: ATTEMPT, file }, { command_id: commandId, fence: 1 })
    await service.until(() => service.ofType('result').length === 2, 'the answer again')
    const [first, second] = service.ofType('result')
    expect(second).toMatchObject({ id: first?.id, command_id: commandId, ok: true })
    expect(startsAt(dataDir.path)).toBe(1)
  })

  test('an attempt that comes again under another command is accepted and not started twice', async () => {
    await becomeReady()
    await printing()
    const again = service.command('print', { attempt_id: ATTEMPT, file: serveCube() })
    expect((await service.resultOf(again)).ok).toBe(true)
    expect(await print('att_0000000000000002')).toMatchObject({ ok: false, code: 'PRINTER_BUSY' })
    expect(startsAt(dataDir.path)).toBe(1)
  })

  test('a lower fence, a passed deadline, a foreign printer and bad arguments are refused', async () => {
    await becomeReady()
    expect((await service.resultOf(service.command('light', { on: true }, { fence: 10 }))).ok).toBe(true)
    const stale = service.command('light', { on: false }, { fence: 9 })
    const expired = service.command(
      'light',
      { on: false },
      { fence: 11, deadline: new Date(Date.now() - 5_000).toISOString() },
    )
    const foreign = service.command('light', { on: false }, { printer_id: 'prn_9' })
    const senseless = service.command('light', { on: false }, { fence: 12, args: { on: 'maybe' } })
    const codes = []
    for (const id of [stale, expired, foreign, senseless]) codes.push((await service.resultOf(id)).code)
    expect(codes).toEqual(['STALE_FENCE', 'EXPIRED', 'UNKNOWN_PRINTER', 'INTERNAL'])
    await service.until(() => service.pictureOf(PRINTER).light_on === true, 'the light')
  })

  test('attempts that the service asks about are settled from the journal', async () => {
    service.settle = [{ attempt_id: 'att_never', printer_id: PRINTER, fence: 3 }]
    await becomeReady()
    expect(await service.reachesPhase('att_never', 'finished')).toMatchObject({
      outcome: 'not_started',
      evidence: { kind: 'journal' },
    })
    const late = service.command('print', { attempt_id: 'att_never', file: serveCube() })
    expect(await service.resultOf(late)).toMatchObject({ ok: false, code: 'WRONG_STATE' })
  })
})

describe('files', () => {
  test('a download that breaks goes on from where it broke', async () => {
    await becomeReady()
    const file = serveCube({ breaks: [100_000, 50_000] })
    await print(ATTEMPT, file)
    await service.reachesPhase(ATTEMPT, 'confirmed')
    const ranges = service.fileRequests.map(({ range }) => range)
    expect(ranges).toHaveLength(3)
    expect(ranges[0]).toBeUndefined()
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true)
  })

  test('a service that ignores ranges is served from the beginning again', async () => {
    await becomeReady()
    await print(ATTEMPT, serveCube({ breaks: [100_000], ignoresRanges: true }))
    await service.reachesPhase(ATTEMPT, 'confirmed')
    expect(service.fileRequests).toHaveLength(2)
  })

  test('a file whose bytes are not those of its hash is not started', async () => {
    await becomeReady()
    const file = { ...serveCube(), sha256: createHash('sha256').update('another file').digest('hex') }
    await print(ATTEMPT, file)
    const finished = await service.reachesPhase(ATTEMPT, 'finished')
    expect(finished).toMatchObject({ outcome: 'not_started', reason_code: 'FILE_CORRUPT' })
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('a file that the service does not give is not started', async () => {
    await becomeReady()
    await print(ATTEMPT, serveCube({ status: 403 }))
    expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({ reason_code: 'FILE_UNAVAILABLE' })
    expect(service.fileRequests).toHaveLength(1)
  })

  test('one file for several printers is downloaded once', async () => {
    service.printers = ['prn_1', 'prn_2', 'prn_3'].map((printer_id) => buildPrinter({ printer_id }))
    await hub.start()
    await service.until(() => service.pictureOf('prn_3').status === 'idle', 'the third printer')
    const file = serveCube({ delayMs: 100 })
    for (const printer_id of ['prn_1', 'prn_2', 'prn_3']) {
      service.command('print', { attempt_id: `att_${printer_id}`, file }, { printer_id })
    }
    for (const printer_id of ['prn_1', 'prn_2', 'prn_3']) await service.reachesPhase(`att_${printer_id}`, 'confirmed')
    expect(service.fileRequests).toHaveLength(1)
  })
})

describe('changes of the printers', () => {
  test('printers come, change and go while another one prints', async () => {
    await becomeReady()
    await printing()
    const first = buildPrinter()
    service.send('configure', { printers: [first, buildPrinter({ printer_id: 'prn_2' })] })
    await service.until(() => service.pictureOf('prn_2').status === 'idle', 'the second printer')
    service.send('configure', { printers: [{ ...first, name: 'Renamed', connection: { speed: 5_000 } }] })
    const gone = service.command('light', { on: true }, { printer_id: 'prn_2' })
    expect(await service.resultOf(gone)).toMatchObject({ code: 'UNKNOWN_PRINTER' })
    expect((await service.reachesPhase(ATTEMPT, 'finished')).outcome).toBe('done')
    expect(startsAt(dataDir.path)).toBe(1)
  })
})
