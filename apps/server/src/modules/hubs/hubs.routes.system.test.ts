import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { beforeAll, describe, expect, test } from 'vitest'
import type { HubId, PrinterId } from '../../kernel/ids.ts'
import { fromHub } from '../../live/hub-messages.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { accountForAllTests } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { hubConnection } from '../../test/farm/hub-connection.ts'

let stranger: TestAccount
let now = new Date('2026-03-01T12:00:00Z')
const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => now } } })
beforeAll(async () => {
  stranger = await t.account({ name: 'Another farm' })
})

let names = 0
async function newHub(account = farm): Promise<{ id: HubId; name: string; join_code: string }> {
  names += 1
  return (await account.request('POST', '/hubs', { name: `Hub ${String(names).padStart(3, '0')}` })).json().data
}

function connect(hubId: HubId): { connection: HubConnection; frames: { type: string }[]; closed: string[] } {
  const frames: { type: string }[] = []
  const closed: string[] = []
  const socket: HubConnection['socket'] = {
    send: (frame) => frames.push(JSON.parse(frame)),
    close: (_, reason) => closed.push(reason),
  }
  const connection = hubConnection({ accountId: farm.id, hubId, socket }, now)
  t.context.hubs.attach(connection)
  return { connection, frames, closed }
}

async function eventsOf(subjectId: string): Promise<string[]> {
  const rows = await t.db.sql<{ type: string }[]>`
    select type from events where account_id = ${farm.id} and subject_id = ${subjectId} order by id`
  return rows.map((row) => row.type)
}

describe('creating a hub', () => {
  test('answers it with a join code, and records who did it', async () => {
    const answer = await farm.request('POST', '/hubs', { name: 'Basement', extra: 'ignored' })
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(data).toEqual({
      id: expect.stringMatching(/^hub_/),
      name: 'Basement',
      firmware_version: '',
      hardware_version: '',
      is_online: false,
      last_seen_at: null,
      printer_count: 0,
      claimed_at: null,
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      is_stale: true,
      printers: [],
      join_code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/),
      join_code_expires_at: '2026-03-01T12:10:00.000Z',
      ca_fingerprint: null,
    })
    expect((await farm.request('GET', `/hubs/${data.id}`)).body).not.toContain(data.join_code)
    expect(await eventsOf(data.id)).toEqual(['hub.created'])
  })

  test('is refused with the field for a bad name', async () => {
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(121) }, { name: 7 }, { name: null }]) {
      const answer = await farm.request('POST', '/hubs', body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.details).toHaveProperty('name')
    }
  })

  test('is refused for a name in use, in this account only', async () => {
    await farm.request('POST', '/hubs', { name: 'Attic' })
    const second = await farm.request('POST', '/hubs', { name: 'Attic' })
    expect(second.statusCode).toBe(409)
    expect(second.json().error.code).toBe('DUPLICATE_NAME')
    expect((await stranger.request('POST', '/hubs', { name: 'Attic' })).statusCode).toBe(201)
  })

  test('happens once per Idempotency-Key', async () => {
    const send = () => farm.request('POST', '/hubs', { name: 'Once' }, { 'idempotency-key': 'hub-once' })
    const first = await send()
    const again = await send()
    expect(again.statusCode).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.json()).toEqual(first.json())
  })
})

describe('a hub and its printers', () => {
  test('are answered with what is live, from memory', async () => {
    const hub = await newHub()
    const add = async (name: string, extra = {}) =>
      (
        await farm.request('POST', '/printers', {
          name,
          model: 'MK4S',
          connection_type: 'virtual',
          hub_id: hub.id,
          ...extra,
        })
      ).json().data.id as PrinterId
    const [b, a] = [await add('Beta'), await add('Alpha')]
    const standing = async () => (await farm.request('GET', `/hubs/${hub.id}`)).json().data
    expect((await standing()).printers).toEqual([
      { id: a, name: 'Alpha', model: 'MK4S', status: 'offline' },
      { id: b, name: 'Beta', model: 'MK4S', status: 'offline' },
    ])

    const { connection } = connect(hub.id)
    t.context.hubs.applyTelemetry(
      connection,
      [{ printer_id: a, full: true, state: { ...fromHub(unknownPrinterState('')), status: 'printing' } }],
      now,
    )
    await farm.request('PUT', `/printers/${b}/maintenance`, { in_maintenance: true })
    expect(await standing()).toMatchObject({
      is_online: true,
      is_stale: false,
      last_seen_at: '2026-03-01T12:00:00.000Z',
      printer_count: 2,
      printers: [
        { id: a, status: 'printing' },
        { id: b, status: 'maintenance' },
      ],
    })

    t.context.hubs.detach(connection)
    expect(await standing()).toMatchObject({ is_online: false, is_stale: true, printers: [{ status: 'offline' }, {}] })
  })

  test('a connected hub without a heartbeat for more than two minutes is stale', async () => {
    const hub = await newHub()
    const { connection } = connect(hub.id)
    try {
      now = new Date(connection.lastHeartbeatAt.getTime() + 120_000)
      expect((await farm.request('GET', `/hubs/${hub.id}`)).json().data.is_stale).toBe(false)
      now = new Date(connection.lastHeartbeatAt.getTime() + 120_001)
      expect((await farm.request('GET', `/hubs/${hub.id}`)).json().data).toMatchObject({
        is_online: true,
        is_stale: true,
      })
    } finally {
      now = new Date('2026-03-01T12:00:00Z')
    }
  })

  test('are listed by name, in pages, each with its printers', async () => {
    const owner = await t.account()
    const [first, second] = [await newHub(owner), await newHub(owner)]
    for (const [index, hub] of [first, second].entries()) {
      await owner.request('POST', '/printers', {
        name: `P${index}`,
        model: 'X',
        connection_type: 'virtual',
        hub_id: hub.id,
      })
    }
    const all = (await owner.request('GET', '/hubs')).json()
    expect(all.data.map((hub: { id: string }) => hub.id)).toEqual([first.id, second.id])
    expect(all.data.map((hub: { printers: { name: string }[] }) => hub.printers.map((each) => each.name))).toEqual([
      ['P0'],
      ['P1'],
    ])
    expect(all.meta).toEqual({ limit: 5000, offset: 0, count: 2, next_cursor: null })
    const page = (await owner.request('GET', '/hubs?limit=1&offset=1')).json()
    expect(page.data.map((hub: { id: string }) => hub.id)).toEqual([second.id])
    expect((await owner.request('GET', '/hubs?limit=101')).json().error.details).toHaveProperty('limit')
  })
})

