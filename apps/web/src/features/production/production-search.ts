export const productionTabs = ['needs', 'shelf', 'unwanted'] as const
export type ProductionTab = (typeof productionTabs)[number]

/** The page as it stands in the address. */
export interface ProductionSearch {
  /** Left out: what must be printed. */
  tab?: Exclude<ProductionTab, 'needs'>
  search?: string
  for?: 'orders' | 'shelf'
  /** Days from now within which orders have to leave. */
  due?: string
  state?: 'blocked' | 'ready'
}

/** The choices of `due`: the number of days. */
const dueDays: Readonly<Record<string, number>> = { late: 0, day: 1, week: 7 }

export function readProductionSearch(given: Record<string, unknown>): ProductionSearch {
  const { tab, search, for: purpose, due, state } = given
  return {
    ...((tab === 'shelf' || tab === 'unwanted') && { tab }),
    ...(typeof search === 'string' && search !== '' && { search }),
    ...((purpose === 'orders' || purpose === 'shelf') && { for: purpose }),
    ...(typeof due === 'string' && Object.hasOwn(dueDays, due) && { due }),
    ...((state === 'blocked' || state === 'ready') && { state }),
  }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The moment before which orders are due; the same for a minute, since it is a part of what is asked of the service. */
export function dueBeforeOf({ due }: ProductionSearch, nowMs: number): string | undefined {
  const days = due === undefined ? undefined : dueDays[due]
  if (days === undefined) return undefined
  return new Date(Math.floor(nowMs / minuteMs) * minuteMs + days * dayMs).toISOString()
}

/** What is asked of the service for the list of what must be printed. */
export function needFiltersOf(search: ProductionSearch, nowMs: number) {
  const dueBefore = dueBeforeOf(search, nowMs)
  return {
    ...(search.search !== undefined && { search: search.search.slice(0, 120) }),
    ...(search.for !== undefined && { for: search.for }),
    ...(search.state !== undefined && { is_blocked: search.state === 'blocked' }),
    ...(dueBefore !== undefined && { due_before: dueBefore }),
  }
}
