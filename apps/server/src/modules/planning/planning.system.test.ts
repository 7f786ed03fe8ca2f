import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { setRejectsAgain } from '../../test/farm/rejects-again.ts'
import { addMaterial, addSku, itemOf, setStock } from '../../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { fleetOf, insertFile, type TestFleet } from '../../test/farm/test-fleet.ts'
import { workIn } from '../events/work.ts'
import { planAccount } from './planner.ts'
import { replan } from './replan/replan.ts'
import { waitForPlan } from './stored/requests.queries.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet
let sku: Sku
/** Sliced for the MK4S, four units a plate. */
let fileId: string

interface Sku {
  id: string
  sku: string
}
type Answer = Awaited<ReturnType<typeof dataOf>>

beforeAll(async () => {
  t = await createTestApp({ context: { timeouts: { commandMs: 10_000, startMs: 10_000 } } })
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await createTestFarm(t)
  fleet = fleetOf(t, farm)
  sku = await addSku(farm.account, { sku: 'CLIP' })
  fileId = await insertFile(t, farm.account.id, {
    printer_model: 'MK4S',
    print_time_seconds: 600,
    filament_type: 'PETG',
  })
})
afterEach(() => farm.hub.close())

const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  farm.account.request(method, path, body)
const dataOf = async (answer: ReturnType<typeof ask>) => {
  const { statusCode, body } = await answer
  expect(statusCode, body).toBeLessThan(300)
  return JSON.parse(body).data
}
const addRecipe = (fields: object = {}) =>
  dataOf(ask('POST', '/recipes', { product_sku_id: sku.id, print_file_id: fileId, units_per_plate: 4, ...fields }))
const lineOf = (quantity: number, of: Sku = sku, fields: object = {}) => ({
  product_sku_id: of.id,
  quantity,
  unit_price: 100,
  ...fields,
})
const order = (items: object[], fields: object = {}): Promise<Answer> =>
  dataOf(ask('POST', '/orders', { customer_name: 'A', items, ...fields }))
