import { readDay } from '../../lib/zone-day.ts'

export const reportNames = [
  'production',
  'printers',
  'inventory',
  'revenue',
  'margin',
  'failures',
  'yield',
  'promises',
  'idle',
] as const
export type ReportName = (typeof reportNames)[number]

/** Days of the account's calendar, both ends included; left out: the last 30. */
export interface ReportDays {
  from?: string
  to?: string
}

/** A report as it stands in the address. */
interface ReportSearch extends ReportDays {
  /** Left out: production. */
  report?: ReportName
  /** Of the revenue. Left out: that of the account. */
  currency?: string
}

export function readReportSearch({ report, from, to, currency }: Record<string, unknown>): ReportSearch {
  const known = reportNames.find((each) => each === report)
  const [first, last] = [readDay(from), readDay(to)]
  return {
    ...(known && known !== 'production' && { report: known }),
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { to: last }),
    ...(known === 'revenue' && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && { currency }),
  }
}
