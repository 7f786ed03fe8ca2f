import { describe, expect, test } from 'vitest'
import type { JobId, SkuId } from '../../../kernel/ids.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, itemOf } from '../../../test/farm/test-catalogue.ts'
import { explaining, readPlan } from '../../../test/run/query-plan.ts'
import { workIn } from '../../events/work.ts'
import { listItems, listMovements } from './inventory.queries.ts'
import { creditJobUnits } from './stock-ledger.ts'
import { stockStatus } from './stock-status.ts'

const { t, account: farm } = accountForEachTest()

/** A new SKU's item with this much ready stock. */
async function addItem({ stock = 0, ...sku }: { stock?: number; [field: string]: unknown } = {}) {
  const item = await itemOf(farm, await addSku(farm, sku))
  if (stock !== 0) await adjust(item.id, { adjustment: stock, reason: 'inventory_count' })
  return itemOf(farm, item)
}

const adjust = (itemId: string, body: unknown, headers = {}) =>
  farm.request('POST', `/inventory/${itemId}/adjust`, body, headers)

const setThreshold = (itemId: string, body: unknown) => farm.request('PUT', `/inventory/${itemId}/threshold`, body)

const movementsOf = async (itemId: string) =>
  (await farm.request('GET', `/inventory/${itemId}/movements?limit=100`)).json().data

const eventsOf = (subjectId: string) =>
  t.db.sql`select type, data from events where account_id = ${farm.id} and subject_id = ${subjectId} order by id`

/** What the database holds of an item, and what its movements add up to. */
async function booksOf(itemId: string) {
  const [books] = await t.db.sql<
    {
      ready_stock: number
      quantity_needs_assembly: number
      low_stock_threshold: number
      status: string
      ready_sum: number
      needs_assembly_sum: number
      movements: number
    }[]
  >`
    select i.ready_stock, i.quantity_needs_assembly, i.low_stock_threshold, i.status, m.*
    from inventory_items i
    cross join lateral (
      select coalesce(sum(change) filter (where stock = 'ready'), 0)::int8 as ready_sum,
             coalesce(sum(change) filter (where stock = 'needs_assembly'), 0)::int8 as needs_assembly_sum,
             count(*) as movements
      from stock_movements where account_id = i.account_id and inventory_item_id = i.id) m
    where i.account_id = ${farm.id} and i.id = ${itemId}`
  if (!books) throw new Error(`no item ${itemId}`)
  return books
}

/** The rule that must hold whatever happened. */
async function expectBalancedBooks(itemId: string) {
  const books = await booksOf(itemId)
  expect(books.ready_sum).toBe(books.ready_stock)
  expect(books.needs_assembly_sum).toBe(books.quantity_needs_assembly)
  expect(books.status).toBe(stockStatus(books))
  return books
}

