import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, optionalRequest, resource } from '../../../http/schema.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import { stageOf } from './pick-state.ts'
import type { PickLine } from './picks.queries.ts'
import { shareOf } from './share-of.ts'

export const PickBody = optionalRequest({
  bin: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Only units in this bin: its name, in any case, or the ID of its inventory item, which its label has. Default: all that the order still needs',
      examples: ['A-03'],
    }),
  ),
})

export const OrderPicks = resource('OrderPicks', 'Pick list of an order', {
  order_id: Type.String({ description: 'The order' }),
  stage: oneOf(['pick', 'pack', 'none'], {
    description:
      'pick: units are left to pick, and some of them are on the shelves or were picked; pack: all is picked; none: otherwise',
  }),
  lines: Type.Array(
    answer(
      {
        item_id: Type.String({ description: 'The line of the order', examples: ['itm_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
        product_sku_id: nullable(Type.String({ description: 'Its SKU; null while the line is unmapped' })),
        sku: Type.String({ description: 'Code of the SKU' }),
        product_name: Type.String({ description: 'Name of its product' }),
        color: Type.String({ description: 'Colour of the SKU; empty when unknown' }),
        bin: Type.String({ description: 'Bin that it lies in; empty when not known', examples: ['A-03'] }),
        units: Type.Integer({ description: 'Units that are to leave' }),
        picked: Type.Integer({ description: 'Units of them that were taken off the shelf' }),
        on_shelf: Type.Integer({ description: 'Ready units that were not picked for other orders' }),
        is_due: Type.Boolean({
          description:
            'Whether the line leaves with the next parcel; false only where lines ship alone and units of this one are missing',
        }),
      },
      { description: 'A line with units that are to leave' },
    ),
    { description: 'The open lines of the order by bin' },
  ),
})

/** True when the shelves have all of these lines. Those that draw on the same units need them together. */
function isOnShelf(lines: readonly PickLine[]): boolean {
  return [...Map.groupBy(lines, shareOf).values()].every((its) => {
    const needed = its.reduce((sum, { open }) => sum + open, 0)
    return its.every(({ on_shelf }) => on_shelf >= needed)
  })
}

export function presentPicks(orderId: OrderId, lines: readonly PickLine[]): Static<typeof OrderPicks> {
  const due = lines.filter((line) => line.is_due)
  return {
    order_id: orderId,
    stage: stageOf(due, isOnShelf(due)),
    lines: lines.map((line) => ({
      item_id: line.order_item_id,
      product_sku_id: line.product_sku_id,
      sku: line.sku,
      product_name: line.product_name,
      color: line.color,
      bin: line.bin,
      units: line.open,
      picked: line.picked,
      on_shelf: line.on_shelf,
      is_due: line.is_due,
    })),
  }
}
