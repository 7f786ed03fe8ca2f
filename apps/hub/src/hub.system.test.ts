import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog, type RecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, printerEvents, quickTimings, startsAt } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub
let log: RecordedLog

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  log = createRecordedLog()
  hub = createHub(buildConfig(service, { dataDir: dataDir.path, virtualCount: 3 }), { log, timings: quickTimings })
})

afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

/** Connected, and the printer has been seen idle. */
async function becomeReady() {
  await hub.start()
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
}

describe('a hub with a virtual printer', () => {
  test('prints a file from the command to the result, and the reports tell the way', async () => {
    await becomeReady()
    const file = service.serve('cube.gcode', { content: Buffer.from('G28\n'.repeat(5000)) })
    const result = await service.resultOf(service.command('print', { attempt_id: 'att_0000000000000001', file }))
    expect(result).toMatchObject({ ok: true, code: null })
    const finished = await service.reachesPhase('att_0000000000000001', 'finished')
    expect(finished).toMatchObject({ outcome: 'done', reason_code: null, evidence: { kind: 'telemetry' } })
    expect(finished.evidence.run_id).not.toBeNull()
    expect(service.reportsOf('att_0000000000000001').map(({ phase }) => phase)).toEqual([
      'transferring',
      'starting',
      'confirmed',
      'finished',
    ])
    expect(startsAt(dataDir.path)).toBe(1)
    const [started] = printerEvents(dataDir.path).filter(({ kind }) => kind === 'started')
    expect(started?.fileName).toBe('cube-000000000001.gcode')
    await service.until(
      () => service.pictureOf(PRINTER).last_result?.run.attempt_id === 'att_0000000000000001',
      'the result in the telemetry',
    )
  })

  test('offers its simulated printers after the welcome and when asked', async () => {
    await becomeReady()
    expect(service.ofType('discovered')[0]?.candidates).toHaveLength(3)
    service.send('discover', {})
    await service.until(() => service.ofType('discovered').length === 2, 'the candidates again')
    expect(new Set(service.ofType('discovered')[1]?.candidates.map(({ model }) => model)).size).toBe(3)
  })

  test('settings that a driver cannot use show the printer offline with the reason', async () => {
    service.printers = [buildPrinter(), buildPrinter({ printer_id: 'prn_2', connection_type: 'bambu' })]
    await becomeReady()
    const picture = await service.until(
      () => service.pictureOf('prn_2').status && service.pictureOf('prn_2'),
      'the second printer',
    )
    expect(picture).toMatchObject({ status: 'offline', status_reason: 'the address "" cannot be understood' })
  })

  test('stops in time, says that it goes away, and can be started again', async () => {
    await becomeReady()
    const before = performance.now()
    await hub.stop()
    expect(performance.now() - before).toBeLessThan(10_000)
    await service.until(() => service.closes.length === 1, 'the close')
    expect(service.closes[0]?.code).toBe(1001)
    await hub.start()
    await service.until(() => service.connectCount === 2, 'the second connection')
  })

  test('a second hub on the same data directory is refused and told who holds it', async () => {
    await becomeReady()
    const second = createHub(buildConfig(service, { dataDir: dataDir.path }), { log })
    await expect(second.start()).rejects.toMatchObject({ code: 'DATA_DIR_HELD' })
    await expect(second.start()).rejects.toThrow(`process ${process.pid}`)
  })
})
