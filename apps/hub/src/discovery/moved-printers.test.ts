import { connectionProblem } from '@printyard/protocol/connection-problems'
import type { HubMessageBody, PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterStatus } from '@printyard/protocol/printer-state'
import { beforeEach, expect, test } from 'vitest'
import { nothingSeen } from '../drivers/probe.ts'
import { createRecordedLog } from '../test/quiet-log.ts'
import { buildPrinter } from '../test/test-service.ts'
import { createMovedPrinters } from './moved-printers.ts'
import type { Sighting } from './sighting.ts'

const serial = '01P00A123456789'
let now: number
let printer: PrinterSettings
let status: PrinterStatus
let shown: string | null
let isRefused: boolean
let asked: Record<string, unknown>[]
let told: HubMessageBody<'printer_moved'>[]
let moved: ReturnType<typeof createMovedPrinters>

const sighting: Sighting = {
  connection_type: 'bambu',
  address: '192.168.1.21',
  port: null,
  serial,
  name: 'Left one',
  model: 'P1S',
  evidence: 'It announces itself.',
}

beforeEach(() => {
  now = 0
  const connection = { address: '192.168.1.20', serial: serial.toLowerCase(), access_code: '12345678' }
  printer = buildPrinter({ connection_type: 'bambu', connection })
  status = 'offline'
  shown = serial
  isRefused = false
  asked = []
  told = []
  moved = createMovedPrinters({
    printers: () => [printer],
    stateOf: () => ({ status }),
    async probe(_settings, connection) {
      asked.push(connection)
      const problem = isRefused ? connectionProblem('credentials_wrong') : null
      return { printer: { ...nothingSeen, serial: shown }, problem }
    },
    tell: (message) => told.push(message),
    clock: () => now,
    log: createRecordedLog(),
  })
})

test('a printer that does not answer is followed by its serial number, with its own credentials', async () => {
  await moved.consider(sighting)
  expect(asked).toEqual([{ ...printer.connection, address: '192.168.1.21' }])
  expect(told).toEqual([
    {
      printer_id: printer.printer_id,
      serial,
      old_address: '192.168.1.20',
      address: '192.168.1.21',
      evidence: 'It announces itself.',
    },
  ])
})

test('the port and the path that were typed stay', async () => {
  printer.connection.address = 'http://192.168.1.20:8883/x'
  await moved.consider(sighting)
  expect(asked[0]?.address).toBe('http://192.168.1.21:8883/x')
})

test.each<[string, { sighting?: Partial<Sighting>; status?: PrinterStatus; connection?: Record<string, unknown> }]>([
  ['answers where it was', { status: 'idle' }],
  ['has only its name in common', { sighting: { serial: '01P00A987654321' } }],
  ['shows no serial number', { sighting: { serial: null } }],
  ['is of another family', { sighting: { connection_type: 'elegoo' } }],
  ['is where it was', { sighting: { address: '192.168.1.20' } }],
  ['was added by a name', { connection: { address: 'left.local' } }],
  ['may show any certificate', { connection: { allow_any_certificate: true } }],
])('a printer that %s is not tried elsewhere', async (_name, given) => {
  status = given.status ?? status
  Object.assign(printer.connection, given.connection)
  await moved.consider({ ...sighting, ...given.sighting })
  expect(asked).toEqual([])
  expect(told).toEqual([])
})

test('one that refuses the credentials, or shows another serial number when asked, is not followed', async () => {
  isRefused = true
  await moved.consider(sighting)
  isRefused = false
  shown = '01P00A987654321'
  now += 60_000
  await moved.consider(sighting)
  expect(asked).toHaveLength(2)
  expect(told).toEqual([])
})

test('announcements every few seconds do not make it try every few seconds', async () => {
  isRefused = true
  for (let second = 0; second < 60; second += 5) {
    now = second * 1_000
    await moved.consider(sighting)
  }
  expect(asked).toHaveLength(1)
})
