import { describe, expect, test } from 'vitest'
import type { JobId } from '../../../kernel/ids.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { expectFailure, lineOf, ordersOf } from '../../../test/farm/test-orders.ts'
import { creditJobUnits } from '../../catalogue/inventory/stock-ledger.ts'
import { workIn } from '../../events/work.ts'
import { planAccount } from '../../planning/planner.ts'

const { t, account: farm } = accountForEachTest()
const { stockedSku, addOrder, readOrder, fulfil, fulfilItem, eventsOf, balancedStock } = ordersOf(t, farm)

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('POST /orders/{id}/fulfill', () => {
  test('leaves reserved what is still to leave, before anything is planned again', async () => {
    const lamp = await stockedSku(5)
    const order = await addOrder([lineOf(lamp, 3)])
    await planAccount(t.context, farm.id)
    const reserved = () => t.db.sql`select units from pegs where account_id = ${farm.id}`
    expect(await reserved()).toEqual([{ units: 3 }])
    await farm.request('POST', `/orders/${order.id}/fulfill`, { items: [{ item_id: order.items[0].id, quantity: 1 }] })
    expect(await reserved()).toEqual([{ units: 2 }])
    await fulfil(order)
    expect(await reserved()).toEqual([])
  })

  test('takes the stock of every line, stamps the order, and leaves the order in the ledger', async () => {
    const [lamp, vase] = [await stockedSku(5), await stockedSku(2)]
    const order = await addOrder([lineOf(lamp, 3), lineOf(vase, 2)])
    const answer = await fulfil(order)
    expect(answer.statusCode, answer.body).toBe(200)
    const { data } = answer.json()
    const resultOf = (index: number, needed: number) => ({
      order_item_id: order.items[index].id,
      product_sku_id: order.items[index].product_sku_id,
      sku: order.items[index].sku,
      needed,
      taken: needed,
      missing: 0,
      fulfillment_status: 'fulfilled',
    })
    expect(data.lines).toEqual([resultOf(0, 3), resultOf(1, 2)])
    expect(data.order).toEqual(await readOrder(order))
    expect(data.order).toMatchObject({ status: 'fulfilled', shipped_at: moment })
    expect([await balancedStock(lamp), await balancedStock(vase)]).toEqual([2, 0])
    const movements = (await farm.request('GET', `/inventory/${lamp.item_id}/movements?limit=1`)).json().data
    expect(movements).toEqual([
      expect.objectContaining({
        ...{ reason: 'order_fulfilled', change: -3, job_id: null, notes: '', actor_name: 'test' },
        ...{ order_id: order.id, order_number: order.order_number },
      }),
    ])
    expect((await eventsOf(order.id)).at(-1)).toEqual({
      type: 'order.fulfilled',
      data: {
        shipment_id: expect.stringMatching(/^shp_/),
        status: 'fulfilled',
        lines: order.items.map((item: { id: string; product_sku_id: string; quantity: number }) => ({
          order_item_id: item.id,
          product_sku_id: item.product_sku_id,
          quantity: item.quantity,
        })),
      },
    })
    expectFailure(await fulfil(order), 400, 'ORDER_ALREADY_FULFILLED')
    expect([await balancedStock(lamp), await balancedStock(vase)]).toEqual([2, 0])
  })

  test('takes no more than there is when the shelf was counted after the plan', async () => {
    const lamp = await stockedSku(5)
    const order = await addOrder([lineOf(lamp, 3)])
    await planAccount(t.context, farm.id)
    // As a count between the plan and the taking leaves it, whose new plan is still to come.
    await t.db.sql`update inventory_items set ready_stock = 1 where account_id = ${farm.id} and id = ${lamp.item_id}`
    await t.db.sql`delete from replan_requests where account_id = ${farm.id}`
    const { data } = (await fulfil(order)).json()
    expect(data.lines).toMatchObject([{ needed: 3, taken: 1, missing: 2 }])
    const [item] = await t.db.sql`
      select ready_stock from inventory_items where account_id = ${farm.id} and id = ${lamp.item_id}`
    expect(item).toEqual({ ready_stock: 0 })
  })

  test('takes what there is, says line by line what is missing, and takes the rest when it is there', async () => {
    const [scarce, none] = [await stockedSku(4), await stockedSku(0)]
    const order = await addOrder([lineOf(scarce, 3), lineOf(none, 1), lineOf(scarce, 3)])
    const { data } = (await fulfil(order)).json()
    expect(data.lines).toMatchObject([
      { needed: 3, taken: 3, missing: 0, fulfillment_status: 'fulfilled' },
      { needed: 1, taken: 0, missing: 1, fulfillment_status: 'pending' },
      { needed: 3, taken: 1, missing: 2, fulfillment_status: 'partial' },
    ])
    expect(data.order).toMatchObject({ status: 'processing', shipped_at: null })
    expect((await eventsOf(order.id)).at(-1)?.type).toBe('order.partially_fulfilled')

    const refused = await fulfil(order)
    expectFailure(refused, 400, 'INSUFFICIENT_STOCK')
    expect(refused.json().error.details).toEqual({
      available: 0,
      lines: [
        { order_item_id: order.items[1].id, sku: none.sku, needed: 1, available: 0 },
        { order_item_id: order.items[2].id, sku: scarce.sku, needed: 2, available: 0 },
      ],
    })

    for (const sku of [scarce, none]) {
      await farm.request('POST', `/inventory/${sku.item_id}/adjust`, { adjustment: 10, reason: 'manual' })
    }
    const rest = (await fulfil(order)).json().data
    expect(rest.lines).toMatchObject([
      { needed: 1, taken: 1 },
      { needed: 2, taken: 2 },
    ])
    expect(rest.order).toMatchObject({ status: 'fulfilled', shipped_at: moment })
    expect([await balancedStock(scarce), await balancedStock(none)]).toEqual([8, 9])
  })

  test('units that wait for assembly are not taken', async () => {
    const sku = await stockedSku(0)
    const units = { jobId: 'job_1' as JobId, skuId: sku.id, units: 5, requiresAssembly: true }
    await t.db.begin((sql) =>
      creditJobUnits(workIn(sql, { accountId: farm.id, actor: 'hub:hub_1', now: new Date() }), units),
    )
    expectFailure(await fulfil(await addOrder([lineOf(sku)])), 400, 'INSUFFICIENT_STOCK')
  })

  test('repeated with the same Idempotency-Key it takes nothing more', async () => {
    const sku = await stockedSku(1)
    const order = await addOrder([lineOf(sku, 2)])
    const send = () => farm.request('POST', `/orders/${order.id}/fulfill`, undefined, { 'idempotency-key': 'once' })
    const first = await send()
    await farm.request('POST', `/inventory/${sku.item_id}/adjust`, { adjustment: 1, reason: 'manual' })
    expect((await send()).body).toBe(first.body)
    expect(await balancedStock(sku)).toBe(1)
  })

  test('an order of 500 lines is fulfilled within 10 s', async () => {
    const skus = [await stockedSku(250), await stockedSku(250)]
    const order = await addOrder(Array.from({ length: 500 }, (_, n) => lineOf(skus[n % 2])))
    const started = performance.now()
    const answer = await fulfil(order)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(answer.json().data.order.status).toBe('fulfilled')
    for (const sku of skus) expect(await balancedStock(sku)).toBe(0)
  })
})

