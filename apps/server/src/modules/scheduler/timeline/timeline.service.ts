import type { Context } from '../../../context/context.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { listWorkingStretches, readWorkingHours } from '../../matching/working-hours.ts'
import { type JobForecast, listJobForecasts, sumJobForecasts } from '../../promises/shown/promise.queries.ts'
import { foreseeFinishes } from '../foresee-finishes.ts'
import { getSettings } from '../settings.service.ts'
import { type ListedJob, listRunning, listWaiting } from '../waiting-jobs.queries.ts'
import { alignLanes } from './align-lanes.ts'
import { type LanePrinter, listLanePrinters } from './timeline.queries.ts'

/** Jobs at the front of the queue that are drawn; what comes later is told by how many they are. */
const mostWaiting = 300

/** More than any farm prints at once. */
const mostRunning = 2_000

const dayMs = 24 * 60 * 60 * 1000

/** Working hours are told for this long at least, and no longer than a week. */
const leastDays = 1
const mostDays = 7

export interface TimelineJob {
  row: ListedJob
  /** Printer on which it prints, that a person gave it to, or on which it would print. */
  printerId: PrinterId | null
  isRunning: boolean
  startsAt: Date | null
  p50: Date | null
  p90: Date | null
  reason: string | null
}

export interface Timeline {
  now: Date
  madeAt: Date | null
  doneP50: Date | null
  doneP90: Date | null
  /** Jobs of which it is not known when they are done. */
  unknown: number
  hours: { from: Date; to: Date }[]
  printers: LanePrinter[]
  jobs: TimelineJob[]
  hasMore: boolean
}

/** Answers what prints where until when, and what would print after it, by the last forecast. */
export async function readTimeline(context: Context, accountId: AccountId): Promise<Timeline> {
  const { sql } = context.db
  const now = context.clock.now()
  const page = { offset: 0, after: undefined }
  const [running, found, printers, whole, settings] = await Promise.all([
    listRunning(sql, accountId, { ...page, limit: mostRunning }),
    listWaiting(sql, accountId, { ...page, limit: mostWaiting + 1 }),
    listLanePrinters(sql, accountId),
    sumJobForecasts(sql, accountId),
    getSettings(sql, accountId),
  ])
  const waiting = found.slice(0, mostWaiting)
  const forecasts = await listJobForecasts(
    sql,
    accountId,
    [...running, ...waiting].map(({ id }) => id),
  )
  const finishes = await foreseeFinishes(context, accountId, running)
  const jobs = alignLanes(
    [
      ...running.map((row): TimelineJob => {
        const finish = finishes.get(row.id)
        const forecast = forecasts.get(row.id)
        return {
          ...{ row, printerId: row.printer_id, isRunning: true },
          startsAt: row.plate_started_at ?? row.time_started,
          p50: finish?.p50_at ?? forecast?.p50_at ?? null,
          p90: finish ? finish.p90_at : (forecast?.p90_at ?? null),
          reason: finish ? null : (forecast?.reason ?? null),
        }
      }),
      ...waiting.map((row) => planned(row, forecasts.get(row.id))),
    ],
    forecasts,
    now,
  )
  const latest = (stored: Date | null, own: (Date | null)[]) =>
    stored && new Date(Math.max(Number(stored), ...own.map((at) => Number(at ?? 0))))
  const doneP50 = latest(
    whole.p50_at,
    jobs.map(({ p50 }) => p50),
  )
  const doneP90 = latest(
    whole.p90_at,
    jobs.map(({ p90 }) => p90),
  )
  const aheadMs = Number(doneP90 ?? doneP50 ?? now) - Number(now)
  const until = new Date(Number(now) + Math.min(mostDays * dayMs, Math.max(leastDays * dayMs, aheadMs)))
  const hours = readWorkingHours(settings, settings.time_zone)
  // One that came after the last forecast is not known of either.
  const unseen = waiting.filter(({ id }) => !forecasts.has(id)).length
  return {
    ...{ now, madeAt: whole.made_at, doneP50, doneP90, printers, jobs },
    unknown: whole.unknown + unseen,
    hours: hours ? listWorkingStretches(hours, now, until) : [],
    hasMore: found.length > mostWaiting,
  }
}

function planned(row: ListedJob, forecast: JobForecast | undefined): TimelineJob {
  return {
    row,
    printerId: forecast?.printer_id ?? row.assigned_printer_id,
    isRunning: false,
    startsAt: forecast?.starts_at ?? null,
    p50: forecast?.p50_at ?? null,
    p90: forecast?.p90_at ?? null,
    reason: forecast ? forecast.reason : 'not_planned',
  }
}
