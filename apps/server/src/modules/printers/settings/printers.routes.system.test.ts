import type { PrinterSettings } from '@printyard/protocol/messages'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { HubId, PrinterId } from '../../../kernel/ids.ts'
import { fromHub, type PrinterState } from '../../../live/hub-messages.ts'
import type { HubConnection } from '../../../live/hubs.ts'
import { accountForAllTests } from '../../../test/app-hooks.ts'
import { hubConnection } from '../../../test/hub-connection.ts'
import { insertJobAndAttempt } from '../../../test/printer-history.ts'
import type { TestAccount } from '../../../test/test-app.ts'
import { readPrinterSettings, sendPrinterSettings } from '../send-settings.ts'

let stranger: TestAccount
const now = new Date('2026-03-01T12:00:00Z')
const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => now } } })
beforeAll(async () => {
  stranger = await t.account({ name: 'Another farm' })
})

let names = 0
const nextName = (prefix: string) => `${prefix} ${String(++names).padStart(3, '0')}`

async function newHub(account = farm): Promise<HubId> {
  return (await account.request('POST', '/hubs', { name: nextName('Hub') })).json().data.id
}

/** The smallest valid printer, and what matters. */
async function newPrinter(fields: object = {}, account = farm): Promise<{ id: PrinterId; name: string }> {
  const answer = await account.request('POST', '/printers', {
    name: nextName('Printer'),
    model: 'MK4S',
    connection_type: 'virtual',
    ...fields,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

interface Frame {
  type: string
  printers: PrinterSettings[]
}

function connect(hubId: HubId, account = farm): { connection: HubConnection; frames: Frame[] } {
  const frames: Frame[] = []
  const socket: HubConnection['socket'] = { send: (frame) => frames.push(JSON.parse(frame)), close: () => undefined }
  const connection = hubConnection({ accountId: account.id, hubId, socket }, now)
  t.context.hubs.attach(connection)
  return { connection, frames }
}

function report(connection: HubConnection, printerId: PrinterId, state: Partial<PrinterState>, at = now): void {
  // A hub reports a printer only once it was told of it, which may be a moment after the answer to anyone who added it.
  connection.printerIds = Object.assign(new Set<string>(), { has: () => true })
  t.context.hubs.applyTelemetry(
    connection,
    [{ printer_id: printerId, full: true, state: { ...fromHub(unknownPrinterState('test')), ...state } }],
    at,
  )
}

async function detail(id: string) {
  return (await farm.request('GET', `/printers/${id}`)).json().data
}
async function liveStatus(id: string) {
  return (await farm.request('GET', `/printers/${id}/status`)).json().data
}
async function eventsOf(subjectId: string): Promise<{ type: string; data: object }[]> {
  return [
    ...(await t.db.sql<{ type: string; data: object }[]>`
      select type, data from events where account_id = ${farm.id} and subject_id = ${subjectId} order by id`),
  ]
}

describe('adding a printer', () => {
  test('answers it with all that is known, its plate unknown', async () => {
    const hubId = await newHub()
    const answer = await farm.request('POST', '/printers', {
      name: 'Left of the door',
      model: 'Bambu Lab P1S',
      hub_id: hubId,
      connection_type: 'bambu',
      connection: { address: '192.0.2.40', serial: '01P00A', access_code: '12345678' },
      nozzle_size: 0.4,
      manufacturer: 'Bambu Lab',
      location: 'Shelf 1',
      notes: 'Squeaks',
      auto_start: true,
      current_color: 'Sky',
      current_color_hex: '#a0b1c2',
      current_filament_type: 'PETG',
      current_build_plate: 'Textured',
      has_ams: true,
      total_print_time: 99,
    })
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(data).toEqual({
      id: expect.stringMatching(/^prn_/),
      name: 'Left of the door',
      model: 'Bambu Lab P1S',
      manufacturer: 'Bambu Lab',
      status: 'offline',
      location: 'Shelf 1',
      nozzle_size: 0.4,
      current_color: 'Sky',
      current_color_hex: '#A0B1C2',
      current_filament_type: 'PETG',
      current_build_plate: 'Textured',
      has_ams: true,
      is_active: true,
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      notes: 'Squeaks',
      firmware_version: '',
      total_print_time: 0,
      filament_level: null,
      last_maintenance_date: null,
      in_maintenance: false,
      maintenance_interval_hours: null,
      health: [],
      foreign_print: null,
      maintenance_type: null,
      hub_id: hubId,
      plate_state: 'unknown',
      plate_job_id: null,
      plate_changed_at: expect.any(String),
      plate_changed_by: expect.stringMatching(/^key:/),
      plate_change_reason: 'new_printer',
      plate_unknown_reason: null,
      ejection: null,
      ejections_in_row: 0,
      auto_start: true,
      connection_type: 'bambu',
      power_group: '',
      loaded_filament_grams: null,
      slots: null,
    })
    expect(await detail(data.id)).toEqual(data)
    expect(await eventsOf(data.id)).toEqual([
      {
        type: 'printer.created',
        data: { name: 'Left of the door', model: 'Bambu Lab P1S', hub_id: hubId, connection_type: 'bambu' },
      },
    ])
  })

  test('a virtual printer needs neither hub nor address', async () => {
    const { id } = await newPrinter()
    expect(await detail(id)).toMatchObject({ hub_id: null, nozzle_size: null, auto_start: false, location: '' })
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(121) }],
    ['model', { model: null }],
    ['hub_id', { hub_id: '' }],
    ['connection_type', { connection_type: 'usb' }],
    ['connection', { connection: 'address' }],
    ['connection', { connection: { note: 'x'.repeat(16 * 1024) } }],
    ['connection', { connection: Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`f${i}`, i])) }],
    ['connection.address', { connection_type: 'octoprint' }],
    ['connection.address', { connection_type: 'moonraker', connection: { address: '' } }],
    ['nozzle_size', { nozzle_size: 0 }],
    ['nozzle_size', { nozzle_size: '0.4' }],
    ['location', { location: 'x'.repeat(201) }],
    ['notes', { notes: 'x'.repeat(2001) }],
    ['auto_start', { auto_start: 'yes' }],
    ['current_color_hex', { current_color_hex: 'red' }],
    ['has_ams', { has_ams: null }],
  ])('names the field %s that is wrong in %j', async (field, fields) => {
    const name = nextName('Bad')
    const answer = await farm.request('POST', '/printers', {
      name,
      model: 'MK4S',
      connection_type: 'virtual',
      ...fields,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: { [field]: [expect.any(String)] } })
    expect((await farm.request('GET', `/printers?search=${encodeURIComponent(name)}`)).json().data).toEqual([])
  })

  test("is refused for a hub that does not exist, and for another account's", async () => {
    for (const hub_id of ['hub_unknown', await newHub(stranger)]) {
      const answer = await farm.request('POST', '/printers', {
        name: nextName('Astray'),
        model: 'MK4S',
        connection_type: 'virtual',
        hub_id,
      })
      expect(answer.statusCode).toBe(404)
      expect(answer.json().error.code).toBe('HUB_NOT_FOUND')
    }
  })

  test('is refused for a name in use, in this account only', async () => {
    const { name } = await newPrinter()
    const body = { name, model: 'X', connection_type: 'virtual' }
    const answer = await farm.request('POST', '/printers', body)
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_NAME')
    expect((await stranger.request('POST', '/printers', body)).statusCode).toBe(201)
  })

  test('happens once per Idempotency-Key', async () => {
    const body = { name: nextName('Once'), model: 'X', connection_type: 'virtual' }
    const send = (sent: object) => farm.request('POST', '/printers', sent, { 'idempotency-key': 'printer-once' })
    const first = await send(body)
    const again = await send(body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.json()).toEqual(first.json())
    expect((await send({ ...body, model: 'Y' })).json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a connection', () => {
  const secret = 'correct-horse-battery'

  test('is never answered, nor stored where it can be read', async () => {
    const hubId = await newHub()
    const connection = { address: '192.0.2.41', api_key: secret }
    const created = await farm.request(
      'POST',
      '/printers',
      { name: nextName('Secretive'), model: 'MK4S', connection_type: 'prusalink', connection, hub_id: hubId },
      { 'idempotency-key': 'secretive' },
    )
    const { id, name } = created.json().data
    const bodies = [
      created,
      await farm.request('GET', '/printers'),
      await farm.request('GET', `/printers/${id}`),
      await farm.request('GET', `/printers/${id}/status`),
      await farm.request('PATCH', `/printers/${id}`, { connection: { ...connection, port: 1 } }),
      await farm.request('PATCH', `/printers/${id}`, { connection: { api_key: secret } }),
      await farm.request('PUT', `/printers/${id}/maintenance`, { in_maintenance: true }),
      await farm.request('GET', `/hubs/${hubId}`),
      await farm.request('POST', '/printers', { name, model: 'X', connection_type: 'bambu', connection }),
    ].map((answer) => answer.body)
    const stored = await t.db.sql<{ text: string }[]>`
      select p::text || e::text || i::text as text from printers p
      join events e on e.account_id = p.account_id and e.subject_id = p.id
      join idempotency_keys i on i.account_id = p.account_id and i.key = 'secretive'
      where p.account_id = ${farm.id} and p.id = ${id}`
    expect(stored).toHaveLength(3)
    const hex = Buffer.from(secret).toString('hex')
    for (const text of [...bodies, ...stored.map((row) => row.text)]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(hex)
    }
  })

  test('reaches the hub of the printer, with the limits of its model', async () => {
    const hubId = await newHub()
    const { frames } = connect(hubId)
    const { id, name } = await newPrinter({
      model: 'Bambu Lab A1 mini',
      hub_id: hubId,
      connection_type: 'bambu',
      connection: { address: '192.0.2.42', access_code: secret },
      nozzle_size: 0.6,
      current_color_hex: '#ff0000',
      current_filament_type: 'PLA',
    })
    await expect.poll(() => frames.length).toBe(1)
    expect(frames[0]).toMatchObject({
      type: 'configure',
      printers: [
        {
          printer_id: id,
          name,
          model: 'Bambu Lab A1 mini',
          connection_type: 'bambu',
          connection: { address: '192.0.2.42', access_code: secret },
          nozzle_size: 0.6,
          limits: { nozzle: 300, bed: 80, chamber: 65 },
          filament_type: 'PLA',
          filament_color_hex: '#FF0000',
        },
      ],
    })
  })

  test('that cannot be opened keeps no other printer from running', async () => {
    const hubId = await newHub()
    const broken = await newPrinter({ hub_id: hubId })
    const sound = await newPrinter({ hub_id: hubId })
    await t.db.sql`
      update printers set connection_sealed = '\\x00' where account_id = ${farm.id} and id = ${broken.id}`
    const settings = await readPrinterSettings(t.context, t.db.sql, farm.id, hubId)
    expect(settings.map((each) => each.printer_id)).toEqual([sound.id])
  })

  test('keeps all else when another certificate of the printer is to be believed', async () => {
    const hubId = await newHub()
    const connection = { address: '192.0.2.43', serial: '01P00A1', access_code: secret }
    const bambu = { hub_id: hubId, connection_type: 'bambu', model: 'P1S' }
    const { id } = await newPrinter({ ...bambu, connection: { ...connection, allow_any_certificate: true } })
    const pinned_fingerprint = 'a3'.repeat(32)
    const answer = await farm.request('PATCH', `/printers/${id}`, { pinned_fingerprint })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(secret)
    const [known] = await readPrinterSettings(t.context, t.db.sql, farm.id, hubId)
    expect(known?.connection).toEqual({ ...connection, pinned_fingerprint: pinned_fingerprint.toUpperCase() })
    expect((await eventsOf(id)).at(-1)).toEqual({ type: 'printer.updated', data: { fields: ['connection'] } })
  })

  test('takes no fingerprint that is none, of a printer without certificate, or while it cannot be opened', async () => {
    const bambu = { connection_type: 'bambu', connection: { address: '192.0.2.44', serial: '01P00A2' } }
    const { id } = await newPrinter(bambu)
    const other = await newPrinter()
    const damaged = await newPrinter({ ...bambu, connection: { address: '192.0.2.45', serial: '01P00A3' } })
    await t.db.sql`
      update printers set connection_sealed = '\\x00' where account_id = ${farm.id} and id = ${damaged.id}`
    const refuse = async (printerId: string, pinned_fingerprint: string) =>
      (await farm.request('PATCH', `/printers/${printerId}`, { pinned_fingerprint })).json().error
    for (const [printerId, fingerprint] of [
      [id, 'A3:B4'],
      [other.id, 'A3'.repeat(32)],
      [damaged.id, 'A3'.repeat(32)],
    ] as const) {
      expect(await refuse(printerId, fingerprint)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { pinned_fingerprint: [expect.any(String)] },
      })
    }
  })
})

