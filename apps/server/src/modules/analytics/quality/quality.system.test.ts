import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, setStock } from '../../../test/farm/test-catalogue.ts'

const now = new Date('2026-06-15T12:00:00Z')
const { t, farm } = farmForEachTest({ context: { clock: { now: () => now } } })

let sku: { id: string; sku: string }
beforeEach(async () => {
  sku = await addSku(farm.account)
})

const get = async (path: string, account = farm.account) => {
  const answer = await account.request('GET', `/analytics/${path}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const csv = async (path: string) => {
  const answer = await farm.account.request('GET', `/analytics/${path}&format=csv`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.body.slice(1).trimEnd().split('\r\n')
}

type Outcome = 'done' | 'failed' | 'cancelled'

/** A job of two units a plate and five units in all, with what became of its plates. */
async function addPlates(
  outcomes: readonly Outcome[],
  { at = '2026-06-14T08:00:00Z', rejected = 0, type = 'clog' } = {},
) {
  const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 5, quantity_per_print: 2 })
  await t.db.sql`
    update job_outputs set units_rejected = ${rejected} where account_id = ${farm.account.id} and job_id = ${jobId}`
  const [job] = await t.db.sql<{ file_version_id: string }[]>`
    update jobs set status = 'failed', filament_type = 'PETG', units_rejected = ${rejected}, time_completed = ${at}
    where account_id = ${farm.account.id} and id = ${jobId} returning file_version_id`
  for (const [index, outcome] of outcomes.entries()) {
    const id = newId('attempt')
    await t.db.sql`
      insert into attempts ${t.db.sql({
        account_id: farm.account.id,
        id,
        job_id: jobId,
        plate_number: index + 1,
        printer_id: farm.printerId,
        hub_id: farm.hubId,
        file_version_id: job?.file_version_id ?? '',
        fence: 1_000_000 + Math.floor(Math.random() * 1_000_000_000),
        phase: 'finished',
        outcome,
        actor: 'system',
        confirmed_at: new Date(Date.parse(at) - 3_600_000),
        finished_at: new Date(at),
      } as never)}`
    if (outcome === 'done') continue
    await t.db.sql`
      insert into print_failures ${t.db.sql({
        account_id: farm.account.id,
        id: newId('printFailure'),
        job_id: jobId,
        attempt_id: id,
        printer_id: farm.printerId,
        type: outcome === 'failed' ? type : 'cancelled_by_person',
        occurred_at: new Date(at),
        updated_at: new Date(at),
      } as never)}`
  }
}

describe('GET /analytics/yield', () => {
  test('counts plates and their units by file, printer and material, and what cost the most units', async () => {
    await addPlates(['done', 'done', 'failed'], { rejected: 1 })
    await addPlates(['done', 'failed'], { type: 'spaghetti' })
    await addPlates(['cancelled'])
    const figures = {
      plates_done: 3,
      plates_failed: 2,
      plates_stopped: 1,
      units_good: 5,
      units_rejected: 1,
      plate_yield: 60,
      unit_yield: 83.3,
    }
    const report = await get('yield')
    expect(report).toMatchObject({
      date_range: { from: '2026-05-17', to: '2026-06-15' },
      summary: figures,
      by_printer: [{ printer_id: farm.printerId, printer_name: 'Printer', ...figures }],
      by_material: [{ material: 'PETG', ...figures }],
      // The third plate of five units held one.
      reasons: [
        { reason: 'cancelled_by_person', count: 1, units_lost: 2, share: 33.3, cumulative_share: 33.3 },
        { reason: 'spaghetti', count: 1, units_lost: 2, share: 33.3, cumulative_share: 66.7 },
        { reason: 'clog', count: 1, units_lost: 1, share: 16.7, cumulative_share: 83.3 },
        { reason: 'rejected_on_plate', count: 1, units_lost: 1, share: 16.7, cumulative_share: 100 },
      ],
    })
    expect(report.by_file).toMatchObject([{ print_file_id: farm.fileId, ...figures }])
  })

  test('looks at the days that are asked for, and at nothing of another account', async () => {
    await addPlates(['done'], { at: '2026-06-01T08:00:00Z' })
    expect((await get('yield?from=2026-06-02&to=2026-06-15')).summary).toMatchObject({
      plates_done: 0,
      plate_yield: null,
    })
    expect((await get('yield?from=2026-06-01&to=2026-06-01')).summary).toMatchObject({
      plates_done: 1,
      plate_yield: 100,
    })
    const stranger = await t.account({ name: 'Another farm' })
    expect(await get('yield', stranger)).toMatchObject({ summary: { plates_done: 0 }, by_file: [], reasons: [] })
    expect((await farm.account.request('GET', '/analytics/yield?from=2026-06-15&to=2026-06-01')).statusCode).toBe(400)
  })

  test('counts bad units under what a person said was wrong with them, and the others by themselves', async () => {
    await addPlates(['done', 'failed'], { type: 'spaghetti' })
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 4 })
    const attempt = await farm.print(jobId)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    const reject = (body: object) =>
      farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', ...body })
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
    expect((await reject({ failure_type: 'spaghetti' })).json().error.details).toEqual({
      failure_type: ['is possible with bad units only, when a plate is cleared'],
    })
    expect((await reject({ quantity_rejected: 1, failure_type: 'spaghetti' })).statusCode).toBe(200)
    await t.db.sql`
      update attempts set finished_at = ${now} where account_id = ${farm.account.id} and job_id = ${jobId}`
    expect((await get('yield')).reasons).toMatchObject([{ reason: 'spaghetti', count: 2, units_lost: 3 }])
    await t.db.sql`
      update job_outputs set units_rejected = 2 where account_id = ${farm.account.id} and job_id = ${jobId}`
    expect((await get('yield')).reasons).toMatchObject([
      { reason: 'spaghetti', count: 2, units_lost: 3 },
      { reason: 'rejected_on_plate', count: 1, units_lost: 1 },
    ])
  })

  test('counts units that were found bad in assembly', async () => {
    const { id } = (await farm.account.request('POST', '/assembly', { product_sku_id: sku.id, quantity: 3 })).json()
      .data
    await t.db.sql`
      update assembly_tasks set status = 'completed', quantity_rejected = 2, completed_at = ${now}
      where account_id = ${farm.account.id} and id = ${id}`
    expect((await get('yield')).reasons).toMatchObject([{ reason: 'rejected_in_assembly', count: 1, units_lost: 2 }])
  })

  test('gives each table as rows', async () => {
    await addPlates(['done', 'failed'])
    const figures = 'plates_done,plates_failed,plates_stopped,units_good,units_rejected,plate_yield,unit_yield'
    expect(await csv('yield?by=printer')).toEqual([`printer_name,${figures}`, 'Printer,1,1,0,2,0,50,100'])
    expect(await csv('yield?by=material')).toEqual([`material,${figures}`, 'PETG,1,1,0,2,0,50,100'])
    expect((await csv('yield?by=file'))[0]).toBe(`file_name,${figures}`)
    expect(await csv('yield?by=reason')).toEqual(['reason,count,units_lost,share,cumulative_share', 'clog,1,2,100,100'])
  })
})

/** An order that was promised for a day, and left or did not. */
async function addPromised(promisedAt: string, shippedAt: string | null, { platform = 'etsy', times = 1 } = {}) {
  await setStock(farm.account, sku, 1)
  const body = { platform, items: [{ product_sku_id: sku.id, quantity: 1, unit_price: 1 }] }
  const { id } = (await farm.account.request('POST', '/orders', body)).json().data
  if (shippedAt !== null) {
    await t.db.sql`
      update orders set status = 'shipped', shipped_at = ${shippedAt} where account_id = ${farm.account.id} and id = ${id}`
  }
  for (let number = 1; number <= times; number++) {
    await t.db.sql`
      insert into order_promises ${t.db.sql({
        account_id: farm.account.id,
        id: newId('orderPromise'),
        order_id: id,
        number,
        ready_p50_at: new Date(promisedAt),
        ready_p90_at: new Date(promisedAt),
        promised_at: new Date(Date.parse(promisedAt) + (number - 1) * 86_400_000),
        made_at: new Date('2026-06-01T00:00:00Z'),
      } as never)}`
  }
  return id
}

test('GET /analytics/failures gives its rows for a spreadsheet, by day, by type and by printer', async () => {
  await addPlates(['failed'], { at: '2026-06-13T08:00:00Z' })
  await addPlates(['failed', 'done', 'cancelled'])
  await addPlates(['failed'], { type: 'adhesion' })
  const path = 'failures?from=2026-06-12&to=2026-06-15'
  expect(await csv(path)).toEqual(['date,count', '2026-06-13,1', '2026-06-14,3'])
  expect((await csv(`${path}&by=type`)).toSorted()).toEqual([
    'adhesion,1',
    'cancelled_by_person,1',
    'clog,2',
    'type,count',
  ])
  expect(await csv(`${path}&by=printer`)).toEqual(['printer_name,count', 'Printer,4'])
})

describe('GET /analytics/promises', () => {
  test('tells by week and platform how many orders left by their first promise', async () => {
    await addPromised('2026-06-04T00:00:00Z', '2026-06-03T10:00:00Z')
    const late = await addPromised('2026-06-05T00:00:00Z', '2026-06-06T12:00:00Z', { platform: 'shopify', times: 2 })
    const open = await addPromised('2026-06-13T00:00:00Z', null)
    await addPromised('2026-06-20T00:00:00Z', null)
    const cancelled = await addPromised('2026-06-12T00:00:00Z', null)
    await farm.account.request('DELETE', `/orders/${cancelled}`)
    const report = await get('promises?from=2026-06-01&to=2026-06-15')
    expect(report).toMatchObject({
      summary: {
        orders: 3,
        within: 1,
        late: 2,
        late_open: 1,
        changed: 1,
        within_percent: 33.3,
        late_days_average: 2,
        late_days_worst: 2.5,
      },
      by_week: [
        { week: '2026-06-01', orders: 2, within: 1, late: 1, late_days_average: 1.5, changed: 1 },
        { week: '2026-06-08', orders: 1, within: 0, late: 1, late_open: 1 },
      ],
      by_platform: [
        { platform: 'etsy', orders: 2, within: 1 },
        { platform: 'shopify', orders: 1, within: 0, late_days_worst: 1.5 },
      ],
      late_orders: [
        { order_id: open, shipped_at: null, late_days: 2.5 },
        { order_id: late, platform: 'shopify', promised_at: '2026-06-05T00:00:00.000Z', late_days: 1.5 },
      ],
    })
    const stranger = await t.account({ name: 'Another farm' })
    expect((await get('promises', stranger)).summary).toMatchObject({ orders: 0, within_percent: null })
  })

  test('gives each table as rows', async () => {
    await addPromised('2026-06-05T00:00:00Z', '2026-06-06T12:00:00Z')
    const figures = 'orders,within,late,late_open,changed,within_percent,late_days_average,late_days_worst'
    const row = '1,0,1,0,0,0,1.5,1.5'
    expect(await csv('promises?by=week')).toEqual([`week,${figures}`, `2026-06-01,${row}`])
    expect(await csv('promises?by=platform')).toEqual([`platform,${figures}`, `etsy,${row}`])
    const [header, line] = await csv('promises?by=order')
    expect(header).toBe('order_number,platform,promised_at,shipped_at,late_days')
    expect(line).toContain('etsy,2026-06-05T00:00:00.000Z,2026-06-06T12:00:00.000Z,1.5')
  })
})
