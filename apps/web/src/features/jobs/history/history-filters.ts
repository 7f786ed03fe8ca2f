import { fromZoneTime } from '../../../lib/zone-time.ts'
import type { HistoryFilters } from '../jobs.api.ts'

/** The filters of the history as they stand in the address; days are those of the account. */
export interface HistorySearch {
  status?: string
  printer?: string
  file?: string
  /** `2026-03-01`, both ends included. */
  from?: string
  to?: string
}

const statuses = ['completed', 'failed', 'cancelled'] as const

/** What is asked of the service. What no one can choose, but a person wrote into the address, is left out. */
export function readHistorySearch(search: HistorySearch, timeZone: string | undefined): HistoryFilters {
  const status = statuses.find((each) => each === search.status)
  const from = fromZoneTime(`${search.from ?? ''}T00:00`, timeZone)
  const lastMinute = fromZoneTime(`${search.to ?? ''}T23:59`, timeZone)
  return {
    ...(status && { ended_as: status }),
    ...(search.printer !== undefined && { of_printer_id: search.printer }),
    ...(search.file !== undefined && { of_file_id: search.file }),
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(lastMinute !== undefined && { to: new Date(lastMinute + 59_999).toISOString() }),
  }
}
