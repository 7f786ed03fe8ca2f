import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHub, type Hub } from '../hub.ts'
import { createRecordedLog } from '../test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from '../test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from '../test/test-service.ts'

let service: TestService
let hub: Hub
let dataDir: ReturnType<typeof makeDataDir>

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  return async () => {
    await service.stop()
    dataDir.remove()
  }
})
afterEach(() => hub.stop())

async function start(connection: Record<string, unknown>): Promise<void> {
  service.printers = [buildPrinter({ connection })]
  hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
    log: createRecordedLog(),
    timings: { ...quickTimings, heartbeatMs: 100 },
  })
  await hub.start()
}

const problems = () => service.pictureOf(PRINTER).problems?.map(({ reason }) => reason)
const isIdle = () => service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')

test('a full storage is told until the next file finds room', async () => {
  await start({ faults: ['storage_full'] })
  await isIdle()
  expect(problems()).toEqual([])
  const file = service.serve('cube.gcode', { content: Buffer.from('G28\n'.repeat(500)) })
  service.command('print', { attempt_id: 'att_1', file })
  expect(await service.reachesPhase('att_1', 'finished')).toMatchObject({ outcome: 'not_started' })
  await service.until(() => problems()?.includes('storage_full'), 'the problem')
  service.send('configure', { printers: [buildPrinter({ connection: { faults: [] } })] })
  await isIdle()
  service.command('print', { attempt_id: 'att_2', file })
  expect(await service.reachesPhase('att_2', 'finished')).toMatchObject({ outcome: 'done' })
  await service.until(() => problems()?.length === 0, 'the problem to be over')
  expect(service.problems).toEqual([])
})

test('a printer that falls silent and comes back tells so, and its hub has nothing to complain of', async () => {
  await start({})
  await isIdle()
  service.send('configure', { printers: [buildPrinter({ connection: { faults: ['lost_link'] } })] })
  await service.until(() => problems()?.includes('no_answer'), 'the silence', 30_000)
  service.send('configure', { printers: [buildPrinter({ connection: { faults: [] } })] })
  await service.until(() => problems()?.length === 0, 'the return', 30_000)
  await service.until(() => service.ofType('heartbeat').at(-1)?.problems !== undefined, 'a heartbeat')
  expect(service.problems).toEqual([])
})
