import type { QueueTimeline, TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { timeWriter } from '../../../lib/i18n/writers.ts'

/** A part of a lane, in % of its width. */
interface Part {
  offset: number
  width: number
}

export interface Bar extends Part {
  job: TimelineJob
  /** What nine of ten such jobs may take longer, in % of the width of the lane; 0 where that is not known. */
  tail: number
  /** Where it is due, in % of the lane; undefined outside of it. */
  due: number | undefined
  isLate: boolean
}

export interface Lane {
  id: string
  name: string
  isInMaintenance: boolean
  bars: Bar[]
  /** Jobs that begin after what is drawn. */
  later: number
  /** When the last of its jobs is done, in ms; undefined where that is not known. */
  freeMs: number | undefined
}

export interface LaidOut {
  fromMs: number
  untilMs: number
  /** Where now is, in %. */
  now: number
  lanes: Lane[]
  /** Printers without a job. */
  idle: { id: string; name: string }[]
  /** Jobs that stand on no lane, with why. */
  unplanned: TimelineJob[]
  /** When people are there, in % of a lane; none where the farm has no working hours. */
  working: Part[]
}

/** So much of the width shows what has been. */
const pastShare = 0.1

const ms = (at: string | null) => (at === null ? undefined : Date.parse(at))

/** The lanes of the printers with jobs, by name, from a little before now to so many hours ahead. */
export function layOut(timeline: QueueTimeline, hours: number): LaidOut {
  const nowMs = Date.parse(timeline.now)
  const spanMs = hours * 3_600_000
  const fromMs = nowMs - spanMs * pastShare
  const untilMs = nowMs + spanMs
  const share = (at: number) => Math.min(100, Math.max(0, ((at - fromMs) / (untilMs - fromMs)) * 100))
  const drawn = Map.groupBy(
    timeline.jobs.filter((job) => job.printer_id !== null && job.starts_at !== null),
    (job) => job.printer_id,
  )
  const known = new Set(timeline.printers.map(({ id }) => id))
  const lanes = timeline.printers.flatMap(({ id, name, in_maintenance }): Lane[] => {
    const jobs = drawn.get(id)
    if (!jobs) return []
    const bars = jobs.flatMap((job) => barOf(job, { nowMs, untilMs, share }))
    const ends = jobs.map((job) => ms(job.done_p50_at))
    const isKnown = ends.every((end) => end !== undefined)
    return [
      {
        ...{ id, name, bars, isInMaintenance: in_maintenance },
        later: jobs.length - bars.length,
        freeMs: isKnown ? Math.max(...ends) : undefined,
      },
    ]
  })
  return {
    ...{ fromMs, untilMs, lanes, now: share(nowMs) },
    idle: timeline.printers.filter(({ id }) => !drawn.has(id)),
    unplanned: timeline.jobs.filter(
      ({ printer_id, starts_at }) => printer_id === null || starts_at === null || !known.has(printer_id),
    ),
    working: timeline.working_hours.flatMap(({ from, to }) => {
      const [offset, end] = [share(Date.parse(from)), share(Date.parse(to))]
      return end > offset ? [{ offset, width: end - offset }] : []
    }),
  }
}

interface Scale {
  nowMs: number
  untilMs: number
  share: (at: number) => number
}

/** Nothing of a job that begins after the lane ends. What prints for a time that is not known goes on to the end. */
function barOf(job: TimelineJob, { nowMs, untilMs, share }: Scale): Bar[] {
  const start = ms(job.starts_at) ?? nowMs
  if (start >= untilMs) return []
  const end = ms(job.done_p50_at) ?? untilMs
  const late = ms(job.done_p90_at)
  const due = ms(job.due_date)
  const offset = share(start)
  const isDueShown = due !== undefined && due > start && due < untilMs && share(due) > 0
  return [
    {
      ...{ job, offset, width: share(end) - offset },
      tail: late === undefined ? 0 : share(late) - share(end),
      due: isDueShown ? share(due) : undefined,
      isLate: due !== undefined && ms(job.done_p50_at) !== undefined && end > due,
    },
  ]
}

/** Whole hours of the clock between two moments, few enough to be read. */
export function ticksOf(fromMs: number, untilMs: number, timeZone: string | undefined): number[] {
  const hours = (untilMs - fromMs) / 3_600_000
  const step = hours <= 14 ? 2 : hours <= 28 ? 4 : hours <= 84 ? 12 : 24
  const clock = timeWriter('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  // Some zones are half an hour apart from the others.
  const halfHourMs = 1_800_000
  const ticks: number[] = []
  for (let at = Math.ceil(fromMs / halfHourMs) * halfHourMs; at < untilMs; at += halfHourMs) {
    const [hour = 0, minute = 0] = clock.format(at).split(':').map(Number)
    if (minute === 0 && hour % step === 0) ticks.push(at)
  }
  return ticks
}
