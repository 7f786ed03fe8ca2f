import { beforeEach, expect, test } from 'vitest'
import type { HubId } from '../kernel/ids.ts'
import type { HubConnection } from '../live/hubs.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'
import { createTestFarm } from '../test/farm/test-farm.ts'
import { dataOf, expectForm, type Form, keepsCommonPromises } from './expectations.ts'

const hubForm: Form = {
  id: 'string',
  name: 'string',
  firmware_version: 'string',
  hardware_version: 'string',
  is_online: 'boolean',
  last_seen_at: 'timestamp?',
  printer_count: 'number',
  claimed_at: 'timestamp?',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  is_stale: 'boolean',
  printers: 'list',
}
const attachedForm: Form = { id: 'string', name: 'string', model: 'string', status: 'string' }

let hubId: HubId
let now = new Date()
beforeEach(() => {
  now = new Date('2026-11-20T09:30:00.000Z')
})
const { t, account } = accountForEachTest({ context: { clock: { now: () => now } } })
beforeEach(async () => {
  hubId = dataOf(await account.request('POST', '/hubs', { name: 'Rack' }), 201).id
})

const read = async (id = hubId, owner = account) => dataOf(await owner.request('GET', `/hubs/${id}`))
const after = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

function connect(): HubConnection {
  const connection = hubConnection({ accountId: account.id, hubId, printerIds: new Set() }, now)
  t.context.hubs.attach(connection)
  return connection
}

keepsCommonPromises({ method: 'GET', path: '/hubs/:id', scope: 'read' }, () => ({ t, account, id: hubId }))

test('200: exactly its fields; a hub that never connected is stale and was never seen', async () => {
  const hub = await read()
  expectForm(hub, hubForm)
  expect(hub).toEqual({
    id: hubId,
    name: 'Rack',
    firmware_version: '',
    hardware_version: '',
    is_online: false,
    last_seen_at: null,
    printer_count: 0,
    claimed_at: null,
    created_at: '2026-11-20T09:30:00.000Z',
    updated_at: '2026-11-20T09:30:00.000Z',
    is_stale: true,
    printers: [],
  })
})

test('is_stale: not before more than two minutes without a heartbeat, connected or not', async () => {
  const connection = connect()
  expect(await read()).toMatchObject({ is_online: true, is_stale: false, last_seen_at: '2026-11-20T09:30:00.000Z' })
  after(120_000)
  expect(await read()).toMatchObject({ is_online: true, is_stale: false })
  after(1)
  expect(await read()).toMatchObject({ is_online: true, is_stale: true })
  connection.lastHeartbeatAt = now
  expect(await read()).toMatchObject({ is_stale: false })
  t.context.hubs.detach(connection)
  expect((await read()).is_online).toBe(false)
  await t.db.sql`update hubs set last_seen_at = ${now} where account_id = ${account.id} and id = ${hubId}`
  expect(await read()).toMatchObject({ is_stale: false, last_seen_at: now.toISOString() })
  after(120_001)
  expect(await read()).toMatchObject({ is_stale: true })
})

test('printers: those attached, by name, with what they are doing now; others are not among them', async () => {
  const added = async (name: string, hub?: string) =>
    dataOf(
      await account.request('POST', '/printers', {
        name,
        model: 'MK4S',
        connection_type: 'virtual',
        ...(hub && { hub_id: hub }),
      }),
      201,
    ).id
  const [b, a] = [await added('B', hubId), await added('A', hubId)]
  await added('C')
  await account.request('PUT', `/printers/${b}/maintenance`, { in_maintenance: true })
  const hub = await read()
  for (const printer of hub.printers) expectForm(printer, attachedForm)
  expect(hub).toMatchObject({
    printer_count: 2,
    printers: [
      { id: a, name: 'A', model: 'MK4S', status: 'offline' },
      { id: b, name: 'B', model: 'MK4S', status: 'maintenance' },
    ],
  })
})

test('a hub that connected says what it is, and what its printers report shows at once', async () => {
  const farm = await createTestFarm(t)
  const hub = await read(farm.hubId, farm.account)
  expectForm(hub, { ...hubForm, last_seen_at: 'timestamp', claimed_at: 'timestamp' })
  expect(hub).toMatchObject({
    firmware_version: '1.0.0-test',
    hardware_version: 'test',
    is_online: true,
    is_stale: false,
    printer_count: 1,
    printers: [{ id: farm.printerId, status: 'idle' }],
  })
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  expect(await read(farm.hubId, farm.account)).toMatchObject({ is_online: false, printers: [{ status: 'offline' }] })
})
