import { beforeEach, describe, expect, test } from 'vitest'
import type { Sql } from '../../db/database.ts'
import { newId } from '../../kernel/ids.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { addSku, setStock } from '../../test/farm/test-catalogue.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'
import { addPrintsOf } from '../../test/farm/test-prints.ts'
import { longestTurnOf } from '../../test/run/longest-turn.ts'
import { workIn } from '../events/work.ts'
import { planAccount } from '../planning/planner.ts'
import { forecastOrders, waitForForecast } from './forecast-orders.ts'
import { forecastAccount } from './forecaster.ts'
import { insertPromises } from './forecasts.queries.ts'

/** A Monday. */
const start = new Date('2026-11-23T08:00:00Z')
const hourMs = 3_600_000
let now = start
const { t, farm } = farmForEachTest({ context: { clock: { now: () => now } } })

let sku: { id: string; sku: string }
let fileId: string
beforeEach(async () => {
  now = start
  sku = await addSku(farm.account)
  fileId = await insertFile(t, farm.account.id, { printer_model: 'MK4S', print_time_seconds: 3_600 })
  await send('POST', '/recipes', { product_sku_id: sku.id, print_file_id: fileId, units_per_plate: 2 })
})

async function send(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) {
  const answer = await farm.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const order = (quantity: number, fields: object = {}): Promise<{ id: string; items: { id: string }[] }> =>
  send('POST', '/orders', {
    order_date: start.toISOString(),
    items: [{ product_sku_id: sku.id, quantity, unit_price: 100 }],
    ...fields,
  })

async function forecast(at: Date = now): Promise<void> {
  now = at
  await planAccount(t.context, farm.account.id)
  await forecastAccount(t.context, farm.account.id)
}

/** More jobs of one plate behind one that there is. */
async function addJobsLike(sql: Sql, jobId: string, count: number): Promise<void> {
  // A statement that takes too long on a busy machine is cancelled.
  for (let from = 1; from <= count; from += 2_500) {
    const to = Math.min(count, from + 2_499)
    await sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units, quantity_per_print,
        plates_total, created_by)
      select j.account_id, 'job_' || lpad(number::text, 26, '0'), 'queued', j.print_file_id, j.file_version_id, j.file_name, 1, 1,
        1, 'system'
      from jobs j, generate_series(${from}::integer, ${to}::integer) number
      where j.account_id = ${farm.account.id} and j.id = ${jobId}`
  }
}

/** Three prints of the file that took half as long again, and one of them twice as long. */
const learn = () => addPrintsOf(t, farm, fileId, [5_400, 5_400, 7_200])

const promiseOf = async (orderId: string) => (await send('GET', `/orders/${orderId}/details`)).promise
const after = (hours: number) => new Date(start.getTime() + hours * hourMs).toISOString()
const promisesOf = (orderId: string) =>
  t.db.sql`
    select number, promised_at, made_at from order_promises
    where account_id = ${farm.account.id} and order_id = ${orderId} order by number`

describe('the promise of an order', () => {
  test('is when its plates are printed after what is queued before them, by what prints of the file took', async () => {
    await learn()
    await farm.queueJob({ print_file_id: fileId })
    const { id } = await order(4, { ship_by: after(6) })
    expect(await promiseOf(id)).toBeNull()
    await forecast()
    const expected = {
      is_ready: false,
      ready_p50_at: after(3 * 1.5),
      ready_p90_at: after(3 * 2),
      promised_at: '2026-11-24T00:00:00.000Z',
      first_promised_at: '2026-11-24T00:00:00.000Z',
      is_at_risk: false,
      unknown_because: null,
      message: '',
    }
    expect(await promiseOf(id)).toEqual(expected)
    expect(await send('GET', '/orders')).toMatchObject([{ id, promise: expected }])
    const plan = await send('GET', `/orders/${id}/plan`)
    expect(plan).toMatchObject({
      promise: expected,
      lines: [
        { groups: [{ state: 'to_print', ready_p50_at: after(4.5), ready_p90_at: after(6), unknown_because: null }] },
      ],
    })
  })

  test('is the same when what it needs is queued: the job is forecast then', async () => {
    await learn()
    const { id } = await order(4)
    await forecast()
    const before = await promiseOf(id)
    await send('POST', `/orders/${id}/produce`)
    await forecast()
    expect(await promiseOf(id)).toEqual(before)
    expect(await send('GET', `/orders/${id}/plan`)).toMatchObject({
      lines: [{ groups: [{ state: 'on_live_job', units: 4, ready_p50_at: after(3), ready_p90_at: after(4) }] }],
    })
  })

  test('is at risk when its p90 is after ship_by, in the order of service, and found by that', async () => {
    await learn()
    const late = await order(2, { ship_by: after(3.5) })
    const first = await order(2, { ship_by: after(3) })
    await forecast()
    expect(await promiseOf(first.id)).toMatchObject({ ready_p90_at: after(2), is_at_risk: false })
    expect(await promiseOf(late.id)).toMatchObject({ ready_p50_at: after(3), ready_p90_at: after(4), is_at_risk: true })
    expect(await send('GET', '/orders?at_risk=true')).toMatchObject([{ id: late.id }])
    expect(await send('GET', '/orders?at_risk=false')).toMatchObject([{ id: first.id }])
  })

  test('is late once the time by which it must leave is over, until it may leave later, and is told once each time', async () => {
    const { id } = await order(2, { ship_by: after(3) })
    const other = await order(2)
    const told = async () =>
      (await send('GET', '/events?limit=100'))
        .filter(({ type }: { type: string }) => type.startsWith('order.late'))
        .map((event: { type: string; subject_id: string }) => [event.type, event.subject_id])
    await forecast()
    expect(await told()).toEqual([])
    await forecast(new Date(start.getTime() + 3.5 * hourMs))
    await forecast(new Date(start.getTime() + 4 * hourMs))
    expect(await told()).toEqual([['order.late', id]])
    await send('PATCH', `/orders/${id}`, { ship_by: after(9) })
    await forecast(new Date(start.getTime() + 4 * hourMs))
    await forecast(new Date(start.getTime() + 10 * hourMs))
    expect(await told()).toEqual([
      ['order.late', id],
      ['order.late_ended', id],
      ['order.late', id],
    ])
    expect((await told()).flat()).not.toContain(other.id)
  })

  test('is ready when all of it is on the shelf, since that was first seen', async () => {
    await setStock(farm.account, sku, 3)
    const { id } = await order(3)
    await forecast()
    await forecast(new Date(start.getTime() + 2 * hourMs))
    expect(await promiseOf(id)).toMatchObject({
      is_ready: true,
      ready_p50_at: after(0),
      ready_p90_at: after(0),
      message: '',
    })
  })

  test.each([
    [
      'a line that is not mapped',
      'unmapped',
      async () => order(1, { allow_unmapped: true, items: [{ sku: 'XX', quantity: 1, unit_price: 1 }] }),
    ],
    [
      'a SKU without a recipe',
      'no_recipe',
      async () => {
        const other = await addSku(farm.account)
        return order(1, { items: [{ product_sku_id: other.id, quantity: 1, unit_price: 1 }] })
      },
    ],
    [
      'a farm whose printers are all in maintenance',
      'no_printer',
      async () => {
        await send('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance: true })
        return order(1)
      },
    ],
  ])('is null for %s, with the reason', async (_what, reason, add) => {
    await learn()
    const { id } = await add()
    await forecast()
    const promise = await promiseOf(id)
    expect(promise).toMatchObject({
      ready_p50_at: null,
      ready_p90_at: null,
      promised_at: null,
      unknown_because: reason,
    })
    expect(promise.message).not.toBe('')
    expect(await promisesOf(id)).toEqual([])
  })

  test('names the part of a kit that has no recipe, not the kit', async () => {
    const part = await addSku(farm.account)
    const kit = await addSku(farm.account)
    await send('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: part.id, quantity_required: 1 }] })
    const { id } = await order(1, { items: [{ product_sku_id: kit.id, quantity: 1, unit_price: 1 }] })
    await forecast()
    expect(await promiseOf(id)).toMatchObject({ unknown_because: 'no_recipe', message: `${part.sku} has no recipe` })
  })

  test('has no p90, and no date, until prints have shown how late they may be', async () => {
    const { id } = await order(2)
    await forecast()
    expect(await promiseOf(id)).toMatchObject({
      ready_p50_at: after(1),
      ready_p90_at: null,
      promised_at: null,
      first_promised_at: null,
      unknown_because: 'too_few_prints',
    })
  })

  test('counts the days on which the account ships', async () => {
    await learn()
    await send('PATCH', '/orders/settings', { working_days: [3, 4, 5] })
    const { id } = await order(2, { ship_by: after(30) })
    await forecast()
    expect(await promiseOf(id)).toMatchObject({
      ready_p90_at: after(2),
      promised_at: '2026-11-26T00:00:00.000Z',
      is_at_risk: true,
    })
  })

  test('counts the time that putting together took before, when enough of it is on record', async () => {
    await learn()
    for (let count = 0; count < 3; count++) {
      const { id } = await send('POST', '/assembly', { product_sku_id: sku.id, quantity: 2 })
      await t.db.sql`
        update assembly_tasks set status = 'completed', quantity_completed = 2, completed_at = ${now}
        where account_id = ${farm.account.id} and id = ${id}`
      await t.db.sql`
        update worklist_tasks set status = 'completed', started_at = ${new Date(now.getTime() - hourMs)}, completed_at = ${now}
        where account_id = ${farm.account.id} and subject_id = ${id}`
    }
    const { id } = await order(2)
    await forecast()
    expect(await promiseOf(id)).toMatchObject({ ready_p50_at: after(1.5 + 1), ready_p90_at: after(2 + 1) })
  })

  test('is made once by several processes that forecast at the same moment', async () => {
    await learn()
    const { id } = await order(2)
    await Promise.all([forecast(), forecast(), forecast()])
    expect(await promisesOf(id)).toMatchObject([{ number: 1 }])
  })

  test('waits for a forecast that another process makes', async () => {
    await learn()
    const { id } = await order(2)
    await planAccount(t.context, farm.account.id)
    let both: Promise<unknown> = Promise.resolve()
    await t.db.begin(async (sql) => {
      await waitForForecast(sql, farm.account.id)
      both = Promise.all([forecastAccount(t.context, farm.account.id), forecastAccount(t.context, farm.account.id)])
      await t.settled(async () => {
        const waiting = await sql`
          select 1 from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
        return waiting.length >= 2
      })
      expect(await promisesOf(id)).toEqual([])
    })
    await both
    expect(await promisesOf(id)).toMatchObject([{ number: 1 }])
  })

  test('is kept when it is first made, and again only when it moved by hours onto another day', async () => {
    await learn()
    const { id } = await order(2)
    await forecast()
    expect(await promisesOf(id)).toMatchObject([{ number: 1, promised_at: new Date('2026-11-24T00:00:00Z') }])
    await forecast(new Date(start.getTime() + 5 * hourMs))
    expect(await promisesOf(id)).toHaveLength(1)
    await forecast(new Date(start.getTime() + 24 * hourMs))
    await forecast(new Date(start.getTime() + 25 * hourMs))
    expect(await promisesOf(id)).toMatchObject([
      { number: 1 },
      { number: 2, promised_at: new Date('2026-11-25T00:00:00Z'), made_at: new Date(after(24)) },
    ])
    expect(await promiseOf(id)).toMatchObject({ first_promised_at: '2026-11-24T00:00:00.000Z' })
  })

  test('is kept of more orders at once than PostgreSQL takes rows of single values', async () => {
    const ids = Array.from({ length: 9_000 }, () => newId('order'))
    await t.db.sql`
      insert into orders (account_id, id, order_number, platform, items_total)
      select ${farm.account.id}, id, id, 'manual', 0 from unnest(${ids}::text[]) as o (id)`
    const at = new Date(after(24))
    const promises = ids.map((order_id, index) => ({
      order_id,
      number: 1 + (index % 2),
      ready_p50_at: start,
      ready_p90_at: new Date(after(1)),
      promised_at: at,
    }))
    await t.db.begin((sql) =>
      insertPromises(workIn(sql, { accountId: farm.account.id, actor: 'system', now }), promises),
    )
    const kept = await t.db.sql`
      select number, ready_p50_at, ready_p90_at, promised_at, made_at, count(*)::int4 as orders from order_promises
      where account_id = ${farm.account.id} group by 1, 2, 3, 4, 5 order by number`
    const same = { ready_p50_at: start, ready_p90_at: new Date(after(1)), promised_at: at, made_at: now, orders: 4_500 }
    expect(kept).toMatchObject([
      { number: 1, ...same },
      { number: 2, ...same },
    ])
  })

  test('is forecast behind 15,000 jobs without a turn of the event loop that others would notice', async () => {
    await learn()
    const { id } = await order(2)
    await planAccount(t.context, farm.account.id)
    const waiting = await farm.queueJob({ print_file_id: fileId })
    const undone = new Error('measured again')
    const measure = (mayBeUndone: boolean) =>
      t.db.begin(async (sql) => {
        // The application's own forecaster waits.
        await waitForForecast(sql, farm.account.id)
        await addJobsLike(sql, waiting, 14_999)
        const work = workIn(sql, { accountId: farm.account.id, actor: 'system', now })
        const { longestMs, allMs } = await longestTurnOf(() => forecastOrders(work, (part) => part(work)))
        // A collection of the whole heap, or a host that is busy, comes once; what keeps the loop comes each time.
        if (mayBeUndone && longestMs >= 30) throw undone
        expect(allMs).toBeGreaterThan(30)
        expect(longestMs).toBeLessThan(30)
      })
    await measure(true).catch((error: unknown) => {
      if (error !== undone) throw error
      return measure(false)
    })
    expect(await promiseOf(id)).toMatchObject({ ready_p50_at: after(15_001 * 1.5) })
  }, 120_000)

  test('is written without keeping a job from being deleted meanwhile', async () => {
    const waiting = await farm.queueJob({ print_file_id: fileId })
    const isHeld = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const holding = t.db.begin(async (sql) => {
      await sql`/* every account: a table is locked as a whole */ lock table gap_forecasts in access exclusive mode`
      isHeld.resolve()
      await letGo.promise
    })
    await isHeld.promise
    const forecasting = forecast()
    await t.settled(async () => {
      const [stored] = await t.db.sql`
        select job_id from job_forecasts where account_id = ${farm.account.id} and job_id = ${waiting}`
      return stored !== undefined
    })
    await send('DELETE', `/jobs/${waiting}`)
    letGo.resolve()
    await Promise.all([holding, forecasting])
  })

  test('is forgotten when the order has left; what was promised stays', async () => {
    await setStock(farm.account, sku, 1)
    const { id } = await order(1)
    await forecast()
    await send('POST', `/orders/${id}/fulfill`)
    await forecast()
    expect(await promiseOf(id)).toBeNull()
    expect(await promisesOf(id)).toHaveLength(1)
  })

  test('follows a plan by itself, and is that of its own account alone', async () => {
    const stranger = await t.account({ name: 'Another farm' })
    const { id } = await order(2)
    await planAccount(t.context, farm.account.id)
    const [asked] = await t.db.sql`select asked_at from forecast_rounds where account_id = ${farm.account.id}`
    expect(asked?.asked_at).toEqual(now)
    await forecastAccount(t.context, stranger.id)
    expect(await promiseOf(id)).toBeNull()
    await forecastAccount(t.context, farm.account.id)
    expect(await promiseOf(id)).not.toBeNull()
    expect((await stranger.request('GET', `/orders/${id}/plan`)).statusCode).toBe(404)
  })
})
