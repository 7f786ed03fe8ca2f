import { type OrderStatus, type Platform, platformOptions, statusOptions } from './order-state.ts'
import type { OrderFilters } from './orders.api.ts'

/** Which orders the list shows, as it stands in the address. */
export interface OrderSearch {
  search?: string
  status?: OrderStatus
  platform?: Platform
  unmapped?: 'true'
}

const longestSearch = 120

/** What is not understood, or is longer than the service takes, is left out. */
export function readOrderSearch(given: Record<string, unknown>): OrderSearch {
  const { search } = given
  const status = statusOptions.find(({ value }) => value === given.status)?.value
  const platform = platformOptions.find(({ value }) => value === given.platform)?.value
  return {
    ...(typeof search === 'string' && search !== '' && search.length <= longestSearch && { search }),
    // Both are among the keys of the words for them.
    ...(status !== undefined && { status: status as OrderStatus }),
    ...(platform !== undefined && { platform: platform as Platform }),
    ...(given.unmapped === 'true' && { unmapped: 'true' }),
  }
}

/** What is asked of the service. */
export function orderFiltersOf({ unmapped, ...others }: OrderSearch): OrderFilters {
  return { ...others, ...(unmapped === 'true' && { unmapped: true }) }
}
