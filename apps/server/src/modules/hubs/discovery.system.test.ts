import { connectionProblem } from '@printyard/protocol/connection-problems'
import type { Candidate } from '@printyard/protocol/messages'
import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../test/app/app-hooks.ts'

const { t, farm } = farmForEachTest()
beforeEach(async () => {
  await farm.reconnect(0, ['connection-test'])
})

const fingerprint = 'A3'.repeat(32)
const connection = { address: '192.168.1.20', serial: '01P00A123456789', access_code: '12345678' }

const candidate = (overrides: Partial<Candidate> = {}): Candidate => ({
  connection_type: 'bambu',
  name: 'Left',
  model: 'P1S',
  address: '192.168.1.20',
  port: null,
  serial: '01P00A123456789',
  evidence: 'It announces itself.',
  all_evidence: ['It announces itself.', 'Its certificate names it.'],
  first_seen_at: '2026-03-01T12:00:00.000Z',
  last_seen_at: '2026-03-01T12:05:00.000Z',
  ...overrides,
})

async function found(candidates: Candidate[]): Promise<Record<string, unknown>[]> {
  farm.hub.send('discovered', { candidates })
  await t.settled(() => t.context.hubs.find(farm.hubId)?.candidates.length === candidates.length)
  return (await farm.account.request('GET', `/hubs/${farm.hubId}/discovered`)).json().data
}

async function addPrinter(fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Left', model: 'P1S', connection_type: 'bambu', connection, hub_id: farm.hubId, ...fields }
  const answer = await farm.account.request('POST', '/printers', body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}

describe('what a hub found', () => {
  test('is answered with all that speaks for it, and no one has adopted it yet', async () => {
    expect(await found([candidate()])).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{32}$/),
        connection_type: 'bambu',
        name: 'Left',
        model: 'P1S',
        address: '192.168.1.20',
        port: null,
        serial: '01P00A123456789',
        evidence: ['It announces itself.', 'Its certificate names it.'],
        first_seen_at: '2026-03-01T12:00:00.000Z',
        last_seen_at: '2026-03-01T12:05:00.000Z',
        adopted_printer_id: null,
      },
    ])
  })

  test('is the printer that was added with its serial number, wherever that is now and on whichever hub', async () => {
    const id = await addPrinter({ hub_id: null, connection: { ...connection, serial: '01p00a123456789' } })
    const [one] = await found([candidate({ address: '192.168.1.99' })])
    expect(one?.adopted_printer_id).toBe(id)
  })

  test('is not the printer of another serial number at its address', async () => {
    await addPrinter()
    const [one] = await found([candidate({ serial: '01P00A987654321' })])
    expect(one?.adopted_printer_id).toBeNull()
  })

  test('without a serial number is known by its address and its port', async () => {
    const klipper = { connection_type: 'moonraker', serial: null } as const
    const id = await addPrinter({ connection_type: 'moonraker', connection: { address: 'http://192.168.1.20:7126' } })
    const all = await found([
      candidate({ ...klipper, name: 'One', port: null }),
      candidate({ ...klipper, name: 'Two', port: 7126 }),
    ])
    expect(all.map(({ adopted_printer_id }) => adopted_printer_id)).toEqual([null, id])
  })

  test('is no printer of another account', async () => {
    const stranger = await t.account()
    await stranger.request('POST', '/printers', { name: 'X', model: 'P1S', connection_type: 'bambu', connection })
    expect((await found([candidate()]))[0]?.adopted_printer_id).toBeNull()
  })

  test('keeps its ID while its address changes, and follows a new connection of the printer', async () => {
    const [before] = await found([candidate()])
    const [after] = await found([candidate({ address: '192.168.1.99' }), candidate({ serial: null, name: 'Z' })])
    expect(after?.id).toBe(before?.id)
    const id = await addPrinter({ connection: { ...connection, serial: '01P00A000000000' } })
    await farm.account.request('PATCH', `/printers/${id}`, { connection })
    expect((await found([candidate()]))[0]?.adopted_printer_id).toBe(id)
  })
})

test('a hub is told the address that a person typed', async () => {
  const answer = await farm.account.request('POST', `/hubs/${farm.hubId}/discover`, { address: '192.168.1.20' })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await farm.hub.waitFor('discover')).toMatchObject({ address: '192.168.1.20' })
  const empty = await farm.account.request('POST', `/hubs/${farm.hubId}/discover`, { address: '' })
  expect(empty.json().error.details).toHaveProperty('address')
})