/** How many wait in this database for a lock that another transaction holds. */
async function countWaiting(): Promise<number> {
  const rows = await t.db.sql`
    select 1 from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
  return rows.length
}

const planOf = (orderId: string) => dataOf(ask('GET', `/orders/${orderId}/plan`))
const produce = (orderId: string) => dataOf(ask('POST', `/orders/${orderId}/produce`))
const produceAll = (body?: object) => dataOf(ask('POST', '/production/produce', body))
const statusOf = async (orderId: string) => (await dataOf(ask('GET', `/orders/${orderId}`))).status
const planned = () => planAccount(t.context, farm.account.id)

/** From stock, from assembly, on live jobs, to print and blocked, of the lines of an order. */
async function unitsOf(orderId: string) {
  const { lines } = await planOf(orderId)
  return lines.map((line: Answer) => [
    line.from_stock,
    line.from_assembly,
    line.on_live_jobs,
    line.to_print,
    line.blocked,
  ])
}

async function printPlate(jobId: string) {
  const start = await fleet.startOf(jobId)
  await fleet.finish(start)
  return start.printerId
}

async function priorityOf(jobId: string) {
  const [job] = await t.db.sql<{ priority: string }[]>`
    select priority from jobs where account_id = ${farm.account.id} and id = ${jobId}`
  return job?.priority
}

async function openJobs() {
  const jobs: Answer[] = await dataOf(ask('GET', '/jobs?status=queued'))
  return jobs.length
}

describe('who has what is on the shelf', () => {
  test('orders are served by ship_by, then priority, then age, and inventory says what is left', async () => {
    await addRecipe()
    await setStock(farm.account, sku, 7)
    const old = await order([lineOf(5)])
    const urgent = await order([lineOf(1)], { priority: 'urgent' })
    const due = await order([lineOf(5)], { ship_by: '2030-01-01T00:00:00Z' })
    expect(await unitsOf(due.id)).toEqual([[5, 0, 0, 0, 0]])
    expect(await unitsOf(urgent.id)).toEqual([[1, 0, 0, 0, 0]])
    expect(await unitsOf(old.id)).toEqual([[1, 0, 0, 4, 0]])
    await planned()
    expect(await itemOf(farm.account, sku)).toMatchObject({ ready_stock: 7, reserved: 7, available: 0 })
    await ask('DELETE', `/orders/${due.id}`)
    await planned()
    expect(await itemOf(farm.account, sku)).toMatchObject({ reserved: 6, available: 1 })
    expect(await unitsOf(old.id)).toEqual([[5, 0, 0, 0, 0]])
  })

  test('an order takes what it holds and what is free, and nothing that another holds', async () => {
    await setStock(farm.account, sku, 6)
    const first = await order([lineOf(5)])
    const second = await order([lineOf(2)])
    const refused = await ask('POST', `/orders/${second.id}/fulfill`)
    expect(refused.statusCode).toBe(200)
    expect(refused.json().data.order ?? refused.json().data).toMatchObject({ status: 'processing' })
    expect((await itemOf(farm.account, sku)).ready_stock).toBe(5)
    const none = await ask('POST', `/orders/${second.id}/fulfill`)
    expect([none.statusCode, none.json().error.code]).toEqual([400, 'INSUFFICIENT_STOCK'])
    expect(none.json().error.details).toMatchObject({ available: 0 })
    await dataOf(ask('POST', `/orders/${first.id}/fulfill`))
    expect(await statusOf(first.id)).toBe('fulfilled')
  })

  test('a personalised line takes what was made for it, unless a person names it, and never what another line holds', async () => {
    await setStock(farm.account, sku, 3)
    const wish = { personalisation: [{ name: 'Name', value: 'Kim' }] }
    const { id, items } = await order([lineOf(2, sku, wish), lineOf(2)])
    const shipped = async (body?: object) => {
      const answer = await ask('POST', `/orders/${id}/fulfill`, body)
      expect(answer.statusCode, answer.body).toBe(200)
      const { items: lines } = await dataOf(ask('GET', `/orders/${id}`))
      return lines.map((line: Answer) => line.quantity_fulfilled)
    }
    expect(await shipped()).toEqual([0, 2])
    expect((await ask('POST', `/orders/${id}/fulfill`)).json().error).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      details: { available: 0, lines: [{ order_item_id: items[0].id, needed: 2, available: 0 }] },
    })
    expect(await shipped({ items: [{ item_id: items[0].id, quantity: 1 }] })).toEqual([1, 2])
  })

  test('two fulfilments at once take each unit once', async () => {
    await setStock(farm.account, sku, 5)
    const orders = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => order([lineOf(1)])))
    const answers = await Promise.all(orders.map(({ id }) => ask('POST', `/orders/${id}/fulfill`)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 200, 400, 400])
    expect((await itemOf(farm.account, sku)).ready_stock).toBe(0)
  })

  test('each unit of an order is in one place, from the shelf to the parcel and the cancellation', async () => {
    await addRecipe()
    await setStock(farm.account, sku, 3)
    const other = await addSku(farm.account, { sku: 'VASE' })
    const { id, items } = await order([lineOf(6), lineOf(2, other)])
    const placesOf = async () => {
      const { lines }: { lines: Answer[] } = await planOf(id)
      for (const { units, groups } of lines) {
        expect(groups.reduce((sum: number, group: Answer) => sum + group.units, 0)).toBe(units)
      }
      return lines.map(({ groups }) => groups.map((group: Answer) => `${group.units} ${group.state}`).join(', '))
    }
    expect(await placesOf()).toEqual(['3 reserved, 3 to_print', '2 blocked'])
    await dataOf(ask('POST', `/orders/${id}/picks`, {}))
    expect(await placesOf()).toEqual(['3 picked, 3 to_print', '2 blocked'])
    await dataOf(ask('POST', `/orders/${id}/fulfill`, { items: [{ item_id: items[0].id, quantity: 2 }] }))
    expect(await placesOf()).toEqual(['2 shipped, 1 picked, 3 to_print', '2 blocked'])
    expect((await planOf(id)).lines).toMatchObject([{ shipped: 2, from_stock: 1, picked: 1 }, { blocked: 2 }])
    await dataOf(ask('DELETE', `/orders/${id}`))
    expect(await placesOf()).toEqual(['2 shipped, 4 cancelled', '2 cancelled'])
  })

  test('what a person holds for a line stays with it, until they let it go', async () => {
    await addRecipe()
    await setStock(farm.account, sku, 5)
    const first = await order([lineOf(5)])
    const second = await order([lineOf(2)])
    const held = `/orders/${second.id}/items/${second.items[0].id}/hold`
    const plan = await dataOf(ask('POST', held, { units: 2 }))
    expect(plan).toMatchObject({ order_id: second.id, lines: [{ from_stock: 2 }] })
    expect(await unitsOf(first.id)).toEqual([[3, 0, 0, 2, 0]])
    const errorOf = async (body: object) => (await ask('POST', held, body)).json().error
    expect(await errorOf({ units: 3 })).toMatchObject({
      details: { units: ['must be at most 2: the line wants no more'] },
    })
    expect(await errorOf({ units: 1, job_id: 'job_x' })).toMatchObject({ code: 'NOT_FOUND' })
    await dataOf(ask('POST', held, { units: 0 }))
    expect(await unitsOf(first.id)).toEqual([[5, 0, 0, 0, 0]])
    const job = await dataOf(ask('POST', '/jobs', { product_sku_id: sku.id, number_of_units: 4 }))
    await order([lineOf(4)], { priority: 'urgent' })
    await dataOf(ask('POST', held, { units: 2, job_id: job.id }))
    expect(await unitsOf(second.id)).toEqual([[0, 0, 2, 0, 0]])
    expect((await dataOf(ask('GET', `/jobs/${job.id}/plan`))).for_orders).toEqual(
      expect.arrayContaining([expect.objectContaining({ order_id: second.id, units: 2 })]),
    )
  })

  test('a correction that takes what orders hold says so', async () => {
    await setStock(farm.account, sku, 5)
    await order([lineOf(4)])
    await planned()
    const { id } = await itemOf(farm.account, sku)
    const adjusted = await dataOf(ask('POST', `/inventory/${id}/adjust`, { adjustment: -3, reason: 'damaged' }))
    expect(adjusted).toMatchObject({ ready_stock: 2, reserved: 2, available: 0, reserved_missing: 2 })
  })
})

describe('producing', () => {
  test('an order queues its gap, once: two of four on the shelf, one job of whole plates for the rest', async () => {
    const recipe = await addRecipe()
    await setStock(farm.account, sku, 2)
    const { id } = await order([lineOf(7)], { ship_by: '2030-01-01T00:00:00Z', priority: 'high' })
    const dry = await dataOf(ask('POST', `/orders/${id}/plan`))
    expect(dry).toMatchObject({ dry_run: true, jobs: [{ job_id: null, plates: 2 }] })
    expect(await dataOf(ask('POST', `/orders/${id}/produce`, { dry_run: true }))).toEqual(dry)
    expect(await openJobs()).toBe(0)
    const made = await produce(id)
    expect(made).toMatchObject({
      dry_run: false,
      lines: [{ from_stock: 2, to_print: 5 }],
      jobs: [
        {
          recipe_ids: [recipe.id],
          plates: 2,
          outputs: [{ product_sku_id: sku.id, units: 4 }],
          surplus: [{ product_sku_id: sku.id, units: 3 }],
          due_date: '2030-01-01T00:00:00.000Z',
        },
      ],
      refused: [],
      unmatched_items: [],
    })
    const job = await dataOf(ask('GET', `/jobs/${made.jobs[0].job_id}`))
    expect(job).toMatchObject({ status: 'queued', product_sku_id: sku.id, number_of_units: 8 })
    expect(await priorityOf(job.id)).toBe('high')
    expect((await produce(id)).jobs).toEqual([])
    expect((await produceAll()).jobs).toEqual([])
    expect(await unitsOf(id)).toEqual([[2, 0, 5, 0, 0]])
    expect(await openJobs()).toBe(1)
  })

  test('twice at the same moment queues once', async () => {
    await addRecipe()
    const { id } = await order([lineOf(4)])
    const both = await Promise.all([produce(id), produce(id), produceAll()])
    expect(both.flatMap(({ jobs }) => jobs)).toHaveLength(1)
  })

  test('waits for what another process plans, and then finds nothing that is missing', async () => {
    await addRecipe()
    const { id } = await order([lineOf(4)])
    let both: Promise<Answer[]> = Promise.resolve([])
    await t.db.begin(async (sql) => {
      await waitForPlan(sql, farm.account.id)
      both = Promise.all([produce(id), produce(id)])
      await t.settled(async () => (await countWaiting()) > 0)
    })
    expect((await both).flatMap(({ jobs }) => jobs)).toHaveLength(1)
  })

  test('an ID of no order or SKU is told, and nothing is queued', async () => {
    await addRecipe()
    const { id } = await order([lineOf(1)])
    const foreign = 'ord_01kaxq3v7m2e8h5t9w4c6y0b1d'
    const body = { order_ids: [id, foreign], sku_ids: ['sku_01kaxq3v7m2e8h5t9w4c6y0b1d'] }
    const answer = await ask('POST', '/production/produce', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual({
      'order_ids.1': ['no order has this ID'],
      'sku_ids.0': ['no SKU has this ID'],
    })
    expect((await produce(id)).jobs).toHaveLength(1)
  })

  test('orders share plates, and a job that a person queued counts', async () => {
    await addRecipe()
    const orders = [await order([lineOf(1)]), await order([lineOf(1)]), await order([lineOf(2)])]
    const made = await produceAll({ order_ids: orders.map(({ id }) => id) })
    expect(made.jobs).toMatchObject([{ plates: 1, surplus: [] }])
    expect(made.jobs[0].serves).toHaveLength(3)
    const more = await order([lineOf(3)])
    await dataOf(ask('POST', '/jobs', { product_sku_id: sku.id, number_of_units: 4 }))
    expect((await produce(more.id)).jobs).toEqual([])
    expect(await unitsOf(more.id)).toEqual([[0, 0, 3, 0, 0]])
  })

  test('a mixed plate is queued for the SKU of its recipe, whichever of its SKUs comes first', async () => {
    const [first, second] = [
      await addSku(farm.account, { sku: 'FIRST' }),
      await addSku(farm.account, { sku: 'SECOND' }),
    ]
    for (const [main, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const recipe = await addRecipe({
        product_sku_id: main.id,
        units_per_plate: 3,
        also_makes: [{ product_sku_id: other.id, units: 3 }],
      })
      const { id } = await order([lineOf(3, first), lineOf(3, second)])
      const made = await produce(id)
      expect(made.refused).toEqual([])
      expect(made.jobs).toMatchObject([{ recipe_ids: [recipe.id], plates: 1, surplus: [] }])
      expect(await dataOf(ask('GET', `/jobs/${made.jobs[0].job_id}`))).toMatchObject({ product_sku_id: main.id })
      await dataOf(ask('PATCH', `/recipes/${recipe.id}`, { is_active: false }))
    }
  })

  test('what cannot be made is told with its reason and keeps nothing else from being made', async () => {
    await addRecipe()
    const bare = await addSku(farm.account, { sku: 'BARE' })
    const other = await addSku(farm.account, { sku: 'XLONLY' })
    const xl = await insertFile(t, farm.account.id, { printer_model: 'XL', filament_type: 'PETG' })
    await addRecipe({ product_sku_id: other.id, print_file_id: xl })
    const { id } = await order(
      [
        lineOf(1),
        lineOf(1, bare),
        lineOf(1, other),
        { sku: 'UNKNOWN', product_name: 'From a shop', quantity: 2, unit_price: 1 },
      ],
      { allow_unmapped: true },
    )
    const made = await produce(id)
    expect(made.jobs).toHaveLength(1)
    const reasons = made.unmatched_items.flatMap((item: Answer) => item.blockers)
    expect(reasons.map(({ reason, message }: Answer) => [reason, message]).sort()).toEqual([
      ['no_recipe', 'BARE has no recipe'],
      ['recipe_fits_no_printer', 'No printer of the farm fits a recipe of XLONLY'],
      ['unmapped', 'The line names no SKU: map it first'],
    ])
    expect((await ask('GET', '/orders/ord_x/plan')).statusCode).toBe(404)
    expect((await ask('POST', '/orders/ord_x/produce')).json().error.code).toBe('NOT_FOUND')
  })

  test('by date and by SKU: only what is asked for, and the shelf only when nothing narrows it down', async () => {
    await addRecipe()
    const shelf = await addSku(farm.account, { sku: 'SHELF' })
    await addRecipe({ product_sku_id: shelf.id })
    await dataOf(ask('PATCH', `/skus/${shelf.id}`, { restock_point: 2, restock_to: 10 }))
    const soon = await order([lineOf(1)], { ship_by: '2030-01-01T00:00:00Z' })
    const late = await order([lineOf(4)], { ship_by: '2031-01-01T00:00:00Z' })
    const first = await produceAll({ due_before: '2030-06-01T00:00:00Z' })
    expect(first.lines.map(({ order_id }: Answer) => order_id)).toEqual([soon.id])
    expect(first.jobs).toMatchObject([{ plates: 1 }])
    expect(await unitsOf(late.id)).toEqual([[0, 0, 3, 1, 0]])
    const rest = await produceAll()
    expect(rest.jobs.map(({ outputs, plates }: Answer) => [outputs[0].sku, plates])).toEqual([
      ['CLIP', 1],
      ['SHELF', 3],
    ])
    expect(rest.jobs[1].serves).toMatchObject([{ order_item_id: null, units: 10 }])
    expect((await produceAll()).jobs).toEqual([])
  })

  test('bad levels of restocking are refused', async () => {
    const change = async (body: object) => (await ask('PATCH', `/skus/${sku.id}`, body)).json().error?.details
    expect(await change({ restock_to: 5 })).toEqual({ restock_point: ['is required with restock_to'] })
    expect(await change({ restock_point: 5 })).toEqual({ restock_to: ['is required with restock_point'] })
    expect(await change({ restock_point: 5, restock_to: 5 })).toEqual({
      restock_to: ['must be more than restock_point, which is 5'],
    })
    expect(await change({ restock_point: 5, restock_to: 6 })).toBeUndefined()
    expect(await change({ restock_point: null, restock_to: null })).toBeUndefined()
  })
})

describe('from the order to the shelf', () => {
  test('a plate that is printed is reserved, and the order follows its units', async () => {
    await addRecipe()
    await fleet.addPrinter('M')
    const { id } = await order([lineOf(4)])
    const made = await produce(id)
    await planned()
    expect(await statusOf(id)).toBe('processing')
    await printPlate(made.jobs[0].job_id)
    await planned()
    expect(await unitsOf(id)).toEqual([[4, 0, 0, 0, 0]])
    expect(await statusOf(id)).toBe('printed')
    await dataOf(ask('POST', `/orders/${id}/fulfill`))
    expect(await statusOf(id)).toBe('fulfilled')
    expect((await itemOf(farm.account, sku)).ready_stock).toBe(0)
  })

  test('a status that a person sets stays until the units say another', async () => {
    await addRecipe()
    const { id } = await order([lineOf(4)])
    await planned()
    await dataOf(ask('PATCH', `/orders/${id}`, { status: 'processing' }))
    await planned()
    expect(await statusOf(id)).toBe('processing')
    await setStock(farm.account, sku, 4)
    await planned()
    expect(await statusOf(id)).toBe('printed')
  })

  test('an order of which all is there is said to be assembled as soon as its product is one that people put together', async () => {
    await setStock(farm.account, sku, 4)
    const { id } = await order([lineOf(4)])
    await planned()
    expect(await statusOf(id)).toBe('printed')
    const { product_id } = await dataOf(ask('GET', `/skus/${sku.id}`))
    for (const [requires_assembly, status] of [
      [true, 'assembled'],
      [false, 'printed'],
    ]) {
      await dataOf(ask('PATCH', `/products/${product_id}`, { requires_assembly }))
      await planned()
      expect(await statusOf(id)).toBe(status)
    }
  })

  test('a kit of two levels: parts printed, put together, reserved, shipped', async () => {
    const [part, sub, kit] = [
      await addSku(farm.account, { sku: 'PART' }),
      await addSku(farm.account, { sku: 'SUB' }),
      await addSku(farm.account, { sku: 'KIT' }),
    ]
    await addRecipe({ product_sku_id: part.id })
    await dataOf(ask('PUT', `/skus/${sub.id}/bom`, { children: [{ child_sku_id: part.id, quantity_required: 2 }] }))
    await dataOf(ask('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: sub.id, quantity_required: 1 }] }))
    const { id, items } = await order([lineOf(2, kit)])
    const made = await produce(id)
    expect(made.jobs).toMatchObject([{ plates: 1, outputs: [{ sku: 'PART', units: 4 }] }])
    expect(made.assembly_tasks.map(({ sku: of, units }: Answer) => [of, units]).sort()).toEqual([
      ['KIT', 2],
      ['SUB', 2],
    ])
    expect((await produce(id)).assembly_tasks).toEqual([])
    await fleet.addPrinter('M')
    await printPlate(made.jobs[0].job_id)
    await planned()
    expect(await unitsOf(id)).toEqual([[0, 2, 0, 0, 0]])
    const taskOf = (of: string) => made.assembly_tasks.find((task: Answer) => task.sku === of).assembly_task_id
    await dataOf(ask('POST', `/assembly/${taskOf('SUB')}/complete`, {}))
    expect(await dataOf(ask('GET', `/assembly/${taskOf('KIT')}`))).toMatchObject({
      for_orders: [{ order_id: id, order_item_id: items[0].id, units: 2 }],
    })
    const listed = async () => {
      const tasks: Answer[] = await dataOf(ask('GET', '/assembly'))
      const its = tasks.map((task) => [task.sku, task.status, task.for_orders.map((line: Answer) => line.order_number)])
      return its.sort()
    }
    const { order_number: number } = await dataOf(ask('GET', `/orders/${id}`))
    expect(await listed()).toEqual([
      ['KIT', 'pending', [number]],
      ['SUB', 'completed', [number]],
    ])
    await dataOf(ask('POST', `/assembly/${taskOf('KIT')}/complete`, {}))
    await planned()
    expect(await unitsOf(id)).toEqual([[2, 0, 0, 0, 0]])
    expect(await statusOf(id)).toBe('assembled')
    await dataOf(ask('POST', `/orders/${id}/fulfill`))
    expect(await statusOf(id)).toBe('fulfilled')
  })

  test('too few components block as many units as they are missing for', async () => {
    const kit = await addSku(farm.account, { sku: 'KIT' })
    await addRecipe()
    const screws = await addMaterial(farm.account, 'components', { name: 'Screw', remaining_units: 5 })
    await dataOf(
      ask('PUT', `/skus/${kit.id}/bom`, {
        children: [{ child_sku_id: sku.id, quantity_required: 1 }],
        inventory: [{ inventory_item_id: screws.id, quantity_required: 2 }],
      }),
    )
    const { id } = await order([lineOf(3, kit)])
    const { shortages } = await dataOf(ask('POST', `/orders/${id}/plan`))
    expect(shortages).toMatchObject([{ reason: 'missing_component', material_id: screws.id, message: 'Too few Screw' }])
    expect(await unitsOf(id)).toEqual([[0, 0, 0, 2, 1]])
    await dataOf(ask('POST', `/materials/components/${screws.id}/restock`, { quantity: 1 }))
    expect(await unitsOf(id)).toEqual([[0, 0, 0, 3, 0]])
  })

  test('what is personalised is made alone, and held for its line whichever order comes first', async () => {
    await addRecipe()
    await setStock(farm.account, sku, 1)
    const named = await order([lineOf(2, sku, { personalisation: [{ name: 'Name', value: 'Kim' }] })])
    expect(await unitsOf(named.id)).toEqual([[0, 0, 0, 2, 0]])
    const made = await produce(named.id)
    expect(made.jobs).toMatchObject([{ plates: 1 }])
    await planned()
    expect((await dataOf(ask('GET', `/jobs/${made.jobs[0].job_id}/plan`))).for_orders).toMatchObject([
      { order_id: named.id, units: 2, personalisation: [{ name: 'Name', value: 'Kim' }] },
    ])
    await fleet.addPrinter('M')
    await printPlate(made.jobs[0].job_id)
    const first = await order([lineOf(3)], { ship_by: '2030-01-01T00:00:00Z', priority: 'urgent' })
    await planned()
    expect(await unitsOf(named.id)).toEqual([[2, 0, 0, 0, 0]])
    // One on the shelf, and the two that the plate of the other order yielded beside its own.
    expect(await unitsOf(first.id)).toEqual([[3, 0, 0, 0, 0]])
    await dataOf(ask('POST', `/orders/${first.id}/fulfill`))
    await dataOf(ask('POST', `/orders/${named.id}/fulfill`))
    expect([await statusOf(first.id), await statusOf(named.id)]).toEqual(['fulfilled', 'fulfilled'])
    expect((await itemOf(farm.account, sku)).ready_stock).toBe(0)
    await planned()
    expect(await t.db.sql`select units from pinned_pegs where account_id = ${farm.account.id}`).toEqual([])
  })

  test('a personalised unit that was rejected is printed again for its line, and for no other', async () => {
    await addRecipe()
    await setRejectsAgain(t.db.sql, farm.account.id, true)
    await fleet.addPrinter('M')
    const named = await order([lineOf(2, sku, { personalisation: [{ name: 'Name', value: 'Kim' }] })])
    const made = await produce(named.id)
    const printerId = await printPlate(made.jobs[0].job_id)
    await dataOf(ask('POST', `/printers/${printerId}/control`, { action: 'clear_bed', quantity_rejected: 3 }))
    const plain = await order([lineOf(2)], { ship_by: '2030-01-01T00:00:00Z', priority: 'urgent' })
    await planned()
    expect(await unitsOf(named.id)).toEqual([[1, 0, 1, 0, 0]])
    expect(await unitsOf(plain.id)).toEqual([[0, 0, 0, 2, 0]])
    expect((await produce(named.id)).jobs).toEqual([])
  })

  test('what is no longer needed is offered for cancelling, and never stopped by itself', async () => {
    await addRecipe()
    const { id } = await order([lineOf(4)])
    const made = await produce(id)
    expect(await dataOf(ask('GET', '/production/unwanted'))).toMatchObject({ job_ids: [], assembly_task_ids: [] })
    await dataOf(ask('DELETE', `/orders/${id}`))
    expect(await dataOf(ask('GET', '/production/unwanted'))).toMatchObject({
      job_ids: [made.jobs[0].job_id],
      assembly_task_ids: [],
    })
    expect(await openJobs()).toBe(1)
  })

  test('what is made again for an order that was shipped leaves again, whether it is printed or lies on the shelf', async () => {
    await setStock(farm.account, sku, 1)
    const { id, items } = await order([lineOf(1)])
    await planned()
    expect(await statusOf(id)).toBe('printed')
    await dataOf(ask('POST', `/orders/${id}/fulfill`))
    await planned()
    await setStock(farm.account, sku, 1)
    await planned()
    await dataOf(
      ask('POST', `/orders/${id}/returns`, { items: [{ item_id: items[0].id, quantity: 1, disposition: 'remake' }] }),
    )
    await planned()
    expect(await unitsOf(id)).toEqual([[1, 0, 0, 0, 0]])
    expect(await statusOf(id)).toBe('printed')
  })

  test('rejects open their demand again', async () => {
    await addRecipe()
    await fleet.addPrinter('M')
    const { id } = await order([lineOf(4)])
    const made = await produce(id)
    await printPlate(made.jobs[0].job_id)
    await planned()
    expect(await unitsOf(id)).toEqual([[4, 0, 0, 0, 0]])
    const { id: itemId } = await itemOf(farm.account, sku)
    await dataOf(ask('POST', `/inventory/${itemId}/adjust`, { adjustment: -1, reason: 'damaged' }))
    expect(await unitsOf(id)).toEqual([[3, 0, 0, 1, 0]])
    expect((await produce(id)).jobs).toHaveLength(1)
  })
})

describe('without being asked', () => {
  const settle = (check: () => Promise<boolean>) => t.settled(check)

  test('what is paid and mapped is queued when the account says so, the rest is not', async () => {
    await addRecipe()
    await dataOf(ask('PATCH', '/orders/settings', { auto_produce: 'paid' }))
    const unpaid = await order([lineOf(4)], { is_paid: false })
    await order([lineOf(4), { sku: 'UNKNOWN', quantity: 1, unit_price: 1 }], { allow_unmapped: true })
    await planned()
    expect(await openJobs()).toBe(0)
    await dataOf(ask('PATCH', `/orders/${unpaid.id}`, { is_paid: true }))
    await settle(async () => (await openJobs()) === 1)
    await dataOf(ask('PATCH', '/orders/settings', { auto_produce: 'always' }))
    await settle(async () => (await openJobs()) === 2)
  })

  test('the shelf is filled up once it is down to its restock point, after all that was ordered', async () => {
    await addRecipe()
    await setStock(farm.account, sku, 5)
    await dataOf(ask('PATCH', `/skus/${sku.id}`, { restock_point: 3, restock_to: 8, auto_produce: true }))
    await planned()
    expect(await openJobs()).toBe(0)
    await setStock(farm.account, sku, 3)
    await settle(async () => (await openJobs()) === 1)
    await planned()
    const [job] = await dataOf(ask('GET', '/jobs?status=queued'))
    expect([job.number_of_units, await priorityOf(job.id)]).toEqual([8, 'low'])
  })
})

test('a change is planned soon by itself, and costs nothing when nothing asks for a plan', async () => {
  await setStock(farm.account, sku, 2)
  await order([lineOf(2)])
  await t.settled(async () => (await itemOf(farm.account, sku)).reserved === 2)
  // What asked after the plan that reserved them is planned, too.
  await t.settled(async () => {
    const rows = await t.db.sql`select position from replan_requests where account_id = ${farm.account.id}`
    return rows.length === 0
  })
})

test('of very many SKUs those of an order that ships are planned first, and the planner goes on until none is left', async () => {
  const { sql } = t.db
  const accountId = farm.account.id
  await setStock(farm.account, sku, 5)
  const { id } = await order([lineOf(2)])
  await sql`
    insert into skus (account_id, id, product_id, sku, color, filament_type, restock_point, restock_to, created_at, updated_at)
    select account_id, 'sku_many_' || n, product_id, 'MANY-' || n, color, filament_type, 1, 2, created_at, updated_at
    from skus, generate_series(1, 300) n where account_id = ${accountId} and id = ${sku.id}`
  await t.db.begin(async (transaction) => {
    // The planner at work waits for rows that are gone below, so it goes first or waits here.
    await waitForPlan(transaction, accountId)
    await transaction`delete from replan_requests where account_id = ${accountId}`
    await transaction`delete from pegs where account_id = ${accountId}`
    await transaction`insert into replan_requests (account_id) values (${accountId})`
    const work = workIn(transaction, { accountId, actor: 'test', now: new Date() })
    expect((await replan(work, id))?.scope).toEqual([sku.id])
    const [left] = await transaction<{ asked: number }[]>`
      select count(distinct product_sku_id)::int8 as asked from replan_requests where account_id = ${accountId}`
    expect(left?.asked).toBe(300)
    expect((await replan(work))?.scope).toHaveLength(100)
  })
  await planned()
  expect(await sql`select position from replan_requests where account_id = ${accountId}`).toEqual([])
  expect(await itemOf(farm.account, sku)).toMatchObject({ reserved: 2, available: 3 })
})
