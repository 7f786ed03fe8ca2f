import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { addSku, itemOf } from '../../test/farm/test-catalogue.ts'

let sku: { id: string; sku: string; product_id: string }
const { t, farm } = farmForEachTest()
beforeEach(async () => {
  sku = await addSku(farm.account)
})

const send = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  farm.account.request(method, path, body)
const assemblies = async (query = '') => (await send('GET', `/assembly?${query}`)).json().data
const works = async () => (await send('GET', '/worklist?task_type=assembly')).json().data

async function levels(): Promise<{ ready: number; waiting: number; moved: Record<string, number> }> {
  const item = await itemOf(farm.account, sku)
  const rows = await t.db.sql<{ stock: string; sum: number; level: number }[]>`
    select m.stock, sum(m.change)::integer as sum,
           case m.stock when 'ready' then i.ready_stock else i.quantity_needs_assembly end as level
    from stock_movements m join inventory_items i on i.account_id = m.account_id and i.id = m.inventory_item_id
    where m.account_id = ${farm.account.id} and m.inventory_item_id = ${item.id}
    group by m.stock, i.ready_stock, i.quantity_needs_assembly`
  // The ledger always says what is there.
  for (const row of rows) expect(row.sum).toBe(row.level)
  const moved = Object.fromEntries(rows.map(({ stock, sum }) => [stock, sum]))
  return { ready: moved.ready ?? 0, waiting: moved.needs_assembly ?? 0, moved }
}

/** Prints units of the SKU that need assembly; answers the assembly task that they made. */
async function printUnits(units: number) {
  const jobId = await farm.queueJob({
    product_sku_id: sku.id,
    number_of_units: units,
    quantity_per_print: units,
    requires_assembly: true,
  })
  const attempt = await farm.print(jobId)
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  return (await assemblies())[0]
}

test('a job whose units need assembly asks for it once, and the stock waits until then', async () => {
  const task = await printUnits(4)
  expect(task).toMatchObject({ kind: 'print_assembly', status: 'pending', quantity: 4, sku: sku.sku })
  expect(await works()).toMatchObject([{ status: 'pending', title: expect.stringContaining('4 ×') }])
  expect(await levels()).toMatchObject({ ready: 0, waiting: 4 })
})

describe('completing', () => {
  const complete = (id: string, body?: object) => send('POST', `/assembly/${id}/complete`, body ?? {})

  test('moves all units into ready stock and closes the task of the worklist', async () => {
    const { id } = await printUnits(4)
    expect((await complete(id)).json().data).toMatchObject({
      status: 'completed',
      quantity_completed: 4,
      completed_at: expect.any(String),
    })
    expect(await levels()).toMatchObject({ ready: 4, waiting: 0 })
    expect(await works()).toMatchObject([{ status: 'completed' }])
    expect((await complete(id)).json().error.code).toBe('TASK_ALREADY_COMPLETED')
  })

  test('in parts keeps the task open, and rejected units are gone', async () => {
    const { id } = await printUnits(5)
    expect((await complete(id, { quantity_completed: 2 })).json().data.status).toBe('in_progress')
    expect(await levels()).toMatchObject({ ready: 2, waiting: 3 })
    const tooMany = await complete(id, { quantity_completed: 3, quantity_rejected: 1 })
    expect(tooMany.json().error.code).toBe('VALIDATION_ERROR')
    const nothing = await complete(id, { quantity_completed: 0 })
    expect(nothing.json().error.code).toBe('VALIDATION_ERROR')
    expect((await complete(id, { quantity_rejected: 1 })).json().data).toMatchObject({
      status: 'completed',
      quantity_completed: 4,
      quantity_rejected: 1,
    })
    expect(await levels()).toMatchObject({ ready: 4, waiting: 0 })
  })

  test('at the worklist does the same, 20 times at once has one effect', async () => {
    const { id } = await printUnits(3)
    const [work] = await works()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? send('PUT', `/worklist/${work.id}/status`, { status: 'completed' }) : complete(id),
      ),
    )
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(await levels()).toMatchObject({ ready: 3, waiting: 0 })
    expect(await works()).toMatchObject([{ status: 'completed' }])
  })

  test('more than waits in the stock is refused, and nothing changes', async () => {
    const made = await send('POST', '/assembly', { product_sku_id: sku.id, quantity: 2 })
    expect(made.statusCode).toBe(201)
    const { id } = made.json().data
    expect((await complete(id)).json().error).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      details: { available: 0 },
    })
    expect((await assemblies())[0]).toMatchObject({ status: 'pending', quantity_completed: 0 })
    expect(await works()).toMatchObject([{ status: 'pending' }])
  })
})

