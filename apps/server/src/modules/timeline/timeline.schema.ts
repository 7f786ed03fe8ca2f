import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, request, resource, timestamp } from '../../http/schema.ts'
import { causeSentences, type PeriodCause, periodCauses } from './period-cause.ts'

const causeList = periodCauses.map((cause) => `${cause}: ${causeSentences[cause]}`).join(' ')

const cause = (description: string) => oneOf(periodCauses, { description: `${description} ${causeList}` })

const bound = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      description: `${description}; a date without a time is that day in the time zone of the account`,
    }),
  )

/** What one page of segments holds at most: a farm printer goes through some dozens of periods in a day. */
const mostSegments = 1_000

export const TimelineQuery = request({
  from: bound('Beginning, by default 24 hours before the end'),
  to: bound('End, by default now; a whole day is included'),
  limit: Type.Integer({
    minimum: 1,
    maximum: mostSegments,
    default: mostSegments,
    description: 'Most segments to answer, the earliest first',
  }),
})

const wholeNumber = (description: string) => Type.Integer({ minimum: 0, description })

const CauseTotal = answer(
  {
    cause: cause('Cause of the time.'),
    description: Type.String({ description: 'The cause in a sentence for people' }),
    minutes: wholeNumber('Whole minutes; those of all causes sum to `wall_minutes`'),
    seconds: wholeNumber('Whole seconds; those of all causes sum to `wall_seconds`'),
  },
  { description: 'Time of one cause' },
)

const spanFields = {
  from: timestamp('Beginning of the time that is accounted for'),
  to: timestamp('End of it; never in the future'),
}

export const Timeline = resource('PrinterTimeline', 'Time of a printer, by cause', {
  printer_id: Type.String({ description: 'The printer' }),
  ...spanFields,
  wall_minutes: wholeNumber('Minutes from `from` to `to`'),
  wall_seconds: wholeNumber('Seconds from `from` to `to`'),
  totals: Type.Array(CauseTotal, { description: 'Every cause, with the time that went to it' }),
  segment_count: wholeNumber('Number of segments between `from` and `to`'),
  segments: Type.Array(
    answer(
      {
        cause: cause('Activity of the printer, or the reason why it waited.'),
        started_at: timestamp('Start of the segment, or `from` when that is later'),
        ended_at: timestamp('End of the segment, or `to` when that is earlier; the next segment begins at this moment'),
        is_open: Type.Boolean({ description: 'True for the current period' }),
        job_id: nullable(Type.String({ description: 'The job whose print it belongs to' })),
        attempt_id: nullable(Type.String({ description: 'The attempt to print it' })),
      },
      { description: 'A stretch of time with one cause' },
    ),
    { description: 'Segments in the order of time, without gaps' },
  ),
  next_from: nullable(
    timestamp(
      'End of the segments of this answer, when it is before `to`: ask again with it as `from`; null when they are all',
    ),
  ),
})

export const IdleQuery = request({
  from: bound('First day, or beginning; by default 30 days before the end'),
  to: bound('Last day, or end; by default now'),
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 50,
    description: 'Most printers to answer one by one; the sums are of all',
  }),
})

// Named one by one, so that each has its sentence in the description.
const minutesByCause = Object.fromEntries(
  periodCauses.map((each) => [each, wholeNumber(`Minutes. ${causeSentences[each]}`)]),
) as Record<PeriodCause, ReturnType<typeof wholeNumber>>

export const IdleTime = resource('IdleTime', 'Time of all printers, by cause', {
  ...spanFields,
  printers: wholeNumber('Printers with any time between `from` and `to`'),
  wall_minutes: wholeNumber('Minutes of all printers together; a printer counts from the moment it was added'),
  idle_minutes: wholeNumber('Minutes spent on anything but printing and transferring'),
  causes: Type.Array(
    answer(
      {
        cause: cause('Cause of the time.'),
        description: Type.String({ description: 'The cause in a sentence for people' }),
        minutes: wholeNumber('Whole minutes of all printers; those of all causes sum to `wall_minutes`'),
      },
      { description: 'Time of one cause' },
    ),
    { description: 'Every cause, with the time that went to it' },
  ),
  by_printer: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'The printer' }),
        printer_name: Type.String({ description: 'Its name' }),
        wall_minutes: wholeNumber('Minutes of this printer between `from` and `to`'),
        idle_minutes: wholeNumber('Minutes spent on anything but printing and transferring'),
        minutes: answer(minutesByCause, { description: 'Its minutes by cause; they sum to its `wall_minutes`' }),
      },
      { description: 'The time of one printer' },
    ),
    { description: 'The printers that stood idle longest, the longest first' },
  ),
})

export const HoursOfDay = resource('HoursOfDay', 'Printing time of printers, by hour of the day', {
  ...spanFields,
  printers: wholeNumber('Printers with any time between `from` and `to`'),
  by_printer: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'The printer' }),
        printer_name: Type.String({ description: 'Its name' }),
        hours: Type.Array(
          answer(
            {
              hour: Type.Integer({
                minimum: 0,
                maximum: 23,
                description: 'The hour of the day in the time zone of the account',
              }),
              printing_minutes: wholeNumber('Minutes of this hour, of all days together, in which it printed'),
              wall_minutes: wholeNumber('Minutes of this hour, of all days together, that are accounted for'),
            },
            { description: 'An hour of the day' },
          ),
          { description: 'All 24, from midnight on' },
        ),
      },
      { description: 'The day of one printer' },
    ),
    { description: 'Printers by their name' },
  ),
})

export type HoursAnswer = Static<typeof HoursOfDay>
export type TimelineAnswer = Static<typeof Timeline>
export type IdleTimeAnswer = Static<typeof IdleTime>
