import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { validationError } from '../../kernel/errors.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { getCalendarDay } from '../people/accounts/account-days.queries.ts'
import { getPrinter } from '../printers/get-printer.ts'
import { busyCauses, causeSentences, type PeriodCause, periodCauses } from './period-cause.ts'
import { shareOut } from './share-of-time.ts'
import {
  listPrinterNames,
  listSegments,
  type PrinterCauseTime,
  type PrinterHour,
  type Span,
  sumFarmHours,
  sumFarmTime,
  sumPrinterTime,
} from './timeline.queries.ts'
import type { HoursAnswer, IdleTimeAnswer, TimelineAnswer } from './timeline.schema.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The longest times that can be asked for: what they cost is known. */
const longestTimelineMs = 31 * dayMs + 60 * minuteMs
const longestIdleMs = 92 * dayMs + 60 * minuteMs

interface Bounds {
  from?: string
  to?: string
}

interface Limit {
  limit: number
}

/** Answers where the time of one printer went; a part of the asked time before it was first watched is left out. */
export async function readTimeline(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  printerId: PrinterId,
  query: Bounds & Limit,
): Promise<TimelineAnswer> {
  const { sql } = context.db
  await getPrinter(sql, accountId, printerId)
  const span = await readSpan(sql, accountId, query, context.clock.now(), dayMs, longestTimelineMs)
  const times = await sumPrinterTime(sql, accountId, printerId, span)
  const segments = await listSegments(sql, accountId, printerId, span, query)
  const segmentCount = times.reduce((sum, time) => sum + time.periods, 0)
  const last = segments.length < segmentCount ? segments.at(-1) : undefined
  const wallMs = times.reduce((sum, time) => sum + time.ms, 0)
  const partsMs = periodCauses.map((cause) => times.find((time) => time.cause === cause)?.ms ?? 0)
  const [minutes, seconds] = [shareOut(partsMs, minuteMs), shareOut(partsMs, 1_000)]
  return {
    printer_id: printerId,
    from: new Date(Math.min(...times.map((time) => time.first_at.getTime()), span.to.getTime())).toISOString(),
    to: span.to.toISOString(),
    wall_minutes: Math.round(wallMs / minuteMs),
    wall_seconds: Math.round(wallMs / 1_000),
    totals: periodCauses.map((cause, index) => ({
      cause,
      description: causeSentences[cause],
      minutes: minutes[index] ?? 0,
      seconds: seconds[index] ?? 0,
    })),
    segment_count: segmentCount,
    segments: segments.map((segment) => ({
      ...segment,
      started_at: segment.started_at.toISOString(),
      ended_at: segment.ended_at.toISOString(),
    })),
    next_from: last?.ended_at.toISOString() ?? null,
  }
}

/** Answers where the time of all printers went. Long reads have a connection of their own. */
export async function readIdleTime(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  query: Bounds & Limit,
): Promise<IdleTimeAnswer> {
  const span = await readSpan(context.db.sql, accountId, query, context.clock.now(), 30 * dayMs, longestIdleMs)
  const printers = minutesOfPrinters(await sumFarmTime(context.db.reportsFor(accountId), accountId, span))
  const onPage = printers.slice(0, query.limit)
  const ids = onPage.map((printer) => printer.printer_id)
  const names = new Map(
    (await listPrinterNames(context.db.sql, accountId, ids)).map((printer) => [printer.id, printer.name]),
  )
  const sumOf = (read: (printer: PrinterMinutes) => number) => printers.reduce((sum, each) => sum + read(each), 0)
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    printers: printers.length,
    wall_minutes: sumOf((printer) => printer.wall_minutes),
    idle_minutes: sumOf((printer) => printer.idle_minutes),
    causes: periodCauses.map((cause) => ({
      cause,
      description: causeSentences[cause],
      minutes: sumOf((printer) => printer.minutes[cause]),
    })),
    by_printer: onPage.map((printer) => ({ ...printer, printer_name: names.get(printer.printer_id) ?? '' })),
  }
}

