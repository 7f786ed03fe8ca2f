import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, resource, timestamp } from '../../../http/schema.ts'
import { jobStatuses } from '../../jobs/job-state.ts'
import { readReason, sentenceOf, unknownBecause } from '../../promises/shown/promise.schema.ts'
import type { Timeline, TimelineJob } from './timeline.service.ts'

const TimelineJobAnswer = resource('TimelineJob', 'A job as the timeline of the queue draws it', {
  id: Type.String({ description: 'ID of the job' }),
  name: Type.String({ description: 'Its product, else its file' }),
  status: oneOf(jobStatuses, { description: 'Status of the job' }),
  printer_id: nullable(
    Type.String({
      description:
        'Printer on which it prints, or would print by the forecast: another printer may take it first; null where not known',
    }),
  ),
  is_assigned: Type.Boolean({ description: 'Whether a person gave it to its printer' }),
  starts_at: nullable(timestamp('Time at which it started, or would in half of all cases; null where not known')),
  done_p50_at: nullable(timestamp('Time by which its last plate is done in half of all cases; null where not known')),
  done_p90_at: nullable(timestamp('The same in nine of ten cases')),
  due_date: nullable(timestamp('Due date')),
  unknown_because: unknownBecause,
  message: Type.String({ description: 'The reason as a sentence; empty without one' }),
})

export const QueueTimeline = resource(
  'QueueTimeline',
  'Forecast of the queue: running and next jobs by printer, with their times',
  {
    now: timestamp('The moment of this answer'),
    forecast_made_at: nullable(timestamp('Time of the forecast; null before the first one')),
    done_p50_at: nullable(
      timestamp('Time by which all jobs with a forecast are done in half of all cases; null where none has one'),
    ),
    done_p90_at: nullable(timestamp('The same in nine of ten cases; null while it is not known of one of them')),
    unknown_jobs: Type.Integer({ description: 'Jobs of which it is not known when they are done' }),
    working_hours: Type.Array(
      answer(
        { from: timestamp('Start of working hours'), to: timestamp('End of working hours') },
        { description: 'A stretch of working hours' },
      ),
      { description: 'From now on, by the settings of the scheduler; empty where none are set' },
    ),
    printers: Type.Array(
      answer(
        {
          id: Type.String({ description: 'ID of the printer' }),
          name: Type.String({ description: 'Its name' }),
          model: Type.String({ description: 'Its model' }),
          in_maintenance: Type.Boolean({ description: 'Whether it is taken out of use for maintenance' }),
        },
        { description: 'A printer in use' },
      ),
      { description: 'Printers by name' },
    ),
    jobs: Type.Array(TimelineJobAnswer, { description: 'Jobs that hold a printer, then the first 300 of the queue' }),
    has_more: Type.Boolean({ description: 'Whether the queue has more of them' }),
  },
)

export function presentTimeline(timeline: Timeline): Static<typeof QueueTimeline> {
  const { now, madeAt, doneP50, doneP90, unknown, hours, printers, jobs, hasMore } = timeline
  return {
    now: now.toISOString(),
    forecast_made_at: iso(madeAt),
    done_p50_at: iso(doneP50),
    done_p90_at: iso(doneP90),
    unknown_jobs: unknown,
    working_hours: hours.map(({ from, to }) => ({ from: from.toISOString(), to: to.toISOString() })),
    printers,
    jobs: jobs.map(presentJob),
    has_more: hasMore,
  }
}

function presentJob({ row, printerId, startsAt, p50, p90, reason }: TimelineJob): Static<typeof TimelineJobAnswer> {
  const name = row.product_name ?? row.file_name
  const because = readReason(reason)
  return {
    ...{ id: row.id, name, status: row.status, printer_id: printerId },
    is_assigned: row.assigned_printer_id !== null,
    starts_at: iso(startsAt),
    done_p50_at: iso(p50),
    done_p90_at: iso(p90),
    due_date: iso(row.due_date),
    unknown_because: because,
    message: because === null ? '' : sentenceOf(because, name),
  }
}

const iso = (at: Date | null) => at?.toISOString() ?? null