describe('a test of a connection', () => {
  const ask = () =>
    farm.account.request('POST', `/hubs/${farm.hubId}/test-connection`, { connection_type: 'bambu', connection })
  const printer = {
    model: 'P1S',
    serial: '01P00A123456789',
    firmware_version: '01.08.02.00',
    certificate_fingerprint: fingerprint,
    is_certificate_vouched: false,
  }

  test('is made by the hub, with the settings as they were given', async () => {
    const answer = ask()
    const asked = await farm.hub.waitFor('test_connection')
    expect(asked).toMatchObject({ connection_type: 'bambu', connection })
    farm.hub.send('connection_tested', { test_id: asked.test_id, printer, problem: null })
    expect((await answer).json().data).toEqual({ ok: true, ...printer, problem: null })
  })

  test('says what is wrong and what to do, also when the hub knows better reasons than the service', async () => {
    const answer = ask()
    const first = await farm.hub.waitFor('test_connection')
    const problem = connectionProblem('certificate_unknown')
    farm.hub.send('connection_tested', { test_id: first.test_id, printer, problem })
    expect((await answer).json().data).toMatchObject({ ok: false, certificate_fingerprint: fingerprint, problem })
    const again = ask()
    const second = await farm.hub.waitFor('test_connection', ({ test_id }) => test_id !== first.test_id)
    const newer = { reason: 'door_open', message: 'The door is open.', remedy: 'Close it.' }
    farm.hub.send('connection_tested', { test_id: second.test_id, printer, problem: newer })
    expect((await again).json().data.problem).toEqual({ ...newer, reason: 'unknown' })
  })

  test('ends when its hub goes away meanwhile', async () => {
    const answer = ask()
    await farm.hub.waitFor('test_connection')
    await farm.hub.close()
    expect((await answer).json().error.code).toBe('HUB_OFFLINE')
    expect((await ask()).json().error.code).toBe('HUB_OFFLINE')
  })

  test('cannot be asked of an older hub, which says so at once', async () => {
    await farm.reconnect(0, [])
    expect((await ask()).json().data).toMatchObject({ ok: false, problem: { reason: 'not_supported' } })
  })

  test('needs an address, and a hub of the own account', async () => {
    const path = `/hubs/${farm.hubId}/test-connection`
    const body = { connection_type: 'bambu', connection: { serial: 'x' } }
    const refused = await farm.account.request('POST', path, body)
    expect(refused.json().error.details).toEqual({ 'connection.address': ['is required'] })
    const stranger = await t.account()
    const foreign = await stranger.request('POST', path, { connection_type: 'bambu', connection })
    expect(foreign.statusCode).toBe(404)
  })
})

describe('a printer that moved', () => {
  async function move(overrides: Record<string, unknown> = {}): Promise<void> {
    const body = {
      printer_id: '',
      serial: '01P00A123456789',
      old_address: '192.168.1.20',
      address: '192.168.1.77',
      evidence: 'It announces itself.',
      ...overrides,
    }
    const frame = farm.hub.send('printer_moved', body)
    await farm.hub.waitFor('ack', (ack) => ack.ids.includes(frame))
  }

  const events = (id: string) => t.db.sql<{ data: unknown; actor: string }[]>`
    select data, actor from events
    where account_id = ${farm.account.id} and subject_id = ${id} and type = 'printer.moved'`

  test('is reached at its new address from then on, with the rest of its settings as they were', async () => {
    const id = await addPrinter()
    await move({ printer_id: id })
    const told = await farm.hub.waitFor('configure', ({ printers }) =>
      printers.some((one) => one.printer_id === id && one.connection.address === '192.168.1.77'),
    )
    expect(told.printers.find(({ printer_id }) => printer_id === id)?.connection).toEqual({
      ...connection,
      address: '192.168.1.77',
    })
    expect(await events(id)).toEqual([
      {
        data: {
          old_address: '192.168.1.20',
          address: '192.168.1.77',
          serial: '01P00A123456789',
          evidence: 'It announces itself.',
        },
        actor: `hub:${farm.hubId}`,
      },
    ])
    expect((await found([candidate({ serial: null, address: '192.168.1.77' })]))[0]?.adopted_printer_id).toBe(id)
    await move({ printer_id: id })
    expect(await events(id)).toHaveLength(1)
  })

  test.each([
    ['has another serial number', { serial: '01P00A987654321' }],
    ['has other settings meanwhile', { old_address: '192.168.1.21' }],
    ['is said to be at no address', { address: 'http://example.com' }],
  ])('and %s is not followed', async (_name, overrides) => {
    const id = await addPrinter()
    await move({ printer_id: id, ...overrides })
    expect(await events(id)).toEqual([])
  })

  test('is not followed on the word of a hub that does not run it', async () => {
    const id = await addPrinter({ hub_id: null })
    await move({ printer_id: id })
    expect(await events(id)).toEqual([])
  })

  test('is not followed by its name alone', async () => {
    const { serial: _, ...nameless } = connection
    const id = await addPrinter({ connection: nameless })
    await move({ printer_id: id })
    expect(await events(id)).toEqual([])
  })
})
