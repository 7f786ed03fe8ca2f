import { expect } from 'vitest'
import type { TestAccount, TestApp } from '../app/test-app.ts'
import { addSku, itemOf } from './test-catalogue.ts'

/** A line as it is sent. */
interface TestLine {
  product_sku_id: string
  quantity: number
  unit_price: number
  notes?: string
}

export const lineOf = (sku: { id: string }, quantity = 1, unitPrice = 1000): TestLine => ({
  product_sku_id: sku.id,
  quantity,
  unit_price: unitPrice,
})

/** What tests do with the orders of an account, by the API. */
export function ordersOf(t: TestApp, farm: TestAccount) {
  return {
    /** A SKU with this much ready stock. */
    async stockedSku(stock: number, fields: Record<string, unknown> = {}) {
      const sku = await addSku(farm, fields)
      const item = await itemOf(farm, sku)
      if (stock > 0) {
        const body = { adjustment: stock, reason: 'inventory_count' }
        expect((await farm.request('POST', `/inventory/${item.id}/adjust`, body)).statusCode).toBe(200)
      }
      return { ...sku, item_id: item.id }
    },
    async addOrder(items: TestLine[], fields: Record<string, unknown> = {}) {
      const answer = await farm.request('POST', '/orders', { items, ...fields })
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json().data
    },
    async readOrder(order: { id: string }) {
      return (await farm.request('GET', `/orders/${order.id}`)).json().data
    },
    fulfil: (order: { id: string }) => farm.request('POST', `/orders/${order.id}/fulfill`),
    fulfilItem: (order: { id: string }, item: { id: string }) =>
      farm.request('POST', `/orders/${order.id}/items/${item.id}/fulfill`),
    eventsOf: (orderId: string) =>
      t.db.sql`
        select type, data from events where account_id = ${farm.id} and subject_id = ${orderId} order by id`,
    async countOrdersOf(accountId: string) {
      const [row] = await t.db.sql`
        select (select count(*) from orders where account_id = ${accountId}) as orders,
               (select count(*) from order_items where account_id = ${accountId}) as items`
      return row
    },
    /** The stock of a SKU, after a look at whether the ledger adds up to it and never went below nothing. */
    async balancedStock(sku: { item_id: string }): Promise<number> {
      const [row] = await t.db.sql`
        select i.ready_stock, coalesce(sum(m.change), 0)::int8 as moved, coalesce(min(m.quantity_after), 0) as lowest
        from inventory_items i
        left join stock_movements m on m.account_id = i.account_id and m.inventory_item_id = i.id and m.stock = 'ready'
        where i.account_id = ${farm.id} and i.id = ${sku.item_id} group by i.ready_stock`
      expect(row?.moved).toBe(row?.ready_stock)
      expect(row?.lowest).toBeGreaterThanOrEqual(0)
      return row?.ready_stock
    },
  }
}

/** The answer is this failure. */
export function expectFailure(answer: { statusCode: number; json(): unknown }, status: number, code: string): void {
  expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({ status, body: { error: { code } } })
}
