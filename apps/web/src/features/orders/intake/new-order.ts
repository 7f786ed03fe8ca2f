import { randomKey } from '@printyard/sdk/random-key'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toMinorUnits } from '../../../lib/money.ts'
import { noCustomer } from '../customer-inputs.tsx'
import type { Platform, Priority } from '../order-state.ts'

interface LineTexts {
  /** Of this line of the form, wherever it stands. */
  key: string
  product_sku_id: string | null
  quantity: number | string
  /** In the major unit. */
  unit_price: number | string
  personalisation: string
}

/** An order as the form holds it: amounts in the major unit of its currency. */
export type OrderTexts = typeof noCustomer & {
  lines: LineTexts[]
  order_number: string
  platform: Platform
  shop: string
  currency: string
  priority: Priority
  ship_by: string | null
  is_paid: boolean
  shipping_cost: number | string
  tax_amount: number | string
  discount_amount: number | string
  notes: string
}

export const emptyLine = (): LineTexts => ({
  key: randomKey(),
  product_sku_id: null,
  quantity: 1,
  unit_price: '',
  personalisation: '',
})

export const emptyOrder = (currency: string): OrderTexts => ({
  ...noCustomer,
  lines: [emptyLine()],
  order_number: '',
  platform: 'manual',
  shop: '',
  currency,
  priority: 'normal',
  ship_by: null,
  is_paid: true,
  shipping_cost: '',
  tax_amount: '',
  discount_amount: '',
  notes: '',
})

const currencyOf = ({ currency }: Pick<OrderTexts, 'currency'>) => currency.trim().toUpperCase()

/** What is sent of it: nothing of what was left empty. */
export function newOrderBody(texts: OrderTexts): BodyOf<'POST /orders'> {
  const {
    lines,
    platform,
    priority,
    ship_by,
    is_paid,
    shipping_cost,
    tax_amount,
    discount_amount,
    currency: _,
    ...words
  } = texts
  const currency = currencyOf(texts)
  const given = Object.entries(words).map(([name, text]) => [name, text.trim()] as const)
  const charges = Object.entries({ shipping_cost, tax_amount, discount_amount }).filter(([, typed]) => typed !== '')
  return {
    platform,
    priority,
    is_paid,
    currency,
    ...(ship_by !== null && { ship_by }),
    ...Object.fromEntries(given.filter(([, text]) => text !== '')),
    ...Object.fromEntries(charges.map(([name, typed]) => [name, toMinorUnits(typed, currency)])),
    items: lines.map(({ product_sku_id, quantity, unit_price, personalisation }) => ({
      product_sku_id: product_sku_id ?? '',
      quantity: Number(quantity),
      unit_price: toMinorUnits(unit_price, currency),
      ...(personalisation.trim() !== '' && {
        personalisation: [{ name: t('Personalisation'), value: personalisation.trim() }],
      }),
    })),
  }
}

/** What the customer pays, in the minor unit, as the service will work it out. */
export function totalOf(texts: OrderTexts): number {
  const currency = currencyOf(texts)
  const lines = texts.lines.reduce(
    (sum, { quantity, unit_price }) => sum + Number(quantity) * toMinorUnits(unit_price, currency),
    0,
  )
  const [shipping, tax, discount] = [texts.shipping_cost, texts.tax_amount, texts.discount_amount].map((typed) =>
    toMinorUnits(typed, currency),
  ) as [number, number, number]
  return lines + shipping + tax - discount
}
