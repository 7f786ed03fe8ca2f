import type { PickLine } from './picks.queries.ts'

/** Names the units that a line may be picked from: those of its SKU, or what was made for a personalised line alone. */
export const shareOf = (line: PickLine) => (line.personalisation.length > 0 ? line.order_item_id : line.product_sku_id)
