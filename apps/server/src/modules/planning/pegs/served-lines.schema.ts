import Type, { type Static } from 'typebox'
import { answer, nullable, timestamp } from '../../../http/schema.ts'
import type { ServedLine } from './served-lines.queries.ts'

/** What jobs and assembly tasks tell of the orders that they are for. */
export const ServedLines = Type.Array(
  answer({
    order_id: Type.String({ description: 'The order' }),
    order_number: Type.String({ description: 'Its number' }),
    order_item_id: Type.String({ description: 'Its line' }),
    ship_by: nullable(timestamp('Latest time to ship it; null: none is known')),
    product_sku_id: Type.String({ description: 'The SKU of the units: that of the line, or a part of it' }),
    units: Type.Integer({ description: 'Units of it that the line holds' }),
    personalisation: Type.Array(
      answer({
        name: Type.String({ description: 'Name of the personalisation' }),
        value: Type.String({ description: 'Message of the customer', 'x-pii': true }),
      }),
      { description: 'Personalisation of the piece; empty for none, or erased' },
    ),
  }),
  { description: 'Lines of orders that its units are for by the last plan, the most urgent first, at most 50' },
)

export function presentServed(lines: readonly ServedLine[]): Static<typeof ServedLines> {
  return lines.map(({ ship_by, ...line }) => ({ ...line, ship_by: ship_by?.toISOString() ?? null }))
}
