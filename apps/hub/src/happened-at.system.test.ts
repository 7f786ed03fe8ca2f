import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

const ATTEMPT = 'att_0000000000000001'
const HOUR_MS = 3_600_000
/** A hub whose clock is an hour behind that of the service. */
const clock = () => Date.now() - HOUR_MS

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub

async function startHub(): Promise<void> {
  const connects = service.connectCount
  const config = buildConfig(service, { dataDir: dataDir.path, speed: 400 })
  hub = createHub(config, { log: createRecordedLog(), timings: quickTimings, clock })
  await hub.start()
  await service.until(() => service.connectCount > connects, 'the hub')
}

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  service.printers = [buildPrinter()]
  await startHub()
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
})

afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
})

const finishedFrames = () => service.ofType('attempt').filter(({ report }) => report.phase === 'finished')

test('a print that ends while the line to the service is down is told with the time of its end, by the clock of the hub', async () => {
  const file = service.serve('cube.gcode', { content: Buffer.alloc(20_000, 'G1 X10\n') })
  await service.resultOf(service.command('print', { attempt_id: ATTEMPT, file }))
  await service.reachesPhase(ATTEMPT, 'confirmed')
  service.refuseWith = 503
  service.acknowledges = false
  service.cut()
  const leftAt = clock()
  await wait(4_000)
  const returnsAt = clock()
  service.refuseWith = undefined
  const { report } = (await service.until(() => finishedFrames()[0], 'the end of the print', 60_000)) ?? {}
  const endedAt = Date.parse(report?.happened_at ?? '')
  expect(report).toMatchObject({ outcome: 'done' })
  expect(endedAt).toBeGreaterThanOrEqual(leftAt)
  expect(endedAt).toBeLessThan(returnsAt)

  // Told again by a hub that was restarted meanwhile, it is the same report of the same time.
  await hub.stop()
  await wait(500)
  await startHub()
  const [first, again] = await service.until(() => finishedFrames().length > 1 && finishedFrames(), 'the report again')
  expect(again).toEqual(first)
})

test('everything that a hub sends is dated by its one clock', async () => {
  const file = service.serve('cube.gcode', { content: Buffer.alloc(20_000, 'G1 X10\n') })
  await service.resultOf(service.command('print', { attempt_id: ATTEMPT, file }))
  await service.resultOf(service.command('light', { on: true }))
  await service.reachesPhase(ATTEMPT, 'finished', 60_000)
  const dates = service.received.flatMap((message) => [
    message.ts,
    ...(message.type === 'attempt' ? [message.report.happened_at] : []),
  ])
  expect(dates.length).toBeGreaterThan(6)
  const skews = dates.map((date) => Math.abs(Date.parse(date) - clock()))
  expect(Math.max(...skews)).toBeLessThan(60_000)
})
