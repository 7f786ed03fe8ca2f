import type { Candidate } from '@printyard/protocol/messages'
import { announceBambuPrinter } from '@printyard/virtual-printers/bambu/bambu-announcer'
import { startElegooResponder } from '@printyard/virtual-printers/elegoo/elegoo-responder'
import { Bonjour } from 'bonjour-service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freeUdpPort } from '../test/free-udp-port.ts'
import { startPeerOf } from '../test/printer-peers.ts'
import { createRecordedLog, type RecordedLog } from '../test/quiet-log.ts'
import { makeDataDir } from '../test/test-hub.ts'
import { createWaiter } from '../util/waiter.ts'
import { createDiscovery, type Discovery, type DiscoverySockets, noSockets } from './discovery.ts'

let dataDir: ReturnType<typeof makeDataDir>
let discovery: Discovery | undefined
let log: RecordedLog
const closings: (() => Promise<unknown>)[] = []

beforeEach(() => {
  dataDir = makeDataDir()
  log = createRecordedLog()
})
afterEach(async () => {
  await discovery?.stop()
  discovery = undefined
  for (const close of closings.splice(0).reverse()) await close()
  dataDir.remove()
})

async function begin(sockets: Partial<DiscoverySockets>) {
  const waiter = createWaiter<Candidate[]>()
  const show = () => waiter.show(discovery?.candidates() ?? [])
  const running = createDiscovery({
    sockets: { ...noSockets, ...sockets },
    allowsPublic: false,
    dataDir: dataDir.path,
    clock: Date.now,
    log,
    onChange: show,
    onSighting: show,
  })
  discovery = running
  await running.start()
  const until = (count: number, awaited: string) =>
    waiter.until((found) => found.length >= count, { awaited, timeoutMs: 20_000 })
  return { running, until }
}

/** Repeats what a real network repeats by itself: a datagram may be lost. */
function repeating(act: () => unknown): void {
  const timer = setInterval(act, 300)
  closings.push(async () => clearInterval(timer))
  act()
}

describe('printers that announce themselves', () => {
  test('by mDNS are found with family, name and port', async () => {
    const port = await freeUdpPort()
    // Two addresses of this machine instead of a multicast group: tests stay on loopback.
    const announcer = new Bonjour({ bind: '127.0.0.2', ip: '127.0.0.1', port, multicast: false } as never)
    closings.push(() => new Promise<void>((resolve) => announcer.destroy(() => resolve())))
    announcer.publish({ name: 'Voron left', type: 'moonraker', port: 7126, probe: false, host: 'voron.local' })
    announcer.publish({
      name: 'OctoPrint instance "Shelf 3"',
      type: 'octoprint',
      port: 80,
      probe: false,
      host: 'octopi.local',
      txt: { version: '1.11.8', model: 'MK3S' },
    })
    announcer.publish({ name: 'A paper printer', type: 'http', port: 631, probe: false, host: 'paper.local' })
    const { running, until } = await begin({ mdns: { bind: '127.0.0.1', ip: '127.0.0.2', port, multicast: false } })
    repeating(() => running.search())
    const found = await until(2, 'both print servers')
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(
      expect.objectContaining({
        connection_type: 'octoprint',
        name: 'Shelf 3',
        model: 'MK3S',
        port: null,
        evidence: expect.stringContaining('_octoprint._tcp'),
      }),
    )
    expect(found).toContainEqual(
      expect.objectContaining({ connection_type: 'moonraker', name: 'Voron left', port: 7126 }),
    )
  })

  test('as Bambu Lab printers do are found with serial number and model', async () => {
    const to = { address: '127.0.0.1', port: await freeUdpPort() }
    const { until } = await begin({ bambu: { listenAt: [to], searchAt: [], group: null } })
    const printer = { serial: '01P00A123456789', modelCode: 'C12', name: 'Left', location: '192.168.7.8', to }
    repeating(() => announceBambuPrinter(printer))
    expect(await until(1, 'the announced printer')).toMatchObject([
      {
        connection_type: 'bambu',
        serial: '01P00A123456789',
        name: 'Left',
        model: 'P1S',
        address: '192.168.7.8',
        evidence: 'It announces itself as a Bambu Lab printer in LAN mode, firmware 01.08.02.00.',
      },
    ])
  })

  test('at an address outside the local network are believed to be where the announcement came from', async () => {
    const to = { address: '127.0.0.1', port: await freeUdpPort() }
    const { until } = await begin({ bambu: { listenAt: [to], searchAt: [], group: null } })
    const printer = { serial: '01P00A123456789', modelCode: 'C12', name: 'Left', location: '8.8.8.8', to }
    repeating(() => announceBambuPrinter(printer))
    expect(await until(1, 'the announced printer')).toMatchObject([{ address: '127.0.0.1' }])
  })
})