test('units that are rejected at the plate are not asked for any more', async () => {
  const { id } = await printUnits(4)
  const clear = (quantity: number) =>
    send('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', quantity_rejected: quantity })
  expect((await clear(1)).statusCode).toBe(200)
  expect((await send('GET', `/assembly/${id}`)).json().data).toMatchObject({ quantity: 3, status: 'pending' })
  expect(await levels()).toMatchObject({ ready: 0, waiting: 3 })
  await printUnits(2)
  expect((await clear(2)).statusCode).toBe(200)
  expect((await assemblies('status=cancelled'))[0]).toMatchObject({ quantity: 0 })
  expect(await levels()).toMatchObject({ waiting: 3 })
})

test('an assembly task shows the published article about its SKU', async () => {
  const article = (await send('POST', '/wiki', { title: 'How to', category: 'Floor', sku_id: sku.id })).json().data
  const { id } = await printUnits(1)
  const read = async () => (await send('GET', `/assembly/${id}`)).json().data.wiki_article
  expect(await read()).toBeNull()
  await send('POST', `/wiki/${article.id}/publish`)
  expect(await read()).toMatchObject({ id: article.id, title: 'How to' })
})

test('it can be given to a member, set aside, cancelled and deleted; bad input is refused', async () => {
  const { id } = await printUnits(2)
  const change = (body: object) => send('PATCH', `/assembly/${id}`, body)
  expect((await change({ assigned_to: 'usr_x' })).json().error.code).toBe('USER_NOT_FOUND')
  expect((await change({ status: 'done' })).json().error.code).toBe('VALIDATION_ERROR')
  expect((await change({ notes: 'Glue first' })).json().data.notes).toBe('Glue first')
  expect((await change({ status: 'cancelled' })).json().data.status).toBe('cancelled')
  expect(await works()).toMatchObject([{ status: 'cancelled' }])
  expect(await levels()).toMatchObject({ waiting: 2 })
  expect((await send('GET', '/assembly/stats')).json().data).toMatchObject({ cancelled: 1, units_open: 0 })
  expect((await send('DELETE', `/assembly/${id}`)).json().data).toEqual({ id, deleted: true })
  expect((await send('GET', `/assembly/${id}`)).json().error.code).toBe('NOT_FOUND')
  const unknown = await send('POST', '/assembly', { product_sku_id: 'sku_x', quantity: 1 })
  expect(unknown.json().error.code).toBe('SKU_NOT_FOUND')
})

test('units that are rejected after they were shipped are missing from the shelf, where nothing is held then', async () => {
  const { job_id } = await printUnits(2)
  await send('POST', `/assembly/${(await assemblies())[0].id}/complete`, {})
  const order = await send('POST', '/orders', {
    customer_name: 'A',
    items: [{ product_sku_id: sku.id, quantity: 2, unit_price: 1 }],
  })
  await send('POST', `/orders/${order.json().data.id}/fulfill`, {})
  await send('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', quantity_rejected: 1 })
  expect(job_id).not.toBeNull()
  const item = await itemOf(farm.account, sku)
  expect(item).toMatchObject({ ready_stock: -1, reserved: 0, available: 0, status: 'out_of_stock' })
  const counted = await send('POST', `/inventory/${item.id}/adjust`, { adjustment: 1, reason: 'inventory_count' })
  expect(counted.json().data).toMatchObject({ ready_stock: 0, reserved: 0, available: 0, reserved_missing: 0 })
})

test('units that are rejected after another task put them together leave the ready stock', async () => {
  const { id } = await printUnits(2)
  await send('PATCH', `/assembly/${id}`, { status: 'cancelled' })
  const other = await send('POST', '/assembly', { product_sku_id: sku.id, quantity: 2 })
  await send('POST', `/assembly/${other.json().data.id}/complete`, {})
  expect(await levels()).toMatchObject({ ready: 2, waiting: 0 })
  await send('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', quantity_rejected: 1 })
  expect(await levels()).toMatchObject({ ready: 1, waiting: 0 })
})

test('units that are rejected after they were put together leave the ready stock', async () => {
  const first = await printUnits(4)
  const clear = (quantity: number) =>
    send('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', quantity_rejected: quantity })
  await send('POST', `/assembly/${first.id}/complete`, { quantity_completed: 3 })
  expect((await clear(2)).statusCode).toBe(200)
  expect(await levels()).toMatchObject({ ready: 2, waiting: 0 })
  const second = await printUnits(4)
  await send('POST', `/assembly/${second.id}/complete`, {})
  expect((await clear(1)).statusCode).toBe(200)
  expect(await levels()).toMatchObject({ ready: 5, waiting: 0 })
})