describe('POST /orders/{id}/items/{itemId}/fulfill', () => {
  test('takes stock for this line alone, and the last line completes the order', async () => {
    const sku = await stockedSku(3)
    const order = await addOrder([lineOf(sku, 1), lineOf(sku, 2)])
    const [first, second] = order.items
    const one = (await fulfilItem(order, second)).json().data
    expect(one.lines).toMatchObject([{ order_item_id: second.id, needed: 2, taken: 2, missing: 0 }])
    expect(one.order.items).toMatchObject([{ quantity_fulfilled: 0 }, { quantity_fulfilled: 2 }])
    expect(one.order).toMatchObject({ status: 'processing', shipped_at: null })
    expectFailure(await fulfilItem(order, second), 400, 'ALL_ITEMS_FULFILLED')
    const two = (await fulfilItem(order, first)).json().data
    expect(two.order).toMatchObject({ status: 'fulfilled', shipped_at: moment })
    expectFailure(await fulfilItem(order, first), 400, 'ORDER_ALREADY_FULFILLED')
    expect(await balancedStock(sku)).toBe(0)
  })

  test('refuses what is not there: stock, an item of another order, and an order that has ended', async () => {
    const order = await addOrder([lineOf(await stockedSku(0))])
    const other = await addOrder([lineOf(await stockedSku(1))])
    expectFailure(await fulfilItem(order, order.items[0]), 400, 'INSUFFICIENT_STOCK')
    expectFailure(await fulfilItem(order, other.items[0]), 404, 'NOT_FOUND')
    expectFailure(await fulfilItem({ id: 'ord_none' }, other.items[0]), 404, 'NOT_FOUND')
    await farm.request('DELETE', `/orders/${other.id}`)
    expectFailure(await fulfilItem(other, other.items[0]), 400, 'ORDER_CANNOT_FULFILL')
  })
})

