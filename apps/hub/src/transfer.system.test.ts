import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

const ATTEMPT = 'att_0000000000000001'
const SIZE = 400_000

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  hub = createHub(buildConfig(service, { dataDir: dataDir.path, speed: 200 }), {
    log: createRecordedLog(),
    timings: { ...quickTimings, telemetryMs: 50 },
  })
  // Slow enough that a machine under load sees it on its way.
  service.printers = [buildPrinter({ connection: { upload_bytes_per_second: 100_000 } })]
  await hub.start()
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
})
afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

function sendPrint() {
  const file = service.serve('cube.gcode', { content: Buffer.alloc(SIZE, 'G1 X10 Y10 E1\n') })
  service.command('print', { attempt_id: ATTEMPT, file })
}

/** What was told of a transfer, in order. */
const told = () =>
  service
    .ofType('telemetry')
    .flatMap(({ printers }) => printers)
    .flatMap(({ state }) => ('transfer' in state ? [state.transfer] : []))

test('a slow transfer to the printer is told as it goes on, and no more once it is over', async () => {
  sendPrint()
  await service.reachesPhase(ATTEMPT, 'confirmed')
  await service.until(() => told().length > 1 && told().at(-1) === null, 'the end of the transfer')
  const steps = told().flatMap((transfer) => (transfer ? [transfer] : []))
  expect(steps.every(({ attempt_id, total_bytes }) => attempt_id === ATTEMPT && total_bytes === SIZE)).toBe(true)
  const sent = steps.map(({ sent_bytes }) => sent_bytes)
  expect(sent).toEqual([...sent].sort((a, b) => a - b))
  expect(sent.some((bytes) => bytes > 0 && bytes < SIZE)).toBe(true)
  // The printer takes seven pieces; it is not told of each of the bytes.
  expect(steps.length).toBeLessThanOrEqual(8)
})

test('a transfer that is cancelled is on its way no more', async () => {
  sendPrint()
  await service.until(() => told().some((transfer) => transfer && transfer.sent_bytes > 0), 'the transfer to begin')
  const stopId = service.command('stop', { attempt_id: ATTEMPT })
  expect(await service.resultOf(stopId)).toMatchObject({ ok: true })
  await service.until(() => told().at(-1) === null, 'the end of the transfer')
  expect(await service.reachesPhase(ATTEMPT, 'finished')).toMatchObject({ outcome: 'cancelled' })
})
