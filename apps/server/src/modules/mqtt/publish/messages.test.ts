import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { createTargetPolicy } from '../../../kernel/target-policy.ts'
import { findBrokerAddress, readBrokerUrl } from '../link/broker-address.ts'
import { readCommand } from '../settings/allowed-commands.ts'
import { findTopicProblem, printerOfCommand } from '../topics/topics.ts'
import { describePrinter } from './discovery.ts'
import { dueAfter, type PrinterFacts, restlessMs, writePrinterMessage } from './printer-message.ts'

const facts: PrinterFacts = {
  plate_state: 'clear',
  health: [],
  open_tasks: 0,
  job: null,
  plate_number: null,
  plates_total: null,
}
const printing = {
  ...unknownPrinterState('test'),
  status: 'printing' as const,
  progress: 41.6,
  nozzle_temp: 214.7,
  remaining_time_minutes: 12,
  light_on: true,
}

describe('the message of a printer', () => {
  test('says what it does, with unknown as null', () => {
    const message = writePrinterMessage(facts, 'printing', printing)
    expect(message).toMatchObject({
      ...{ state: 'printing', reachable: true, progress: 42, remaining_minutes: 12, nozzle_temp: 215, light: 'ON' },
      ...{ bed_temp: null, job: null, needs_person: false, needs: null },
    })
  })

  test('says nothing live of a printer out of reach', () => {
    const message = writePrinterMessage(facts, 'offline', { ...printing, status: 'offline' })
    expect(message).toMatchObject({ state: 'offline', reachable: false, progress: null, nozzle_temp: null })
  })

  test('says why a person is needed: a problem, an error or a task, but not a line that dropped', () => {
    const since = '2026-11-24T00:00:00.000Z'
    const needOf = (more: Partial<PrinterFacts>, status: 'idle' | 'error' = 'idle') =>
      writePrinterMessage({ ...facts, ...more }, status, { ...printing, status, status_reason: 'Nozzle clogged' }).needs
    expect(needOf({ health: [{ reason: 'credentials_wrong', message: 'Wrong code', since }] })).toBe('Wrong code')
    expect(needOf({ health: [{ reason: 'unreachable', message: 'No answer', since }] })).toBeNull()
    expect(needOf({}, 'error')).toBe('Nozzle clogged')
    expect(needOf({ open_tasks: 2 })).toBe('2 tasks are open.')
  })

  test('is due at once when something happened, and seldom when only temperatures move', () => {
    const message = writePrinterMessage(facts, 'printing', printing)
    const sent = { message, sentAtMs: 1_000 }
    expect(dueAfter(undefined, message)).toBe(Number.NEGATIVE_INFINITY)
    expect(dueAfter(sent, message)).toBeUndefined()
    expect(dueAfter(sent, { ...message, nozzle_temp: 210, layer: 3 })).toBe(1_000 + restlessMs)
    expect(dueAfter(sent, { ...message, nozzle_temp: 210, state: 'paused' })).toBe(Number.NEGATIVE_INFINITY)
  })
})

describe('discovery', () => {
  const settings = {
    account_id: newId('account'),
    base_topic: 'printyard',
    discovery_prefix: 'homeassistant',
    version: '1.0.0',
    allowed_commands: ['pause', 'light'] as const,
  }
  const printerId = newId('printer')
  const printer = { id: printerId, name: 'Left', model: 'MK4S', location: 'Shelf 1' }
  const { topic, config } = describePrinter(settings, printer)
  const components = config.components as Record<string, Record<string, unknown>>

  test('names each entity by the ID of its printer, which outlives its name', () => {
    expect(topic).toBe(`homeassistant/device/printyard_${printerId}/config`)
    const ids = Object.values(components).map(({ unique_id }) => unique_id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^printyard_[0-9a-z_]+$/)
  })

  test('offers the commands that are allowed, and no others', () => {
    expect(components.pause).toMatchObject({
      platform: 'button',
      command_topic: `printyard/printers/${printerId}/command`,
      payload_press: 'pause',
      availability_mode: 'all',
    })
    expect(components.light).toMatchObject({ platform: 'switch' })
    expect(components.stop).toBeUndefined()
    expect(components.resume).toBeUndefined()
  })

  test('every entity that is no button reads a field that messages have', () => {
    const message = writePrinterMessage(facts, 'printing', printing)
    for (const [name, component] of Object.entries(components)) {
      if (component.platform === 'button') continue
      const [, field] = /value_json\.(\w+)/.exec(String(component.value_template)) ?? []
      expect(message, name).toHaveProperty(field ?? 'none')
    }
  })
})

test('a command topic names one printer', () => {
  const settings = { account_id: newId('account'), base_topic: 'a/b', discovery_prefix: 'ha' }
  expect(printerOfCommand(settings, 'a/b/printers/prn_1/command')).toBe('prn_1')
  expect(printerOfCommand(settings, 'a/b/printers/prn_1/x/command')).toBeUndefined()
  expect(printerOfCommand(settings, 'a/b/printers//command')).toBeUndefined()
  expect(printerOfCommand(settings, 'other/printers/prn_1/command')).toBeUndefined()
})

test.each(['', ' a', 'a/#', 'a/+/b', '$SYS/a', '/a', 'a/', 'a//b', 'a\u0000'])('%j is no topic', (topic) => {
  expect(findTopicProblem(topic)).toBeTypeOf('string')
})

test('commands are read in any case, and nothing else is taken for one', () => {
  expect(readCommand(Buffer.from(' PAUSE '))).toBe('pause')
  expect(readCommand(Buffer.from('{"action":"stop"}'))).toBeUndefined()
  expect(readCommand(Buffer.alloc(65, 'pause'))).toBeUndefined()
})

describe('the address of a broker', () => {
  test('has the ports of MQTT', () => {
    expect(readBrokerUrl('mqtt://broker.example.com')).toEqual({
      host: 'broker.example.com',
      port: 1883,
      isEncrypted: false,
    })
    expect(readBrokerUrl('mqtts://[::1]:9000')).toEqual({ host: '::1', port: 9000, isEncrypted: true })
  })

  test.each(['https://broker', 'mqtt://user:secret@broker', 'mqtt://broker/path', 'mqtt://broker:25', 'broker'])(
    '%s is none',
    (url) => {
      expect(() => readBrokerUrl(url)).toThrow()
    },
  )

  test('is looked at after its name was resolved, by the networks that the operator allows', async () => {
    const resolve = async () => [{ address: '192.168.1.5', family: 4 }]
    const broker = readBrokerUrl('mqtt://broker.lan')
    await expect(findBrokerAddress(broker, createTargetPolicy(), resolve)).rejects.toThrow(
      'PRINTYARD_OUTBOUND_NETWORKS',
    )
    await expect(findBrokerAddress(broker, createTargetPolicy('192.168.0.0/16'), resolve)).resolves.toBe('192.168.1.5')
    const metadata = async () => [{ address: '169.254.169.254', family: 4 }]
    await expect(findBrokerAddress(broker, createTargetPolicy('192.168.0.0/16'), metadata)).rejects.toThrow()
    const open = async () => [{ address: '93.184.215.14', family: 4 }]
    await expect(findBrokerAddress(broker, createTargetPolicy(), open)).rejects.toThrow('mqtts://')
  })
})
