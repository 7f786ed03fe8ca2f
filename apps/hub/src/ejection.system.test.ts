import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, printerEvents, quickTimings } from './test/test-hub.ts'
import { PRINTER, startTestService, type TestService } from './test/test-service.ts'

const ejection_gcode = '; ejection begin\nM140 S0\n; ejection end\n'

let dataDir: ReturnType<typeof makeDataDir>
let service: TestService
let hub: Hub

beforeEach(async () => {
  dataDir = makeDataDir()
  service = await startTestService()
  hub = buildHub()
  await hub.start()
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
})
afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
})

const buildHub = (speed = 1_000) =>
  createHub(buildConfig(service, { dataDir: dataDir.path, speed }), { log: createRecordedLog(), timings: quickTimings })
const kinds = () => printerEvents(dataDir.path).map(({ kind }) => kind)
const content = Buffer.from('G28\nG1 X10\n')

test('the hub says that it can eject', () => {
  expect(service.ofType('hello')[0]?.capabilities).toContain('ejection')
})

test('two prints with ejection follow one another on one plate, each reported so, and no copy stays', async () => {
  const file = service.serve('clip.gcode', { content })
  for (const attempt_id of ['att_1', 'att_2']) {
    service.command('print', { attempt_id, file, ejection_gcode })
    expect(await service.reachesPhase(attempt_id, 'finished')).toMatchObject({ outcome: 'done', with_ejection: true })
    expect(service.reportsOf(attempt_id).every((report) => report.with_ejection)).toBe(true)
  }
  const seen = kinds()
  expect(seen.filter((kind) => kind === 'completed')).toHaveLength(2)
  expect(seen.filter((kind) => kind === 'ejected')).toHaveLength(2)
  expect(seen).not.toContain('started_on_occupied_plate')
  const [uploaded] = printerEvents(dataDir.path).filter(({ kind }) => kind === 'uploaded')
  expect(uploaded?.detail).toBe(`${content.length + 1 + ejection_gcode.length} bytes`)
  await expect.poll(() => readdirSync(join(dataDir.path, 'ejecting'))).toEqual([])
})

test('a print without ejection is sent as it is, and leaves its plate occupied', async () => {
  const file = service.serve('clip.gcode', { content })
  service.command('print', { attempt_id: 'att_1', file })
  expect(await service.reachesPhase('att_1', 'finished')).not.toHaveProperty('with_ejection')
  expect(kinds()).not.toContain('ejected')
  expect(printerEvents(dataDir.path).find(({ kind }) => kind === 'uploaded')?.detail).toBe(`${content.length} bytes`)
})

test('an ejection that cannot be appended to the format is refused before anything begins', async () => {
  const file = { ...service.serve('clip.gcode.3mf', { content }), format: 'gcode-3mf' as const, archive_plate: 1 }
  const command = service.command('print', { attempt_id: 'att_1', file, ejection_gcode })
  expect(await service.resultOf(command)).toMatchObject({ ok: false, code: 'NOT_SUPPORTED' })
  expect(service.reportsOf('att_1')).toEqual([])
  expect(kinds()).not.toContain('uploaded')
})

test('a hub that was restarted while it printed still says that the print was sent with its ejection', async () => {
  await hub.stop()
  const told = service.ofType('telemetry').length
  hub = buildHub(50)
  await hub.start()
  await service.until(() => service.ofType('telemetry').length > told, 'the new hub to report')
  const file = service.serve('clip.gcode', { content })
  service.command('print', { attempt_id: 'att_1', file, ejection_gcode })
  await service.reachesPhase('att_1', 'confirmed')
  await hub.stop()
  hub = buildHub()
  await hub.start()
  expect(await service.reachesPhase('att_1', 'finished')).toMatchObject({ outcome: 'done', with_ejection: true })
  expect(kinds().filter((kind) => kind === 'started')).toHaveLength(1)
  expect(kinds()).toContain('ejected')
})
