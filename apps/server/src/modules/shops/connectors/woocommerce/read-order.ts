import type { ShopLine, ShopOrder, ShopOrderState } from '../../../orders/from-shop/shop-order.ts'
import { isCurrency } from '../../../orders/settings/currencies.ts'
import type { UnreadableOrder } from '../contract/connector.ts'
import { AmountProblem, readMoney } from '../contract/money.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'

/** What an order is read by. */
interface Reading {
  personalisationNames: readonly string[]
}

const states: Readonly<Record<string, ShopOrderState>> = {
  // A basket on its way through the checkout; many are never paid.
  pending: 'waiting',
  'checkout-draft': 'waiting',
  'auto-draft': 'waiting',
  completed: 'done',
  cancelled: 'cancelled',
  failed: 'cancelled',
  trash: 'cancelled',
  refunded: 'refunded',
}

/** An order of the REST API v3 in our words. Plugins add statuses of their own; an order that has one is open. */
export function readOrder(value: unknown, { personalisationNames }: Reading): ShopOrder | UnreadableOrder {
  const order = objectOf(value)
  const external_id = textOf(order.id, 200)
  try {
    const currency = textOf(order.currency, 3).toUpperCase()
    if (!isCurrency(currency)) throw new AmountProblem(`"${currency}" is not a currency of ISO 4217`)
    const money = (amount: unknown) => readMoney(textOf(amount, 40) || '0', currency)
    const refunded = listOf(order.refunds).reduce<number>((sum, each) => sum + Math.abs(money(objectOf(each).total)), 0)
    const status = textOf(order.status, 40)
    const orderedAt = instantOf(order.date_created_gmt)
    return {
      external_id,
      state: states[status] ?? 'open',
      fields: {
        order_number: textOf(order.number, 100) || external_id,
        ...(orderedAt !== undefined && { order_date: orderedAt }),
        currency,
        is_paid: textOf(order.date_paid_gmt, 40) !== '' || status === 'processing',
        ...addressOf(order),
        shipping_cost: money(order.shipping_total),
        tax_amount: money(order.total_tax),
        discount_amount: money(order.discount_total),
        total_revenue: Math.max(0, money(order.total) - refunded),
        notes: textOf(order.customer_note, 2000),
      },
      lines: listOf(order.line_items).map((line) => readLine(objectOf(line), money, personalisationNames)),
    }
  } catch (error) {
    if (!(error instanceof AmountProblem)) throw error
    return { external_id, problem: error.message }
  }
}

/** `2026-11-20T09:30:00`, which is UTC and does not say so. */
function instantOf(value: unknown): string | undefined {
  const text = textOf(value, 40)
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The address to ship to; where the shop has none, as of orders that are picked up, that of the bill. */
function addressOf(order: Record<string, unknown>): Partial<ShopOrder['fields']> {
  const billing = objectOf(order.billing)
  const shipping = objectOf(order.shipping)
  const to = textOf(shipping.address_1, 500) === '' && textOf(shipping.last_name, 200) === '' ? billing : shipping
  const joined = (separator: string, longest: number, ...parts: unknown[]) =>
    textOf(
      parts
        .map((part) => textOf(part, longest))
        .filter((part) => part !== '')
        .join(separator),
      longest,
    )
  return {
    customer_name:
      joined(' ', 255, to.first_name, to.last_name) || joined(' ', 255, billing.first_name, billing.last_name),
    customer_email: textOf(billing.email, 320),
    customer_phone: textOf(to.phone, 50) || textOf(billing.phone, 50),
    shipping_street: joined(', ', 500, to.company, to.address_1, to.address_2),
    shipping_city: textOf(to.city, 200),
    shipping_state: textOf(to.state, 200),
    shipping_zip: textOf(to.postcode, 50),
    shipping_country: textOf(to.country, 100),
  }
}

function readLine(
  line: Record<string, unknown>,
  money: (amount: unknown) => number,
  personalisationNames: readonly string[],
): ShopLine {
  const ordered = Math.max(0, Math.trunc(Number(line.quantity) || 0))
  const sku = textOf(line.sku, 100)
  const variationId = Number(line.variation_id) || 0
  return {
    external_id: textOf(line.id, 200),
    ...(sku !== '' && { sku }),
    ...(Number(line.product_id) > 0 && { listing_id: textOf(line.product_id, 255) }),
    ...(variationId > 0 && { variation: String(variationId) }),
    // Of a product that was deleted nothing is left but its name.
    ...(sku === '' && !(Number(line.product_id) > 0) && { listing_id: textOf(line.name, 255) || 'Unnamed product' }),
    product_name: textOf(line.name, 255) || 'Unnamed product',
    quantity: ordered,
    unit_price: ordered === 0 ? 0 : Math.max(0, Math.round(money(line.subtotal ?? line.total) / ordered)),
    personalisation: personalisationOf(line, variationId > 0, personalisationNames),
  }
}

/**
 * What customers wrote, which plugins keep as metadata of the line under names of their own. Names that begin with `_` are not for people,
 * and attributes of a variation say which one it is: that is its listing.
 */
function personalisationOf(line: Record<string, unknown>, isVariation: boolean, names: readonly string[]) {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const title = textOf(line.name, 1000).toLowerCase()
  const isAttribute = (key: string, value: string) =>
    key.startsWith('pa_') || (isVariation && value !== '' && title.includes(value.toLowerCase()))
  return listOf(line.meta_data)
    .map(objectOf)
    .flatMap((meta) => {
      const key = textOf(meta.key, 100)
      const name = textOf(meta.display_key, 100) || key
      const value = textOf(meta.display_value, 1000) || bareValueOf(meta.value)
      if (key === '' || key.startsWith('_') || value === '') return []
      const isTaken =
        wanted.size > 0 ? wanted.has(name.toLowerCase()) || wanted.has(key.toLowerCase()) : !isAttribute(key, value)
      return isTaken ? [{ name, value: textOf(value.replaceAll(/<[^>]*>/g, ' '), 1000) }] : []
    })
    .slice(0, 20)
}

/** Plugins also keep lists and objects. */
function bareValueOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return textOf(JSON.stringify(value), 1000)
  return textOf(value, 1000)
}

/**
 * The same order without what its refunds took off its lines.
 *
 * @param refunds of the order, as the shop lists them: their lines have negative quantities, and name the line in `_refunded_item_id`
 */
export function withoutRefunded(order: ShopOrder, refunds: unknown): ShopOrder {
  const taken = new Map<string, number>()
  for (const refund of listOf(refunds).map(objectOf)) {
    for (const line of listOf(refund.line_items).map(objectOf)) {
      const of = listOf(line.meta_data)
        .map(objectOf)
        .find((meta) => meta.key === '_refunded_item_id')
      const id = textOf(of?.value, 200)
      if (id !== '') taken.set(id, (taken.get(id) ?? 0) + Math.abs(Math.trunc(Number(line.quantity) || 0)))
    }
  }
  const lines = order.lines.map((line) => ({
    ...line,
    quantity: Math.max(0, line.quantity - (taken.get(line.external_id) ?? 0)),
  }))
  return { ...order, lines }
}
