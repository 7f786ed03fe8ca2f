import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { type SimulatedCamera, startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

let service: TestService
let hub: Hub
let camera: SimulatedCamera
let dataDir: ReturnType<typeof makeDataDir>

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  camera = await startCameraServer(createVirtualPrinter({ id: 'filmed', model: 'MK4S' }))
  hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
    log: createRecordedLog(),
    timings: { telemetryMs: 50, firstRetryMs: 50, stillTimeoutMs: 2_000 },
  })
})
afterEach(async () => {
  await hub.stop()
  await service.stop()
  await camera.close()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

async function run(connection: Record<string, unknown>) {
  service.printers = [buildPrinter({ connection })]
  await hub.start()
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
}

let requests = 0

function ask(printer_id = PRINTER): string {
  const request_id = `still_${++requests}`
  service.send('snapshot', { request_id, printer_id })
  return request_id
}

const pictureOf = (requestId: string) =>
  service.until(() => {
    const parts = service.ofType('still').filter(({ request_id }) => request_id === requestId)
    if (!parts.at(-1)?.is_last) return undefined
    return { parts, bytes: Buffer.concat(parts.map(({ data }) => Buffer.from(data, 'base64'))) }
  }, 'the picture')

const refusalOf = (requestId: string) =>
  service.until(() => service.ofType('no_still').find(({ request_id }) => request_id === requestId), 'the refusal')

test('the hub says that it takes pictures, and sends what the camera of a virtual printer sees', async () => {
  await run({})
  expect(service.ofType('hello')[0]?.capabilities).toContain('snapshot')
  const { bytes, parts } = await pictureOf(ask())
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  expect(parts).toHaveLength(1)
})

test('many requests at once are answered by one connection to the camera', async () => {
  await run({ camera_url: `http://127.0.0.1:${camera.port}/?action=stream` })
  const pictures = await Promise.all([ask(), ask(), ask()].map(pictureOf))
  expect(new Set(pictures.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
  expect(camera.askedCount).toBe(1)
})

test('a large picture comes in parts that each fit into a frame', async () => {
  const large = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(1_500_000, 7), Buffer.from([0xff, 0xd9])])
  const server = createServer((_request, response) => response.end(large))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run({ camera_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
    const { bytes, parts } = await pictureOf(ask())
    expect(bytes.equals(large)).toBe(true)
    expect(parts.length).toBeGreaterThan(10)
  } finally {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
})

test('without a picture the service is told why', async () => {
  await run({ camera_url: `http://127.0.0.1:${camera.port}/` })
  expect(await refusalOf(ask('prn_strange'))).toMatchObject({ code: 'UNKNOWN_PRINTER' })
  camera.mode = 'half_dead'
  expect(await refusalOf(ask())).toMatchObject({ code: 'TIMEOUT' })
  camera.mode = 'not_a_picture'
  expect(await refusalOf(ask())).toMatchObject({ code: 'NOT_A_PICTURE' })
  camera.mode = 'works'
  await pictureOf(ask())
})

test('a printer that cannot be reached shows no picture', async () => {
  service.printers = [buildPrinter({ connection: { faults: ['lost_link'] } })]
  await hub.start()
  await service.until(() => service.ofType('hello').length > 0, 'the hub')
  expect(await refusalOf(ask())).toMatchObject({ code: 'PRINTER_UNREACHABLE' })
})

test('a printer without a camera says plainly that pictures are not supported', async () => {
  service.printers = [buildPrinter({ connection_type: 'bambu', model: 'X1C', connection: { address: '127.0.0.1' } })]
  await hub.start()
  await service.until(() => service.ofType('hello').length > 0, 'the hub')
  expect(await refusalOf(ask())).toMatchObject({
    code: 'NOT_SUPPORTED',
    message: 'pictures are not supported by this printer',
  })
})
