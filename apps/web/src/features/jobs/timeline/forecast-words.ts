import type { TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { formatMoment } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'

/** What is nearer than this is now. */
const nowishMs = 60_000

interface Clock {
  nowMs: number
  timeZone: string | undefined
}

/** `Starts about 10:42, done about 11:30`; empty where nothing is forecast. */
export function forecastWords(
  { starts_at, done_p50_at, status }: Pick<TimelineJob, 'starts_at' | 'done_p50_at' | 'status'>,
  { nowMs, timeZone }: Clock,
): string {
  if (done_p50_at === null) return ''
  const clock = (at: string) => formatMoment(Date.parse(at), nowMs, timeZone === undefined ? {} : { timeZone })
  const done = t('done about {clock}', { clock: clock(done_p50_at) })
  if (starts_at === null || status !== 'queued') return `${done.charAt(0).toUpperCase()}${done.slice(1)}`
  const isNow = Date.parse(starts_at) <= nowMs + nowishMs
  return `${isNow ? t('Could start now') : t('Starts about {clock}', { clock: clock(starts_at) })}, ${done}`
}

/** `nine of ten by 11:50`; empty where that is not known. */
export function lateWords(doneP90At: string | null, { nowMs, timeZone }: Clock): string {
  if (doneP90At === null) return ''
  return t('nine of ten by {doneP90At}', {
    doneP90At: formatMoment(Date.parse(doneP90At), nowMs, timeZone === undefined ? {} : { timeZone }),
  })
}
