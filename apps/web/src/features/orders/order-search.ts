import { type OrderStatus, type Platform, platformOptions, riskMs, statusOptions } from './order-state.ts'
import type { OrderFilters } from './orders.api.ts'

/** Which orders the list shows, as it stands in the address. */
export interface OrderSearch {
  search?: string
  status?: OrderStatus
  platform?: Platform
  unmapped?: 'true'
  /** `late`: should have been shipped; `soon`: these, and those that are to be within a day; `risk`: will be ready too late. */
  due?: 'late' | 'soon' | 'risk'
  /** Left out: a list. */
  as?: 'board'
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
    ...(given.as === 'board' && { as: 'board' }),
    ...((given.due === 'late' || given.due === 'soon' || given.due === 'risk') && { due: given.due }),
  }
}

/** Steps in which the time goes on that orders are due by: within one, the list is the same. */
const stepMs = 5 * 60 * 1000

/** What is asked of the service. */
export function orderFiltersOf({ unmapped, due, as: _, ...others }: OrderSearch, nowMs: number): OrderFilters {
  return {
    ...others,
    ...(unmapped === 'true' && { unmapped: true }),
    ...(due === 'risk' && { at_risk: true }),
    ...((due === 'late' || due === 'soon') && { ship_before: shipBefore(due, nowMs) }),
  }
}

/** The moment before which orders are to be shipped that are late, or late or at risk. */
export function shipBefore(due: 'late' | 'soon', nowMs: number): string {
  const step = Math.floor(nowMs / stepMs) * stepMs
  return new Date(due === 'late' ? step : step + riskMs).toISOString()
}
