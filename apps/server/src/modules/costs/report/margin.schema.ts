import Type, { type Static } from 'typebox'
import { formatQuery } from '../../../http/csv.ts'
import { answer, nullable, oneOf, request, resource } from '../../../http/schema.ts'
import { platforms } from '../../orders/listings/platforms.ts'
import { currencyCode } from '../../orders/settings/order-settings.schema.ts'
import { knownAmount, totalAmount } from '../calculation/cost.ts'
import { formatAmount, percentOf } from '../calculation/money.ts'
import { type Margin, marginAmount, marginAtMost } from '../calculation/order-cost.ts'
import { amount, groupUnknown, orNull, Unknown } from '../costs.schema.ts'

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date-time', maxLength: 10, description }))

export const MarginQuery = request({
  from: day('First day, as 2026-11-20; default: 29 days before the last'),
  to: day('Last day, as 2026-11-20; default: today by the time zone of the account'),
  format: formatQuery,
  by: Type.Optional(oneOf(['order', 'sku', 'day'], { description: 'Subject of each row of the CSV. Default: order' })),
})

const figures = resource('MarginFigures', 'Revenue, cost and margin', {
  revenue: nullable(amount('Without tax and shipping; null in another currency')),
  cost: nullable(amount('The whole cost; null while an input is missing')),
  known_cost: amount('The part of it that is known'),
  margin: nullable(amount('Revenue less cost; null while either is not known')),
  margin_at_most: nullable(amount('Revenue less the costs that are known')),
  margin_percent: nullable(Type.String({ description: 'The margin in % of the revenue', examples: ['41.2'] })),
  unknown: Type.Array(Unknown, { description: 'Missing inputs' }),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })
const date = Type.String({ format: 'date', description: 'The day of the order', examples: ['2026-11-20'] })
const currency = currencyCode('Currency of all amounts')
const estimate = figures
const actual = nullable(figures)

export const MarginReport = resource('MarginReport', 'Margin of the orders of some days', {
  date_range: answer(
    {
      from: Type.String({ format: 'date', description: 'First day', examples: ['2026-10-22'] }),
      to: Type.String({ format: 'date', description: 'Last day', examples: ['2026-11-20'] }),
    },
    { description: 'The days that the figures are for, by the time zone of the account' },
  ),
  currency,
  summary: answer(
    {
      orders: count('Orders in this currency'),
      other_currency_orders: count('Orders in others, which are in no sum'),
      estimate,
      shipped_orders: count('Orders without units still to leave'),
      actual,
    },
    { description: 'All days together' },
  ),
  daily: Type.Array(
    answer({
      date,
      orders: count('Orders'),
      estimate,
    }),
    { description: 'Every day' },
  ),
  by_order: Type.Array(
    resource('OrderMargin', 'Margin of an order', {
      order_id: Type.String({ description: 'ID of the order' }),
      order_number: Type.String({ description: 'Its number' }),
      platform: oneOf(platforms, { description: 'Platform on which it was placed' }),
      date,
      currency: currencyCode('Currency of the order'),
      estimate,
      actual,
    }),
    { description: 'The latest orders' },
  ),
  orders_left_off: count('Orders that are in the sums and in the CSV alone'),
  by_sku: Type.Array(
    resource('SkuMargin', 'Margin of a SKU', {
      product_sku_id: nullable(Type.String({ description: 'The SKU; null for lines that are not mapped' })),
      sku: Type.String({ description: 'Its code' }),
      units: count('Units that were ordered'),
      estimate,
      shipped_units: count('Units that left and did not come back, of orders without units still to leave'),
      actual,
    }),
    { description: 'The SKUs with the most revenue' },
  ),
  skus_left_off: count('SKUs that are in the sums and in the CSV alone'),
})

export function presentFigures(margin: Margin): Static<typeof figures> {
  const left = marginAmount(margin)
  return {
    revenue: orNull(margin.revenue),
    cost: orNull(totalAmount(margin.cost)),
    known_cost: formatAmount(knownAmount(margin.cost)),
    margin: orNull(left),
    margin_at_most: orNull(marginAtMost(margin)),
    margin_percent: left === null || margin.revenue === null ? null : percentOf(left, margin.revenue),
    unknown: groupUnknown(margin.cost.unknown),
  }
}
