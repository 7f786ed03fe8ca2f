export const stockStatuses = ['out_of_stock', 'needs_assembly', 'low_stock', 'in_stock'] as const
type StockStatus = (typeof stockStatuses)[number]

/** The status of an inventory item; the rules in this order. */
export function stockStatus(item: {
  ready_stock: number
  quantity_needs_assembly: number
  low_stock_threshold: number
}): StockStatus {
  if (item.ready_stock <= 0 && item.quantity_needs_assembly <= 0) return 'out_of_stock'
  if (item.quantity_needs_assembly > 0) return 'needs_assembly'
  if (item.ready_stock <= item.low_stock_threshold) return 'low_stock'
  return 'in_stock'
}

/** The status of an item whose units can also be put together: what is short then waits for assembly. */
export function effectiveStatus(status: StockStatus, availableToBuild: number): StockStatus {
  return availableToBuild > 0 && (status === 'out_of_stock' || status === 'low_stock') ? 'needs_assembly' : status
}