/** At which hours of the day printers print. Long reads have a connection of their own. */
export async function readHours(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  query: Bounds & Limit,
): Promise<HoursAnswer> {
  const span = await readSpan(context.db.sql, accountId, query, context.clock.now(), 30 * dayMs, longestIdleMs)
  const hours = new Map<PrinterId, PrinterHour[]>()
  for (const row of await sumFarmHours(context.db.reportsFor(accountId), accountId, span)) {
    const known = hours.get(row.printer_id)
    if (known) known.push(row)
    else hours.set(row.printer_id, [row])
  }
  const named = await listPrinterNames(context.db.sql, accountId, [...hours.keys()])
  const shown = named.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })).slice(0, query.limit)
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    printers: hours.size,
    by_printer: shown.map(({ id, name }) => ({
      printer_id: id,
      printer_name: name,
      hours: Array.from({ length: 24 }, (_, hour) => {
        const found = hours.get(id)?.find((each) => each.hour === hour)
        return {
          hour,
          printing_minutes: Math.round((found?.printing_ms ?? 0) / minuteMs),
          wall_minutes: Math.round((found?.wall_ms ?? 0) / minuteMs),
        }
      }),
    })),
  }
}

interface PrinterMinutes {
  printer_id: PrinterId
  wall_minutes: number
  idle_minutes: number
  minutes: Record<PeriodCause, number>
}

/** Rounded printer by printer, so that the farm's sums are those of its printers. The one that was idle longest first. */
function minutesOfPrinters(times: PrinterCauseTime[]): PrinterMinutes[] {
  const partsMs = new Map<PrinterId, Map<PeriodCause, number>>()
  for (const { printer_id, cause, ms } of times) {
    const parts = partsMs.get(printer_id) ?? new Map<PeriodCause, number>()
    partsMs.set(printer_id, parts.set(cause, ms))
  }
  const printers = [...partsMs].map(([printer_id, parts]) => {
    const shares = shareOut(
      periodCauses.map((cause) => parts.get(cause) ?? 0),
      minuteMs,
    )
    // Every cause is in the list, so every cause gets its minutes.
    const minutes = Object.fromEntries(periodCauses.map((cause, index) => [cause, shares[index]])) as Record<
      PeriodCause,
      number
    >
    const wall_minutes = shares.reduce((sum, share) => sum + share, 0)
    return {
      printer_id,
      wall_minutes,
      idle_minutes: busyCauses.reduce((left, cause) => left - minutes[cause], wall_minutes),
      minutes,
    }
  })
  return printers.sort((a, b) => b.idle_minutes - a.idle_minutes || (a.printer_id < b.printer_id ? -1 : 1))
}

const dateForm = /^\d{4}-\d\d-\d\d$/

/** Nothing was recorded before; and some days before it have no name that the database knows. */
const firstYear = '2000'

/** The time that a request means: it ends now at the latest, and is never longer than `longestMs`. */
async function readSpan(
  sql: Sql,
  accountId: AccountId,
  bounds: Bounds,
  now: Date,
  usualMs: number,
  longestMs: number,
): Promise<Span> {
  for (const field of ['from', 'to'] as const) {
    if ((bounds[field] ?? firstYear) < firstYear)
      throw validationError({ [field]: [`must not lie before ${firstYear}`] })
  }
  const read = async (text: string, edge: 'starts_at' | 'ends_at') =>
    dateForm.test(text) ? (await getCalendarDay(sql, accountId, text))[edge] : new Date(text)
  const asked = bounds.to === undefined ? now : await read(bounds.to, 'ends_at')
  const to = asked < now ? asked : now
  const from = bounds.from === undefined ? new Date(to.getTime() - usualMs) : await read(bounds.from, 'starts_at')
  if (from >= to) throw validationError({ from: ['must lie before `to` and before now'] })
  if (to.getTime() - from.getTime() > longestMs) {
    throw validationError({ from: [`must lie at most ${Math.floor(longestMs / dayMs)} days before \`to\``] })
  }
  return { from, to }
}