describe('listing printers', () => {
  test('goes by name, in pages, by use, place and part of the name', async () => {
    const owner = await t.account()
    const add = (name: string, fields = {}) => newPrinter({ name, ...fields }, owner)
    await add('Beta', { location: 'Hall 1' })
    await add('alpha 50%', { location: 'Hall 2' })
    const gone = await add('Gamma', { location: 'Hall 1' })
    await owner.request('PATCH', `/printers/${gone.id}`, { is_active: false })
    const listed = async (query: string) =>
      (await owner.request('GET', `/printers${query}`)).json().data.map((each: { name: string }) => each.name)

    expect((await listed('')).sort()).toEqual(['Beta', 'Gamma', 'alpha 50%'].sort())
    expect(await listed('?is_active=false')).toEqual(['Gamma'])
    expect(await listed('?is_active=true&location=Hall+1')).toEqual(['Beta'])
    expect(await listed('?location=Hall')).toEqual([])
    expect(await listed('?search=A%25')).toEqual([])
    expect(await listed('?search=50%25')).toEqual(['alpha 50%'])
    expect(await listed('?search=ALPHA')).toEqual(['alpha 50%'])
    const all = await listed('')
    expect([...(await listed('?limit=2')), ...(await listed('?limit=2&offset=2'))]).toEqual(all)
    const page = (await owner.request('GET', '/printers?limit=2&offset=2')).json()
    expect(page.meta).toEqual({ limit: 2, offset: 2, count: 1 })
    expect(Object.keys(page.data[0])).toEqual([
      'id',
      'name',
      'model',
      'manufacturer',
      'status',
      'location',
      'nozzle_size',
      'current_color',
      'current_color_hex',
      'current_filament_type',
      'current_build_plate',
      'has_ams',
      'is_active',
      'created_at',
      'updated_at',
    ])
  })

  test('a filter by status goes by what is live, and pages what it lets through', async () => {
    const owner = await t.account()
    const hubId = await newHub(owner)
    const { connection } = connect(hubId, owner)
    const ids: string[] = []
    for (const [index, status] of (['idle', 'printing', 'idle', 'error', 'idle', 'idle'] as const).entries()) {
      const { id } = await newPrinter({ name: `P${index}`, hub_id: hubId }, owner)
      report(connection, id, { status })
      ids.push(id)
    }
    const elsewhere = await newPrinter({ name: 'P9' }, owner)
    await owner.request('PUT', `/printers/${ids[4]}/maintenance`, { in_maintenance: true })
    const listed = async (query: string) => (await owner.request('GET', `/printers?${query}`)).json()
    const idsOf = (answer: { data: { id: string }[] }) => answer.data.map((each) => each.id)

    expect(idsOf(await listed('status=idle'))).toEqual([ids[0], ids[2], ids[5]])
    const second = await listed('status=idle&limit=1&offset=1')
    expect(idsOf(second)).toEqual([ids[2]])
    expect(second.data[0].status).toBe('idle')
    expect(second.meta).toEqual({ limit: 1, offset: 1, count: 1 })
    expect(idsOf(await listed('status=maintenance'))).toEqual([ids[4]])
    expect(idsOf(await listed('status=offline'))).toEqual([elsewhere.id])
    expect(idsOf(await listed('status=idle&search=P2'))).toEqual([ids[2]])
    t.context.hubs.detach(connection)
    expect(idsOf(await listed('status=idle'))).toEqual([])
    expect((await listed('status=offline')).data).toHaveLength(6)
  })

  test.each(['is_active=1', 'status=busy', 'search=', 'location=', 'limit=0', 'offset=-1'])(
    'refuses the query %s',
    async (query) => {
      const answer = await farm.request('GET', `/printers?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.details).toHaveProperty(query.split('=')[0] as string)
    },
  )
})

describe('the live status', () => {
  const nothingLive = {
    status: null,
    progress: null,
    nozzle_temp: null,
    bed_temp: null,
    chamber_temp: null,
    target_nozzle_temp: null,
    target_bed_temp: null,
    layer_num: null,
    total_layers: null,
    remaining_time_minutes: null,
    current_job_id: null,
    current_color: null,
    current_color_hex: null,
    current_filament_type: null,
  }

  test('is null throughout while the hub is offline, but for the time of the last report', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId, current_color: 'Red', current_filament_type: 'PLA' })
    expect(await liveStatus(id)).toEqual({ printer_id: id, hub_online: false, ...nothingLive, last_telemetry_at: null })

    const { connection } = connect(hubId)
    report(connection, id, { status: 'idle' }, new Date('2026-03-01T11:59:00Z'))
    expect(await liveStatus(id)).toMatchObject({ status: 'idle', last_telemetry_at: '2026-03-01T11:59:00.000Z' })
    t.context.hubs.detach(connection)
    expect(await liveStatus(id)).toEqual({
      printer_id: id,
      hub_online: false,
      ...nothingLive,
      last_telemetry_at: '2026-03-01T11:59:00.000Z',
    })
  })

  test('is offline for a printer that its hub has not reported yet', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    connect(hubId)
    expect(await liveStatus(id)).toEqual({
      printer_id: id,
      hub_online: true,
      ...nothingLive,
      status: 'offline',
      last_telemetry_at: null,
    })
  })

  test('tells everything of a print of ours, with its job', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId, current_color: 'Sky', current_color_hex: '#00AAFF' })
    const { jobId, attemptId } = await insertJobAndAttempt(t.db.sql, farm.id, { printerId: id, hubId })
    const { connection } = connect(hubId)
    report(connection, id, {
      status: 'printing',
      run: { file_name: 'a.gcode', job_id: null, attempt_id: attemptId },
      progress: 41.5,
      nozzle_temp: 219.8,
      bed_temp: 60,
      chamber_temp: 31,
      target_nozzle_temp: 220,
      target_bed_temp: 60,
      layer_num: 12,
      total_layers: 80,
      remaining_time_minutes: 33,
      filament_type: 'PETG',
      filament_color_hex: '#00AAFF',
      firmware_version: '6.2.1',
    })
    expect(await liveStatus(id)).toEqual({
      printer_id: id,
      hub_online: true,
      status: 'printing',
      progress: 41.5,
      nozzle_temp: 219.8,
      bed_temp: 60,
      chamber_temp: 31,
      target_nozzle_temp: 220,
      target_bed_temp: 60,
      layer_num: 12,
      total_layers: 80,
      remaining_time_minutes: 33,
      current_job_id: jobId,
      current_color: 'Sky',
      current_color_hex: '#00AAFF',
      current_filament_type: 'PETG',
      last_telemetry_at: '2026-03-01T12:00:00.000Z',
    })
    expect(await detail(id)).toMatchObject({ status: 'printing', firmware_version: '6.2.1', slots: null })

    report(connection, id, { status: 'printing', filament_color_hex: '#112233' })
    expect(await liveStatus(id)).toMatchObject({
      current_job_id: null,
      current_color: null,
      current_color_hex: '#112233',
    })
  })

  test('shows the slots that the printer tells of, as long as its hub is there', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    const { connection } = connect(hubId)
    const slot = {
      slot: 1,
      name: 'AMS 1 slot 2',
      filament_type: 'PETG',
      filament_color_hex: '#00AAFF',
      remaining_percent: 80,
      is_empty: false,
      is_active: true,
    }
    report(connection, id, { status: 'idle', slots: [slot] })
    expect((await detail(id)).slots).toEqual([slot])
    t.context.hubs.detach(connection)
    expect((await detail(id)).slots).toBeNull()
  })

  test('says maintenance for a printer that a person took out of service', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    report(connect(hubId).connection, id, { status: 'idle', nozzle_temp: 24 })
    await farm.request('PUT', `/printers/${id}/maintenance`, { in_maintenance: true })
    expect(await liveStatus(id)).toMatchObject({ status: 'maintenance', nozzle_temp: 24 })
  })
})

describe('changing a printer', () => {
  test('changes what is given, records which fields, and tells the hub', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId, location: 'Here' })
    const { frames } = connect(hubId)
    const change = {
      name: nextName('Renamed'),
      location: '',
      notes: 'New belt',
      nozzle_size: 0.6,
      manufacturer: 'Prusa',
      auto_start: true,
      current_color: 'Red',
      current_color_hex: '#ff0000',
      current_filament_type: 'ASA',
      current_build_plate: 'Smooth',
      has_ams: true,
    }
    const answer = await farm.request('PATCH', `/printers/${id}`, change)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ ...change, current_color_hex: '#FF0000' })
    expect(await detail(id)).toEqual(answer.json().data)
    expect((await eventsOf(id)).at(-1)).toEqual({
      type: 'printer.updated',
      data: { fields: expect.arrayContaining(Object.keys(change)) },
    })
    expect(frames).toMatchObject([{ type: 'configure', printers: [{ name: change.name, filament_type: 'ASA' }] }])
  })

  test('to a spool whose material has a long name sends the hub as much of it as it takes', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    const { frames } = connect(hubId)
    const spool = (await farm.request('POST', '/materials/filament', { type: 'é'.repeat(100) })).json().data
    expect((await farm.request('PATCH', `/materials/filament/${spool.id}`, { printer_id: id })).statusCode).toBe(200)
    await t.settled(() => frames.length > 0)
    expect(frames.at(-1)).toMatchObject({ type: 'configure', printers: [{ filament_type: 'é'.repeat(50) }] })
  })

  test('to what it is already leaves no trace', async () => {
    const { id, name } = await newPrinter({ current_color_hex: '#AABBCC' })
    const answer = await farm.request('PATCH', `/printers/${id}`, { name, current_color_hex: '#aabbcc' })
    expect(answer.statusCode).toBe(200)
    expect((await eventsOf(id)).map((event) => event.type)).toEqual(['printer.created'])
  })

  test('asks for at least one field that it knows', async () => {
    const { id } = await newPrinter()
    for (const body of [{}, { model: 'Another', status: 'idle' }]) {
      const answer = await farm.request('PATCH', `/printers/${id}`, body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.details).toEqual({ _root: ['must have at least one field'] })
    }
    expect((await farm.request('PATCH', `/printers/${id}`)).json().error.code).toBe('VALIDATION_ERROR')
  })

  test('is refused for a name in use, an unknown hub and a connection without an address', async () => {
    const other = await newPrinter()
    const { id } = await newPrinter({ connection_type: 'octoprint', connection: { address: '192.0.2.1' } })
    const refuse = async (body: object) => (await farm.request('PATCH', `/printers/${id}`, body)).json().error
    expect(await refuse({ name: other.name })).toMatchObject({ code: 'DUPLICATE_NAME' })
    expect(await refuse({ hub_id: await newHub(stranger) })).toMatchObject({ code: 'HUB_NOT_FOUND' })
    expect(await refuse({ connection: {} })).toMatchObject({ details: { 'connection.address': ['is required'] } })
    expect(await refuse({ name: null })).toMatchObject({ details: { name: ['must be a string'] } })
  })

  test('to another hub takes it from the one and gives it to the other', async () => {
    const [from, to] = [await newHub(), await newHub()]
    const { id } = await newPrinter({ hub_id: from })
    const [old, next] = [connect(from), connect(to)]
    report(old.connection, id, { status: 'idle' })
    expect((await detail(id)).status).toBe('idle')

    await farm.request('PATCH', `/printers/${id}`, { hub_id: to })
    expect(old.frames).toMatchObject([{ type: 'configure', printers: [] }])
    expect(next.frames).toMatchObject([{ type: 'configure', printers: [{ printer_id: id }] }])
    expect((await detail(id)).status).toBe('offline')
    report(old.connection, id, { status: 'idle' })
    expect((await detail(id)).status).toBe('offline')
    report(next.connection, id, { status: 'idle' })
    expect((await detail(id)).status).toBe('idle')
  })

  test('out of use takes it from its hub', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    const { connection, frames } = connect(hubId)
    report(connection, id, { status: 'idle' })
    await farm.request('PATCH', `/printers/${id}`, { is_active: false })
    expect(frames).toMatchObject([{ type: 'configure', printers: [] }])
    expect(await detail(id)).toMatchObject({ is_active: false, status: 'offline' })
    // Back in use, what was heard of it before counts for nothing.
    await farm.request('PATCH', `/printers/${id}`, { is_active: true })
    expect(await detail(id)).toMatchObject({ is_active: true, status: 'offline' })
  })

  test('while a print is under way may correct its connection, but not take it from its hub', async () => {
    const [hubId, other] = [await newHub(), await newHub()]
    const { id } = await newPrinter({ hub_id: hubId })
    await insertJobAndAttempt(t.db.sql, farm.id, { printerId: id, hubId })
    for (const body of [{ hub_id: other }, { hub_id: null }, { is_active: false }]) {
      const answer = await farm.request('PATCH', `/printers/${id}`, body)
      expect(answer.statusCode).toBe(409)
      expect(answer.json().error.code).toBe('RESOURCE_IN_USE')
    }
    expect((await farm.request('PATCH', `/printers/${id}`, { connection: { port: 2 } })).statusCode).toBe(200)
    expect(await detail(id)).toMatchObject({ hub_id: hubId, is_active: true })
  })

  test('the hub is told last what is true last, even when an earlier sending is slow', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId, current_filament_type: 'PLA' })
    const { frames } = connect(hubId)
    let isFirst = true
    let noteRead = () => undefined
    const hasRead = new Promise<void>((resolve) => {
      noteRead = () => void resolve()
    })
    const slowSql = async (...args: [TemplateStringsArray, ...string[]]) => {
      const isSlow = isFirst
      isFirst = false
      const rows = await t.db.sql(...args)
      if (isSlow) {
        noteRead()
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return rows
    }
    // Only the tag itself is used by the one query of a sending.
    const slow: Context = { ...t.context, db: { ...t.context.db, sql: slowSql as unknown as Sql } }
    const first = sendPrinterSettings(slow, farm.id, hubId)
    await hasRead
    await t.db.sql`
      update printers set current_filament_type = 'ASA' where account_id = ${farm.id} and id = ${id}`
    await Promise.all([first, sendPrinterSettings(slow, farm.id, hubId)])
    expect(frames.map((frame) => frame.printers[0]?.filament_type)).toEqual(['PLA', 'ASA'])
  })
})

describe('maintenance', () => {
  test('begins and ends, each on record', async () => {
    const { id } = await newPrinter()
    const put = (body: object) => farm.request('PUT', `/printers/${id}/maintenance`, body)
    const started = await put({ in_maintenance: true, maintenance_type: 'nozzle_change' })
    expect(started.json().data).toMatchObject({
      status: 'maintenance',
      in_maintenance: true,
      maintenance_type: 'nozzle_change',
      last_maintenance_date: null,
    })
    await put({ in_maintenance: true, maintenance_type: 'nozzle_change' })
    const ended = await put({ in_maintenance: false, maintenance_type: 'ignored' })
    expect(ended.json().data).toMatchObject({
      status: 'offline',
      in_maintenance: false,
      maintenance_type: null,
      last_maintenance_date: '2026-03-01T12:00:00.000Z',
    })
    expect((await eventsOf(id)).slice(1)).toEqual([
      { type: 'printer.maintenance_started', data: { maintenance_type: 'nozzle_change' } },
      { type: 'printer.maintenance_ended', data: { maintenance_type: 'nozzle_change' } },
    ])
  })

  test('is refused with the field', async () => {
    const { id } = await newPrinter()
    const refuse = async (body: object) =>
      (await farm.request('PUT', `/printers/${id}/maintenance`, body)).json().error.details
    expect(await refuse({})).toEqual({ in_maintenance: ['is required'] })
    expect(await refuse({ in_maintenance: 'true' })).toHaveProperty('in_maintenance')
    expect(await refuse({ in_maintenance: true, maintenance_type: 'x'.repeat(121) })).toHaveProperty('maintenance_type')
  })
})

describe('deleting a printer', () => {
  test('that nothing names removes it, and its hub is told', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    const { connection, frames } = connect(hubId)
    report(connection, id, { status: 'idle' })
    const answer = await farm.request('DELETE', `/printers/${id}`)
    expect(t.context.printers.find(id)).toBeUndefined()
    expect(answer.json()).toEqual({ success: true, data: { id, deleted: true } })
    expect(frames).toMatchObject([{ type: 'configure', printers: [] }])
    expect((await farm.request('GET', `/printers/${id}`)).statusCode).toBe(404)
    expect((await farm.request('DELETE', `/printers/${id}`)).statusCode).toBe(404)
    expect((await eventsOf(id)).at(-1)?.type).toBe('printer.deleted')
  })

  test('is refused while it has work, and for ever once it has a history', async () => {
    const hubId = await newHub()
    const { id } = await newPrinter({ hub_id: hubId })
    const { jobId, attemptId } = await insertJobAndAttempt(t.db.sql, farm.id, { printerId: id, hubId })
    const busy = await farm.request('DELETE', `/printers/${id}`)
    expect(busy.statusCode).toBe(409)
    expect(busy.json().error).toMatchObject({
      code: 'RESOURCE_IN_USE',
      message: expect.stringContaining('not finished'),
    })

    await t.db.sql`
      update attempts set phase = 'finished', outcome = 'done', finished_at = now()
      where account_id = ${farm.id} and id = ${attemptId}`
    await t.db.sql`update jobs set status = 'completed' where account_id = ${farm.id} and id = ${jobId}`
    const known = await farm.request('DELETE', `/printers/${id}`)
    expect(known.statusCode).toBe(409)
    expect(known.json().error).toMatchObject({ code: 'RESOURCE_IN_USE', message: expect.stringContaining('is_active') })
    expect((await eventsOf(id)).map((event) => event.type)).toEqual(['printer.created'])

    await farm.request('PATCH', `/printers/${id}`, { hub_id: null })
    const hub = await farm.request('DELETE', `/hubs/${hubId}`)
    expect(hub.json().error).toMatchObject({ code: 'RESOURCE_IN_USE', message: expect.stringContaining('history') })
  })
})
