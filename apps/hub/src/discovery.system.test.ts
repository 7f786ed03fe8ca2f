import { announceBambuPrinter } from '@printyard/virtual-printers/bambu/bambu-announcer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noSockets } from './discovery/discovery.ts'
import { createHub, type Hub } from './hub.ts'
import { freeUdpPort } from './test/free-udp-port.ts'
import { startPeerOf } from './test/printer-peers.ts'
import { createRecordedLog, type RecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings } from './test/test-hub.ts'
import { buildPrinter, PRINTER, startTestService, type TestService } from './test/test-service.ts'

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub
let log: RecordedLog
let announceTo: { address: string; port: number }
const closings: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  log = createRecordedLog()
  announceTo = { address: '127.0.0.1', port: await freeUdpPort() }
})
afterEach(async () => {
  await hub.stop()
  for (const close of closings.splice(0).reverse()) await close()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

async function begin(): Promise<void> {
  hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
    log,
    timings: quickTimings,
    discoverySockets: { ...noSockets, bambu: { listenAt: [announceTo], searchAt: [], group: null } },
  })
  await hub.start()
  await service.until(() => service.ofType('hello').length > 0, 'the hello')
}

async function bambu() {
  const peer = await startPeerOf.bambu()
  closings.push(() => peer.close())
  return peer
}

async function tested(test_id: string, connection: Record<string, unknown>) {
  service.send('test_connection', { test_id, connection_type: 'bambu', connection })
  return service.until(
    () => service.ofType('connection_tested').find((answer) => answer.test_id === test_id),
    `the answer to ${test_id}`,
    25_000,
  )
}

function announcing(location: string): void {
  const printer = { serial: '01P00A123456789', modelCode: 'C12', name: 'Left', location, to: announceTo }
  const timer = setInterval(() => announceBambuPrinter(printer), 300)
  closings.push(async () => clearInterval(timer))
}

test('a hub says what it can do, finds the printer at a typed address, and tries its connection', async () => {
  const peer = await bambu()
  await begin()
  expect(service.ofType('hello')[0]?.capabilities).toContain('connection-test')
  service.send('discover', { address: `127.0.0.1:${peer.connection.port}` })
  const found = await service.until(
    () => service.ofType('discovered').flatMap(({ candidates }) => candidates)[0],
    'the candidate',
    20_000,
  )
  expect(found).toMatchObject({ connection_type: 'bambu', serial: '01P00A123456789', port: peer.connection.port })

  const first = await tested('one', peer.connection)
  expect(first.problem).toMatchObject({ reason: 'certificate_unknown' })
  const pinned = { ...peer.connection, pinned_fingerprint: first.printer.certificate_fingerprint }
  expect(await tested('two', { ...pinned, access_code: 'wrong' })).toMatchObject({
    problem: { reason: 'credentials_wrong' },
  })
  expect(await tested('three', pinned)).toMatchObject({ problem: null, printer: { serial: '01P00A123456789' } })
  expect(await tested('four', { ...pinned, address: '8.8.8.8' })).toMatchObject({
    problem: { reason: 'address_not_allowed' },
  })
})

test('a printer that moved is followed by its serial number once its certificate and its code hold there', async () => {
  const peer = await bambu()
  await begin()
  const { printer } = await tested('look', peer.connection)
  const connection = { ...peer.connection, pinned_fingerprint: printer.certificate_fingerprint, address: '127.0.0.9' }
  service.send('configure', { printers: [buildPrinter({ connection_type: 'bambu', connection })] })
  await service.until(() => service.pictureOf(PRINTER).status === 'offline', 'the printer to be offline')
  announcing('127.0.0.1')
  const moved = await service.until(() => service.ofType('printer_moved')[0], 'the move', 25_000)
  expect(moved).toMatchObject({
    printer_id: PRINTER,
    serial: '01P00A123456789',
    old_address: '127.0.0.9',
    address: '127.0.0.1',
  })
})

test('one that shows its serial number and another certificate is not followed', async () => {
  const peer = await bambu()
  await begin()
  const connection = { ...peer.connection, pinned_fingerprint: '0'.repeat(64), address: '127.0.0.9' }
  service.send('configure', { printers: [buildPrinter({ connection_type: 'bambu', connection })] })
  await service.until(() => service.pictureOf(PRINTER).status === 'offline', 'the printer to be offline')
  announcing('127.0.0.1')
  const refusal = { message: 'a printer was seen elsewhere and is not followed' }
  await vi.waitFor(() => expect(log.lines).toContainEqual(expect.objectContaining(refusal)), 25_000)
  expect(log.lines).toContainEqual(
    expect.objectContaining({ fields: expect.objectContaining({ reason: 'certificate_changed' }) }),
  )
  expect(service.ofType('printer_moved')).toEqual([])
  expect(peer.simulator.requests).toEqual([])
})