describe('at the same time', () => {
  test('50 requests to fulfil one order take its stock once', async () => {
    const [lamp, vase] = [await stockedSku(100), await stockedSku(100)]
    const order = await addOrder([lineOf(lamp, 3), lineOf(vase, 4), lineOf(lamp, 2)])
    const answers = await Promise.all(Array.from({ length: 50 }, () => fulfil(order)))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().error?.code === 'ORDER_ALREADY_FULFILLED')).toHaveLength(49)
    expect([await balancedStock(lamp), await balancedStock(vase)]).toEqual([95, 96])
  })

  test('two orders that name the same scarce SKUs in opposite order share them out, and none waits for ever', async () => {
    const [lamp, vase] = [await stockedSku(7), await stockedSku(7)]
    const first = await addOrder([lineOf(lamp, 5), lineOf(vase, 5)])
    const second = await addOrder([lineOf(vase, 5), lineOf(lamp, 5)])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? fulfil(first) : fulfil(second))),
    )
    const codes = answers.map((answer) => answer.json().error?.code ?? 'taken')
    expect(new Set(codes)).toEqual(new Set(['taken', 'ORDER_ALREADY_FULFILLED', 'INSUFFICIENT_STOCK']))
    expect(codes.filter((code) => code === 'taken')).toHaveLength(2)
    expect([await balancedStock(lamp), await balancedStock(vase)]).toEqual([0, 0])
    const taken = [await readOrder(first), await readOrder(second)].flatMap((order) => order.items)
    const unitsOf = (sku: { id: string }) =>
      taken.filter((item) => item.product_sku_id === sku.id).reduce((sum, item) => sum + item.quantity_fulfilled, 0)
    expect([unitsOf(lamp), unitsOf(vase)]).toEqual([7, 7])
  })

  test('lines, whole orders and corrections of the stock at once leave books that balance', async () => {
    const skus = [await stockedSku(30), await stockedSku(30), await stockedSku(30)]
    const orders = await Promise.all(
      Array.from({ length: 8 }, (_, n) => addOrder([0, 1, 2].map((k) => lineOf(skus[(n + k) % 3], 4)))),
    )
    const answers = await Promise.all([
      ...orders.map(fulfil),
      ...orders.flatMap((order) => order.items.map((item: { id: string }) => fulfilItem(order, item))),
      ...skus.map((sku) =>
        farm.request('POST', `/inventory/${sku.item_id}/adjust`, { adjustment: -1, reason: 'damaged' }),
      ),
    ])
    expect(answers.filter((answer) => answer.statusCode >= 500).map((answer) => answer.body)).toEqual([])
    const left: number[] = []
    for (const sku of skus) left.push(await balancedStock(sku))
    const fulfilled = (await Promise.all(orders.map(readOrder)))
      .flatMap((order) => order.items)
      .reduce((sum, item) => sum + item.quantity_fulfilled, 0)
    const damaged = answers.slice(-3).filter((answer) => answer.statusCode === 200).length
    expect(left.reduce((sum, each) => sum + each, 0) + fulfilled + damaged).toBe(90)
  })

  test('an order is either cancelled or fulfilled, and its stock says which', async () => {
    for (let round = 0; round < 5; round++) {
      const sku = await stockedSku(2)
      const order = await addOrder([lineOf(sku, 2)])
      await Promise.all([fulfil(order), farm.request('DELETE', `/orders/${order.id}`)])
      const { status } = await readOrder(order)
      expect({ status, stock: await balancedStock(sku) }).toEqual(
        status === 'fulfilled' ? { status: 'fulfilled', stock: 0 } : { status: 'cancelled', stock: 2 },
      )
    }
  })
})
