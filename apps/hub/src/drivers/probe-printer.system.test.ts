import { createServer } from 'node:net'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPeerOf } from '../test/printer-peers.ts'
import { createRecordedLog } from '../test/quiet-log.ts'
import { makeDataDir } from '../test/test-hub.ts'
import { probePrinter } from './probe-printer.ts'

type ConnectionType = PrinterSettings['connection_type']
type PeerName = keyof typeof startPeerOf

let dataDir: ReturnType<typeof makeDataDir>
const closings: (() => Promise<void>)[] = []
beforeEach(() => {
  dataDir = makeDataDir()
})
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
  dataDir.remove()
})

async function start<N extends PeerName>(name: N): Promise<Awaited<ReturnType<(typeof startPeerOf)[N]>>> {
  const peer = (await startPeerOf[name]()) as Awaited<ReturnType<(typeof startPeerOf)[N]>>
  closings.push(() => peer.close())
  return peer
}

const probe = (connection_type: ConnectionType, connection: Record<string, unknown>, timeoutMs = 20_000) =>
  probePrinter({
    connection_type,
    connection,
    dataDir: dataDir.path,
    log: createRecordedLog(),
    timeoutMs,
    signal: new AbortController().signal,
  })

/** A Bambu printer is only believed once its certificate is. */
async function pinned(connection: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { printer } = await probe('bambu', connection)
  return { ...connection, pinned_fingerprint: printer.certificate_fingerprint }
}

