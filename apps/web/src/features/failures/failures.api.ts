import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** What the address of the page says of it: what was not looked into, unless all is asked for. */
interface FailureSearch {
  show?: 'all'
}

export function readFailureSearch({ show }: Record<string, unknown>): FailureSearch {
  return show === 'all' ? { show } : {}
}

/** Failures of the last 30 days, the newest twenty by themselves. Under the key that events of failures refresh. */
export const failureListQuery = ({ show }: FailureSearch) =>
  queryOptions({
    queryKey: ['overview', 'failures', 'list', show ?? 'open'],
    queryFn: ({ signal }) =>
      api.call('GET /analytics/failures', { query: show === 'all' ? {} : { resolved: false }, signal }),
  })