describe('changing a hub', () => {
  test('renames it', async () => {
    const hub = await newHub()
    const answer = await farm.request('PATCH', `/hubs/${hub.id}`, { name: 'Workshop' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ id: hub.id, name: 'Workshop' })
    expect(await eventsOf(hub.id)).toEqual(['hub.created', 'hub.updated'])
  })

  test('is refused for a name in use, and without a name', async () => {
    const [one, two] = [await newHub(), await newHub()]
    expect((await farm.request('PATCH', `/hubs/${one.id}`, { name: two.name })).json().error.code).toBe(
      'DUPLICATE_NAME',
    )
    expect((await farm.request('PATCH', `/hubs/${one.id}`, {})).json().error.details).toEqual({ name: ['is required'] })
  })
})

describe('deleting a hub', () => {
  test('is refused while printers are attached; then it is gone and its connection put out', async () => {
    const hub = await newHub()
    const printer = (
      await farm.request('POST', '/printers', {
        name: 'On a hub',
        model: 'X',
        connection_type: 'virtual',
        hub_id: hub.id,
      })
    ).json().data
    const refused = await farm.request('DELETE', `/hubs/${hub.id}`)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.code).toBe('RESOURCE_IN_USE')

    await farm.request('PATCH', `/printers/${printer.id}`, { hub_id: null })
    const { frames, closed } = connect(hub.id)
    const answer = await farm.request('DELETE', `/hubs/${hub.id}`)
    expect(answer.json()).toEqual({ success: true, data: { id: hub.id, deleted: true } })
    expect(frames.at(-1)).toMatchObject({ type: 'close', reason: 'revoked' })
    expect(closed).toEqual(['revoked'])
    expect(t.context.hubs.isOnline(hub.id)).toBe(false)
    expect((await farm.request('GET', `/hubs/${hub.id}`)).statusCode).toBe(404)
    expect(await eventsOf(hub.id)).toEqual(['hub.created', 'hub.deleted'])
  })
})

describe('looking for printers', () => {
  test('asks a connected hub, and lists what it found', async () => {
    const hub = await newHub()
    const { connection, frames } = connect(hub.id)
    const answer = await farm.request('POST', `/hubs/${hub.id}/discover`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({ hub_id: hub.id, started_at: '2026-03-01T12:00:00.000Z' })
    expect(frames).toMatchObject([{ type: 'discover' }])

    const candidate = {
      connection_type: 'bambu' as const,
      name: '3DP-01P',
      model: 'C12',
      address: '192.0.2.7',
      serial: '01P00A',
      evidence: 'announcement',
    }
    connection.candidates = [candidate, { ...candidate, name: 'Second', address: null }]
    const found = (await farm.request('GET', `/hubs/${hub.id}/discovered?limit=1&offset=0`)).json()
    expect(found).toMatchObject({
      success: true,
      data: [{ ...candidate, evidence: ['announcement'], first_seen_at: '2026-03-01T12:00:00.000Z' }],
      meta: { limit: 1, offset: 0, count: 1 },
    })
    t.context.hubs.detach(connection)
    expect((await farm.request('GET', `/hubs/${hub.id}/discovered`)).json().data).toEqual([])
  })

  test('is refused when the hub is not connected, and may be asked again with the same key', async () => {
    const hub = await newHub()
    const ask = () => farm.request('POST', `/hubs/${hub.id}/discover`, undefined, { 'idempotency-key': 'look' })
    const refused = await ask()
    expect(refused.statusCode).toBe(503)
    expect(refused.json().error.code).toBe('HUB_OFFLINE')
    const { frames } = connect(hub.id)
    expect((await ask()).statusCode).toBe(200)
    expect((await ask()).headers['idempotent-replayed']).toBe('true')
    expect(frames).toHaveLength(1)
  })
})
