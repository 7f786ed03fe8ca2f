import type { PlannedOrder } from './shop-plan.ts'

const columns = [
  'Name',
  'Id',
  'Email',
  'Financial Status',
  'Fulfillment Status',
  'Currency',
  'Created at',
  'Lineitem quantity',
  'Lineitem name',
  'Lineitem price',
  'Lineitem sku',
  'Shipping Name',
  'Shipping City',
  'Shipping Country',
]

/** These orders as Shopify exports them: a row for each line, of which only the first has the cells of the order. */
export function writeShopifyCsv(orders: readonly PlannedOrder[], dateOf: (seconds: number) => Date): string {
  const rows = orders.flatMap(({ number, arrivesAt, lines }) =>
    lines.map((line, index) => {
      const item = [String(line.quantity), `Item ${line.sellerCode}`, '12.50', line.sellerCode]
      if (index > 0) return [number, '', '', '', '', '', '', ...item, '', '', '']
      const at = dateOf(arrivesAt).toISOString().replace('T', ' ').replace(/\..*$/, ' +0000')
      const order = [number, number.slice(2), `${number}@customer.example`, 'paid', 'unfulfilled', 'EUR', at]
      return [...order, ...item, `Customer ${number}`, 'Springfield', 'US']
    }),
  )
  return `${[columns, ...rows].map((row) => row.join(',')).join('\n')}\n`
}