test('Elegoo printers answer a search, in both languages', async () => {
  const responder = await startElegooResponder({ sdcp: '3f1c0a5be21d', mqtt: 'F01AB2C3D4E5F6G' })
  closings.push(responder.close)
  const { running, until } = await begin({
    elegoo: { bindTo: '127.0.0.1', ports: responder.ports, everybody: () => ['127.0.0.1'] },
  })
  repeating(() => running.search())
  const found = await until(2, 'both printers')
  expect(found.map(({ serial }) => serial).sort()).toEqual(['3f1c0a5be21d', 'F01AB2C3D4E5F6G'])
})

describe('a typed address', () => {
  test.each([
    ['octoprint', 'octoprint', null],
    ['moonraker', 'moonraker', null],
    ['prusalink', 'prusalink', null],
    ['bambu', 'bambu', '01P00A123456789'],
    ['creality', 'creality', null],
    ['sdcp', 'elegoo', '3f1c0a5be21d'],
  ] as const)('of %s is recognised without any credential', async (name, connection_type, serial) => {
    const peer = await startPeerOf[name]()
    closings.push(() => peer.close())
    const { running } = await begin({})
    const { port } = peer.connection
    const address = `127.0.0.1:${port}`
    expect(await running.search(address)).toEqual({ address, found: 1, problem: null })
    expect(running.candidates()).toMatchObject([{ connection_type, serial, address: '127.0.0.1', port }])
  })

  test('of a Centauri Carbon 2 is asked by its own question', async () => {
    const responder = await startElegooResponder({ mqtt: 'F01AB2C3D4E5F6G' })
    closings.push(responder.close)
    const elegoo = { bindTo: '127.0.0.1', ports: responder.ports, everybody: () => [] }
    const { running, until } = await begin({ elegoo })
    repeating(() => running.search('127.0.0.1:9'))
    expect(await until(1, 'the printer')).toMatchObject([{ serial: 'F01AB2C3D4E5F6G', model: 'Centauri Carbon 2' }])
  })

  test('where nothing answers brings no printer, and says so', async () => {
    const { running } = await begin({})
    expect(await running.search('127.0.0.1:9')).toEqual({ address: '127.0.0.1:9', found: 0, problem: null })
    expect(running.candidates()).toEqual([])
  })

  test('outside the local network is not looked at', async () => {
    const { running } = await begin({})
    expect(await running.search('8.8.8.8')).toEqual({
      address: '8.8.8.8',
      found: 0,
      problem: expect.stringContaining('outside the local network'),
    })
    expect(running.candidates()).toEqual([])
    expect(JSON.stringify(log.lines)).toContain('address_not_allowed')
  })

  test('is left out when so many are asked for that no person types them', async () => {
    const { running } = await begin({})
    const outcomes = []
    for (let index = 0; index < 21; index += 1) outcomes.push(await running.search('http://['))
    expect(outcomes.at(-2)?.problem).toContain('cannot be understood')
    expect(outcomes.at(-1)?.problem).toContain('20 addresses a minute')
    expect(JSON.stringify(log.lines)).toContain('too many addresses')
  })
})

test('a port that another program has for itself closes one way and no other', async () => {
  const responder = await startElegooResponder({ sdcp: '3f1c0a5be21d' })
  closings.push(responder.close)
  const taken = { address: '127.0.0.1', port: responder.ports.sdcp }
  const { running, until } = await begin({
    bambu: { listenAt: [taken], searchAt: [], group: null },
    elegoo: { bindTo: '127.0.0.1', ports: responder.ports, everybody: () => ['127.0.0.1'] },
  })
  repeating(() => running.search())
  expect(await until(1, 'the other printer')).toHaveLength(1)
  expect(JSON.stringify(log.lines)).toContain('a way of finding printers is closed')
})