/** A port at which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  await new Promise((resolve) => server.close(resolve))
  return port
}

const families: [PeerName, ConnectionType, Record<string, unknown>][] = [
  ['octoprint', 'octoprint', { firmware_version: 'OctoPrint 1.11.8' }],
  ['moonraker', 'moonraker', { model: null, firmware_version: expect.any(String) }],
  ['prusalink', 'prusalink', { model: 'Original Prusa MK4S', serial: '10589-3742441630000001' }],
  [
    'bambu',
    'bambu',
    { serial: '01P00A123456789', firmware_version: expect.any(String), is_certificate_vouched: false },
  ],
  ['creality', 'creality', { model: 'K1 Max', firmware_version: expect.any(String) }],
  ['sdcp', 'elegoo', { model: 'Centauri Carbon', serial: '3f1c0a5be21d', firmware_version: expect.any(String) }],
  ['cc2', 'elegoo', { model: 'Centauri Carbon 2', serial: 'F01AB2C3D4E5F6G', firmware_version: expect.any(String) }],
]

describe.each(families)('a test of a connection to %s', (name, type, shown) => {
  test('with everything right says what the printer is', async () => {
    const peer = await start(name)
    const connection = type === 'bambu' ? await pinned(peer.connection) : peer.connection
    const answer = await probe(type, connection)
    expect(answer.problem).toBeNull()
    expect(answer.printer).toMatchObject(shown)
  })

  test('at which nothing listens is refused', async () => {
    const answer = await probe(type, { ...knownSecrets, address: '127.0.0.1', port: await closedPort() })
    expect(answer.problem?.reason).toBe('refused')
  })

  test('to something else says that it is something else', async () => {
    const other = await start(name === 'octoprint' ? 'prusalink' : 'octoprint')
    const connection = { ...knownSecrets, address: '127.0.0.1', port: other.connection.port }
    expect((await probe(type, connection)).problem?.reason).toBe('not_this_family')
  })
})

const knownSecrets = { api_key: 'x', password: 'x', access_code: 'x', serial: '01P00A123456789' }

describe.each(families.filter(([name]) => name !== 'creality' && name !== 'sdcp'))('the login of %s', (name, type) => {
  test('with a wrong secret says so, and with none asks for it', async () => {
    const peer = await start(name)
    const good: Record<string, unknown> = type === 'bambu' ? await pinned(peer.connection) : peer.connection
    const secret = peer.secret ?? ''
    expect((await probe(type, { ...good, [secret]: 'wrong' })).problem?.reason).toBe('credentials_wrong')
    const { [secret]: _, ...without } = good
    // A Centauri Carbon 2 has a code that is the same everywhere until a person sets one.
    const expected = name === 'cc2' ? 'credentials_wrong' : 'credentials_missing'
    expect((await probe(type, without)).problem?.reason).toBe(expected)
  })
})

describe('a printer that shows a certificate', () => {
  test('which no one vouches for is sent nothing until it is pinned', async () => {
    const peer = await start('bambu')
    const answer = await probe('bambu', peer.connection)
    expect(answer.problem?.reason).toBe('certificate_unknown')
    expect(answer.printer).toMatchObject({
      serial: '01P00A123456789',
      certificate_fingerprint: expect.stringMatching(/^[0-9A-F]{64}$/),
    })
    expect(peer.simulator.requests).toEqual([])
  })

  test('other than the pinned one is refused, with the fingerprint that it shows now', async () => {
    const peer = await start('bambu')
    const connection = await pinned(peer.connection)
    await peer.simulator.replaceCertificate()
    const answer = await probe('bambu', connection)
    expect(answer.problem?.reason).toBe('certificate_changed')
    expect(answer.printer.certificate_fingerprint).not.toBe(connection.pinned_fingerprint)
    const again = { ...connection, pinned_fingerprint: answer.printer.certificate_fingerprint }
    expect((await probe('bambu', again)).problem).toBeNull()
  })

  test('with another serial number than the settings is not spoken to', async () => {
    const peer = await start('bambu')
    const connection = { ...(await pinned(peer.connection)), serial: '01P00A999999999' }
    const answer = await probe('bambu', connection)
    expect(answer.problem?.reason).toBe('serial_differs')
    expect(answer.printer.serial).toBe('01P00A123456789')
  })

  test('tells its serial number to anyone who has not typed it', async () => {
    const peer = await start('bambu')
    const { serial: _, ...without } = await pinned(peer.connection)
    expect(await probe('bambu', without)).toMatchObject({ problem: null, printer: { serial: '01P00A123456789' } })
  })
})

test('a printer with Developer mode off says so', async () => {
  const peer = await start('bambu')
  const connection = await pinned(peer.connection)
  peer.simulator.setDeveloperMode('off')
  const answer = await probe('bambu', connection)
  expect(answer.problem?.reason).toBe('developer_mode_off')
  expect(answer.printer.firmware_version).not.toBeNull()
})

test('a printer without room for another client says so, and one in cloud mode too', async () => {
  const peer = await start('cc2')
  peer.simulator.setOtherClients(4)
  expect((await probe('elegoo', peer.connection)).problem?.reason).toBe('too_many_connections')
  peer.simulator.setOtherClients(0)
  peer.simulator.setLanOnly(false)
  expect((await probe('elegoo', peer.connection)).problem?.reason).toBe('lan_mode_off')
})

test('Klipper that does not run behind Moonraker is told apart from a wrong address', async () => {
  const peer = await start('moonraker')
  peer.simulator.setKlippy('disconnected')
  expect((await probe('moonraker', peer.connection)).problem?.reason).toBe('printer_not_connected')
})

test.each(['octoprint', 'moonraker', 'prusalink', 'bambu', 'creality', 'elegoo'] as const)(
  'a machine that takes connections and says nothing ends a test of %s in time',
  async (type) => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume())
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
    closings.push(() => new Promise((resolve) => server.close(() => resolve())))
    const connection = { ...knownSecrets, address: '127.0.0.1', port }
    const answer = await probe(type, connection, 1_000)
    expect(answer.problem?.reason).toBe('no_answer')
  },
)

test('an address that means nothing is named as such', async () => {
  const answer = await probe('octoprint', { address: 'http://[', api_key: 'x' })
  expect(answer.problem?.reason).toBe('address_invalid')
})
