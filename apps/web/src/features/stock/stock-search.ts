import type { StockFilters } from './stock.api.ts'
import { type StockStatus, stockStatuses } from './stock-words.ts'

/** The list of the stock as it stands in the address. */
export interface StockSearch {
  search?: string
  /** `short`: low, or none left. */
  status?: StockStatus | 'short'
  /** Beginning of the name of a shelf or box. */
  bin?: string
  /** Left out: items in use. */
  use?: 'out'
}

export function readStockSearch({ search, status, use, bin }: Record<string, unknown>): StockSearch {
  const known = typeof status === 'string' && (status === 'short' || Object.hasOwn(stockStatuses, status))
  return {
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(known && { status: status as StockStatus | 'short' }),
    ...(typeof bin === 'string' && bin !== '' && { bin }),
    ...(use === 'out' && { use }),
  }
}

/** What is asked of the service. */
export function stockFiltersOf({ search, status, use, bin }: StockSearch): StockFilters {
  return {
    is_active: use !== 'out',
    ...(search !== undefined && { search }),
    ...(bin !== undefined && { bin: bin.slice(0, 100) }),
    ...(status === 'short' ? { low_stock: true } : status !== undefined && { status }),
  }
}
