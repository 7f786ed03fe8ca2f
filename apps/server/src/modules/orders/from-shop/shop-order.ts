import type { NewOrder } from '../orders.schema.ts'

/**
 * State of an order in its shop. `waiting`: it is no order yet, such as a basket that no one has paid. `done`: it has left, as far as the
 * shop knows.
 */
export type ShopOrderState = 'waiting' | 'open' | 'done' | 'cancelled' | 'refunded'

/** A line as its shop has it now. `quantity` is what is still wanted: without what was taken off or refunded; 0 for nothing. */
export interface ShopLine {
  external_id: string
  sku?: string
  listing_id?: string
  variation?: string
  product_name: string
  quantity: number
  unit_price: number
  personalisation: { name: string; value: string }[]
  notes?: string
}

/** What a shop tells of an order beside its lines, in the words and units of POST /orders. */
type ShopOrderFields = Pick<
  NewOrder,
  | 'order_number'
  | 'order_date'
  | 'ship_by'
  | 'currency'
  | 'is_paid'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'shipping_street'
  | 'shipping_city'
  | 'shipping_state'
  | 'shipping_zip'
  | 'shipping_country'
  | 'shipping_cost'
  | 'tax_amount'
  | 'discount_amount'
  | 'total_revenue'
  | 'notes'
>

/** An order as its shop has it now, whichever shop that is. */
export interface ShopOrder {
  external_id: string
  state: ShopOrderState
  fields: ShopOrderFields
  lines: ShopLine[]
}