describe('GET /inventory', () => {
  test('shows an item as the SKU and its stock make it, and nothing internal', async () => {
    const sku = await addSku(farm, { color: 'Red', filament_type: 'PLA', low_stock_threshold: 3 })
    const answer = await farm.request('GET', '/inventory')
    expect(answer.json()).toEqual({
      success: true,
      data: [
        {
          id: expect.stringMatching(/^inv_/),
          product_sku_id: sku.id,
          sku: sku.sku,
          color: 'Red',
          material: 'PLA',
          ready_stock: 0,
          reserved: 0,
          available: 0,
          bin: '',
          low_stock_threshold: 3,
          status: 'out_of_stock',
          image_url: '',
          is_active: true,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      meta: { limit: 5000, offset: 0, count: 1, next_cursor: null },
    })
    const [item] = answer.json().data
    expect((await farm.request('GET', `/inventory/${item.id}`)).json()).toEqual({
      success: true,
      data: {
        ...item,
        product_id: sku.product_id,
        product_name: expect.stringMatching(/^Product/),
        is_composite: false,
        available_to_build: 0,
        effective_status: 'out_of_stock',
        parts_on_hand: [],
      },
    })
  })

  test('filters by low stock, code, material and status, and pages', async () => {
    const empty = await addItem({ sku: 'C', filament_type: 'PLA' })
    const low = await addItem({ sku: 'B', color: 'Teal', stock: 2, low_stock_threshold: 5, filament_type: 'PETG' })
    const plenty = await addItem({ sku: 'A', stock: 9, low_stock_threshold: 5, filament_type: 'PLA' })
    const listed = async (query: string) => (await farm.request('GET', `/inventory?${query}`)).json().data
    expect(await listed('')).toEqual([plenty, low, empty])
    expect(await listed('low_stock=true')).toEqual([low, empty])
    expect(await listed(`sku=${low.sku}`)).toEqual([low])
    expect(await listed('material=PLA')).toEqual([plenty, empty])
    expect(await listed('status=in_stock')).toEqual([plenty])
    expect(await listed('search=tEa')).toEqual([low])
    expect(await listed(`search=${low.sku.toLowerCase()}&material=PLA`)).toEqual([])
    expect(await listed('search=%25')).toEqual([])
    expect(await listed('limit=1&offset=1')).toEqual([low])
    expect(await listed('limit=500&material=PLA&low_stock=true')).toEqual([empty])
    expect((await (await t.account()).request('GET', '/inventory')).json().data).toEqual([])
  })

  test.each(['limit=501', 'limit=0', 'low_stock=maybe', 'status=full', 'offset=x', 'sku=', 'material='])(
    'refuses %s',
    async (query) => {
      const answer = await farm.request('GET', `/inventory?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().error.details)).toEqual([query.split('=')[0]])
    },
  )
})

test('items are found by the beginning of their bin', async () => {
  const [one, other] = [await addItem({ stock: 1 }), await addItem({ stock: 1 })]
  await farm.request('PATCH', `/inventory/${one.id}`, { bin: 'A-03' })
  await farm.request('PATCH', `/inventory/${other.id}`, { bin: 'B-A' })
  const found = async (bin: string) =>
    (await farm.request('GET', `/inventory?bin=${bin}`)).json().data.map((item: { bin: string }) => item.bin)
  expect(await found('a')).toEqual(['A-03'])
  expect(await found('%25')).toEqual([])
})

describe('PUT /inventory/{id}/threshold', () => {
  test('sets the threshold, works out the status again and says so in the events', async () => {
    const item = await addItem({ stock: 10 })
    expect(item.status).toBe('in_stock')
    // The contract knows nothing of what orders hold, nor of bins.
    const { reserved: _, available: __, bin: ___, ...shown } = item
    const answer = await setThreshold(item.id, { low_stock_threshold: 10 })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      data: { ...shown, low_stock_threshold: 10, status: 'low_stock', updated_at: expect.any(String) },
    })
    expect((await setThreshold(item.id, { low_stock_threshold: 9 })).json().data.status).toBe('in_stock')
    expect((await eventsOf(item.id)).slice(-3)).toEqual([
      { type: 'inventory.low', data: { status: 'low_stock', ready_stock: 10, low_stock_threshold: 10 } },
      { type: 'inventory.threshold_set', data: { low_stock_threshold: 10, status: 'low_stock' } },
      { type: 'inventory.threshold_set', data: { low_stock_threshold: 9, status: 'in_stock' } },
    ])
    expect(await movementsOf(item.id)).toHaveLength(1)
  })

  test('an empty item stays out of stock, and one with pieces to assemble says that first', async () => {
    const item = await addItem()
    expect((await setThreshold(item.id, { low_stock_threshold: 5 })).json().data.status).toBe('out_of_stock')
    await credit(item.product_sku_id, { requiresAssembly: true })
    expect((await setThreshold(item.id, { low_stock_threshold: 0 })).json().data.status).toBe('needs_assembly')
  })

  test.each([
    [{}, { low_stock_threshold: ['is required'] }],
    [{ low_stock_threshold: -1 }, { low_stock_threshold: ['must be at least 0'] }],
    [{ low_stock_threshold: 1.5 }, { low_stock_threshold: ['must be a whole number'] }],
    [{ low_stock_threshold: '5' }, { low_stock_threshold: ['must be a whole number'] }],
    [{ low_stock_threshold: null }, { low_stock_threshold: ['must be a whole number'] }],
    [{ low_stock_threshold: 2_147_483_648 }, { low_stock_threshold: ['must be at most 2147483647'] }],
    [[], { _root: ['must be an object'] }],
    [undefined, { _root: ['must be an object'] }],
  ])('refuses %j and says what is wrong', async (body, details) => {
    const item = await addItem()
    const answer = await setThreshold(item.id, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
    expect((await farm.request('GET', `/inventory/${item.id}`)).json().data).toMatchObject(item)
  })

  test('takes the largest threshold there can be', async () => {
    const item = await addItem({ stock: 1 })
    const answer = await setThreshold(item.id, { low_stock_threshold: 2_147_483_647 })
    expect(answer.json().data).toMatchObject({ low_stock_threshold: 2_147_483_647, status: 'low_stock' })
  })
})

describe('POST /inventory/{id}/adjust', () => {
  test('moves the ready stock, with who, why, before and after in the ledger', async () => {
    const item = await addItem({ stock: 10 })
    const answer = await adjust(item.id, { adjustment: -3, reason: 'damaged', notes: 'Fell off the shelf' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({
      ...item,
      ready_stock: 7,
      available: 7,
      reserved_missing: 0,
      updated_at: expect.any(String),
      previous_stock: 10,
      adjustment: -3,
      new_stock: 7,
      previous_status: 'in_stock',
      new_status: 'in_stock',
      is_low_stock: false,
      reason: 'damaged',
    })
    expect(await movementsOf(item.id)).toEqual([
      {
        id: expect.stringMatching(/^mov_/),
        stock: 'ready',
        reason: 'damaged',
        change: -3,
        quantity_before: 10,
        quantity_after: 7,
        job_id: null,
        job_name: null,
        order_id: null,
        order_number: null,
        assembly_task_id: null,
        notes: 'Fell off the shelf',
        actor: expect.stringMatching(/^key:key_/),
        actor_name: 'test',
        happened_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      expect.objectContaining({ change: 10, quantity_before: 0, quantity_after: 10, reason: 'inventory_count' }),
    ])
    expect((await eventsOf(item.id)).at(-1)).toEqual({
      type: 'inventory.adjusted',
      data: { change: -3, reason: 'damaged', ready_stock: 7, status: 'in_stock' },
    })
    await expectBalancedBooks(item.id)
  })

  test('refuses to take off more than there is, says how much there is, and changes nothing', async () => {
    const item = await addItem({ stock: 2 })
    const answer = await adjust(item.id, { adjustment: -3, reason: 'manual' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toEqual({
      code: 'INSUFFICIENT_STOCK',
      message: 'Only 2 in stock: not enough for this.',
      details: { available: 2 },
    })
    expect((await farm.request('GET', `/inventory/${item.id}`)).json().data).toMatchObject(item)
    expect(await movementsOf(item.id)).toHaveLength(1)
  })

  test('what waits for assembly cannot be taken off the ready stock', async () => {
    const item = await addItem()
    await credit(item.product_sku_id, { units: 4, requiresAssembly: true })
    const answer = await adjust(item.id, { adjustment: -1, reason: 'manual' })
    expect(answer.json().error).toMatchObject({ code: 'INSUFFICIENT_STOCK', details: { available: 0 } })
  })

  test('says once that an item became low, and again when it is used up', async () => {
    const item = await addItem({ stock: 4, low_stock_threshold: 2 })
    for (let i = 0; i < 4; i++) await adjust(item.id, { adjustment: -1, reason: 'manual' })
    const alerts = (await eventsOf(item.id)).filter((event) => event.type === 'inventory.low')
    expect(alerts.map((event) => [event.data.status, event.data.ready_stock])).toEqual([
      ['low_stock', 2],
      ['out_of_stock', 0],
    ])
  })

  test('a stock beyond 32 bits is counted, not refused', async () => {
    const item = await addItem({ stock: 2_147_483_647 })
    const answer = await adjust(item.id, { adjustment: 2_147_483_647, reason: 'correction' })
    expect(answer.json().data.ready_stock).toBe(4_294_967_294)
    await expectBalancedBooks(item.id)
  })

  test.each([
    [{}, { adjustment: ['is required'] }],
    [{ adjustment: 0, reason: 'manual' }, { adjustment: ['must not be 0'] }],
    [{ adjustment: 1.5, reason: 'manual' }, { adjustment: ['must be a whole number'] }],
    [{ adjustment: '1', reason: 'manual' }, { adjustment: ['must be a whole number'] }],
    [{ adjustment: 2_147_483_648, reason: 'manual' }, { adjustment: ['must be at most 2147483647'] }],
    [
      { adjustment: 1, reason: 'job_completed' },
      { reason: ['must be one of manual, inventory_count, correction, damaged, returned'] },
    ],
    [{ adjustment: 1, reason: 'manual', notes: 'x'.repeat(1001) }, { notes: ['must have at most 1000 characters'] }],
    [{ adjustment: 1, reason: 'manual', notes: 'a\0' }, { notes: ['must not contain NUL bytes'] }],
  ])('refuses %j and says what is wrong', async (body, details) => {
    const item = await addItem()
    const answer = await adjust(item.id, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
    expect(await movementsOf(item.id)).toEqual([])
  })

  test('sent 50 times at once with one Idempotency-Key, it moves the stock once', async () => {
    const item = await addItem()
    const send = () => adjust(item.id, { adjustment: 5, reason: 'manual' }, { 'idempotency-key': 'count-1' })
    await Promise.all(Array.from({ length: 50 }, send))
    const later = await send()
    expect(later.headers['idempotent-replayed']).toBe('true')
    expect(later.json().data.ready_stock).toBe(5)
    expect(await expectBalancedBooks(item.id)).toMatchObject({ ready_stock: 5, movements: 1 })
  })

  test('a refusal is the first answer too: more stock later does not change what the key was told', async () => {
    const item = await addItem()
    const send = () => adjust(item.id, { adjustment: -1, reason: 'manual' }, { 'idempotency-key': 'take-1' })
    expect((await send()).json().error.code).toBe('INSUFFICIENT_STOCK')
    await adjust(item.id, { adjustment: 5, reason: 'manual' })
    const again = await send()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.json().error.code).toBe('INSUFFICIENT_STOCK')
    expect((await expectBalancedBooks(item.id)).ready_stock).toBe(5)
  })
})

describe('many at once', () => {
  test('50 adjustments among threshold changes and job credits lose nothing, and the ledger reads as one story', async () => {
    const item = await addItem({ stock: 100 })
    const changes = Array.from({ length: 50 }, (_, i) => (i % 3 === 0 ? -5 : (i % 7) + 1))
    const answers = await Promise.all(
      changes.flatMap((adjustment, i) => [
        adjust(item.id, { adjustment, reason: 'correction' }),
        ...(i % 2 === 0 ? [setThreshold(item.id, { low_stock_threshold: 90 + i })] : []),
        ...(i % 10 === 0 ? [credit(item.product_sku_id, { units: 2, requiresAssembly: i % 20 === 0 })] : []),
      ]),
    )
    for (const answer of answers) if (answer) expect(answer.statusCode, answer.body).toBe(200)
    const books = await expectBalancedBooks(item.id)
    // Credited to ready stock for i = 10 and 30, to needs-assembly for i = 0, 20 and 40.
    expect(books.ready_stock).toBe(100 + changes.reduce((sum, change) => sum + change) + 4)
    expect(books.quantity_needs_assembly).toBe(6)
    expect(books.movements).toBe(1 + 50 + 5)

    const story = (await movementsOf(item.id)).filter((movement: { stock: string }) => movement.stock === 'ready')
    for (const [index, movement] of story.entries()) {
      expect(movement.quantity_before).toBe(story[index + 1]?.quantity_after ?? 0)
    }
  })

  test('50 withdrawals of 3 from 100 leave 1: as many succeed as there is stock for', async () => {
    const item = await addItem({ stock: 100 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => adjust(item.id, { adjustment: -3, reason: 'manual' })),
    )
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(33)
    expect(answers.filter((answer) => answer.json().error?.code === 'INSUFFICIENT_STOCK')).toHaveLength(17)
    expect((await expectBalancedBooks(item.id)).ready_stock).toBe(1)
  })

  test('threshold changes at once leave a status that fits the one that stayed', async () => {
    const item = await addItem({ stock: 25 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => setThreshold(item.id, { low_stock_threshold: i })),
    )
    for (const answer of answers) {
      const { low_stock_threshold: threshold, status } = answer.json().data
      expect(status).toBe(threshold >= 25 ? 'low_stock' : 'in_stock')
    }
    await expectBalancedBooks(item.id)
  })
})

/** As the settling of a job's last plate does it. */
async function credit(skuId: SkuId, { units = 3, requiresAssembly = false } = {}): Promise<undefined> {
  await t.db.begin((sql) =>
    creditJobUnits(workIn(sql, { accountId: farm.id, actor: 'hub:hub_1', now: new Date() }), {
      jobId: 'job_1' as JobId,
      skuId,
      units,
      requiresAssembly,
    }),
  )
}

describe('the units of a completed job', () => {
  test('become ready stock', async () => {
    const item = await addItem({ low_stock_threshold: 1 })
    await credit(item.product_sku_id, { units: 3 })
    expect((await farm.request('GET', `/inventory/${item.id}`)).json().data).toMatchObject({
      ready_stock: 3,
      status: 'in_stock',
    })
    expect(await movementsOf(item.id)).toEqual([
      expect.objectContaining({
        stock: 'ready',
        reason: 'job_completed',
        change: 3,
        quantity_before: 0,
        quantity_after: 3,
        job_id: 'job_1',
        notes: '',
        actor: 'hub:hub_1',
      }),
    ])
    await expectBalancedBooks(item.id)
  })

  test('wait for assembly when the job says so, and only the status and the ledger show it', async () => {
    const item = await addItem({ stock: 1 })
    await credit(item.product_sku_id, { units: 3, requiresAssembly: true })
    const answer = await farm.request('GET', `/inventory/${item.id}`)
    expect(answer.json().data).toMatchObject({ ready_stock: 1, status: 'needs_assembly' })
    for (const path of ['/inventory', `/inventory/${item.id}`, `/inventory/${item.id}/movements`, '/skus']) {
      expect((await farm.request('GET', path)).body).not.toContain('quantity_needs_assembly')
    }
    expect((await movementsOf(item.id))[0]).toMatchObject({ stock: 'needs_assembly', change: 3, quantity_after: 3 })
    await expectBalancedBooks(item.id)
  })

  test('are not credited when the transaction fails, not even in the ledger', async () => {
    const item = await addItem({ stock: 1 })
    const failing = t.db.begin(async (sql) => {
      await creditJobUnits(workIn(sql, { accountId: farm.id, actor: 'hub:hub_1', now: new Date() }), {
        jobId: 'job_1' as JobId,
        skuId: item.product_sku_id,
        units: 3,
        requiresAssembly: false,
      })
      throw new Error('lost')
    })
    await expect(failing).rejects.toThrow('lost')
    expect(await expectBalancedBooks(item.id)).toMatchObject({ ready_stock: 1, movements: 1 })
  })

  test('cannot be credited to the SKU of another account', async () => {
    const item = await addItem()
    const other = await t.account()
    const credited = t.db.begin((sql) =>
      creditJobUnits(workIn(sql, { accountId: other.id, actor: 'hub:hub_1', now: new Date() }), {
        jobId: 'job_1' as JobId,
        skuId: item.product_sku_id,
        units: 3,
        requiresAssembly: false,
      }),
    )
    await expect(credited).rejects.toThrow('has no inventory item')
    expect((await booksOf(item.id)).movements).toBe(0)
  })
})

describe('GET /inventory/{id}/movements', () => {
  test('pages from the newest', async () => {
    const item = await addItem()
    for (const adjustment of [1, 2, 3]) await adjust(item.id, { adjustment, reason: 'returned' })
    const answer = await farm.request('GET', `/inventory/${item.id}/movements?limit=2&offset=1`)
    expect(answer.json().data.map((movement: { change: number }) => movement.change)).toEqual([2, 1])
    expect(answer.json().meta).toEqual({ limit: 2, offset: 1, count: 2 })
    expect((await farm.request('GET', `/inventory/${item.id}/movements?limit=101`)).statusCode).toBe(400)
  })

  test('reads a page by the index of the ledger, and the list of items by its own, however many there are', async () => {
    const item = await addItem()
    const other = await addItem()
    for (const itemId of [item.id, other.id]) {
      await t.db.sql`
        insert into stock_movements
          (account_id, id, inventory_item_id, stock, reason, change, quantity_before, quantity_after, actor, created_at)
        select ${farm.id}, ${itemId} || n, ${itemId}, 'ready', 'manual', 1, n - 1, n, 'system', now() + n * interval '1 s'
        from generate_series(1, 5000) n`
    }
    await t.db.sql`
      insert into skus (account_id, id, product_id, sku)
      select account_id, 'sku_' || n, product_id, 'S-' || n
      from skus, generate_series(1, 3000) n where account_id = ${farm.id} and id = ${item.product_sku_id}`
    await t.db.sql`
      insert into inventory_items (account_id, id, product_sku_id, created_at)
      select ${farm.id}, 'inv_' || n, 'sku_' || n, now() - n * interval '1 s' from generate_series(1, 3000) n`
    await t.db.sql`analyze stock_movements, inventory_items, skus`
    const movements = await listMovements(explaining(t.db.sql), farm.id, item.id, { limit: 50, offset: 0 })
    expect(readPlan(movements)).toEqual({ nodes: ['Limit', 'Index Scan'], indexes: ['stock_movements_by_item'] })
    const items = readPlan(await listItems(explaining(t.db.sql), farm.id, { limit: 50, offset: 0 }))
    expect(items.indexes).toContain('skus_sku_key')
    expect(items.nodes).not.toContain('Seq Scan')
    expect(items.nodes).not.toContain('Sort')
  })
})
