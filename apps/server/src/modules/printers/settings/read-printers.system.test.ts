import { describe, expect, test } from 'vitest'
import { insertJobAndAttempt } from '../../../test/farm/printer-history.ts'
import { printersForAllTests } from '../../../test/farm/test-printers.ts'

const { t, farm, newHub, newPrinter, connect, report, detail, liveStatus } = printersForAllTests()

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
