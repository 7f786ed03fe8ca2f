import { describe, expect, test } from 'vitest'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import { insertJobAndAttempt } from '../../../test/farm/printer-history.ts'
import { printersForAllTests } from '../../../test/farm/test-printers.ts'
import { sendPrinterSettings } from '../send-settings.ts'

const { nextName, t, farm, stranger, newHub, newPrinter, connect, report, detail, eventsOf } = printersForAllTests()

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

  test('tells a hub of a plate that a person cleared only where the plate is simulated', async () => {
    const hubId = await newHub()
    const octoprint = { connection_type: 'octoprint', connection: { address: '192.0.2.9', api_key: 'key' } }
    const real = await newPrinter({ hub_id: hubId, ...octoprint })
    const simulated = await newPrinter({ hub_id: hubId })
    const { frames, connection } = connect(hubId)
    const clear = async (id: PrinterId) => {
      report(connection, id, { status: 'idle' })
      const answer = await farm.request('POST', `/printers/${id}/control`, { action: 'clear_bed' })
      expect(answer.statusCode, answer.body).toBe(200)
      expect((await detail(id)).plate_state).toBe('clear')
    }
    await clear(real.id)
    expect(frames).toEqual([])
    await clear(simulated.id)
    expect(frames).toMatchObject([{ type: 'configure' }])
    const { printers } = frames[0] as unknown as { printers: { printer_id: string; connection: object }[] }
    expect(printers.find(({ printer_id }) => printer_id === simulated.id)?.connection).toHaveProperty(
      'plate_cleared_at',
    )
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
    let recordRead = () => undefined
    const hasRead = new Promise<void>((resolve) => {
      recordRead = () => void resolve()
    })
    const slowSql = async (...args: [TemplateStringsArray, ...string[]]) => {
      const isSlow = isFirst
      isFirst = false
      const rows = await t.db.sql(...args)
      if (isSlow) {
        recordRead()
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
