import Type, { type Static } from 'typebox'
import { formatQuery } from '../../http/csv.ts'
import { answer, nullable, oneOf, request, resource, text, timestamp } from '../../http/schema.ts'
import { dateRange } from '../analytics/reports/report-parts.ts'
import { failureTypes } from './failure-type.ts'
import type { FailureRow } from './failures.queries.ts'

const date = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date-time', maxLength: 10, description }))

export const FailuresQuery = request({
  from: date('First day, as 2026-11-20; default: 29 days before the last'),
  to: date('Last day, as 2026-11-20; default: today by the time zone of the account'),
  resolved: Type.Optional(
    Type.Boolean({ description: 'Only failures that were dealt with, or only those that were not. Default: all' }),
  ),
  format: formatQuery,
  by: Type.Optional(oneOf(['day', 'type', 'printer'], { description: 'Subject of each row of the CSV. Default: day' })),
})

export const PictureQuery = request({
  size: Type.Optional(
    oneOf(['full', 'small'], {
      description: 'Size of the picture: as the camera gave it, or at most 480 pixels wide and high. Default: full',
    }),
  ),
})

export const FailureChangesBody = request(
  Type.Partial(
    Type.Object({
      type: oneOf(failureTypes, { description: 'Type of the failure' }),
      notes: text(0, 2000, 'Anything worth knowing'),
      resolved: Type.Boolean({ description: 'Whether the failure was dealt with' }),
    }),
  ).properties,
  { minProperties: 1 },
)
export type FailureChanges = Static<typeof FailureChangesBody>

const count = (description: string) => Type.Integer({ minimum: 0, description })
const type = oneOf(failureTypes, {
  description: 'Type of the failure, as the printer reported it or a person has set it',
})

export const PrintFailure = resource('PrintFailure', 'A print that failed or was stopped', {
  id: Type.String({ description: 'ID of the failure' }),
  job_id: Type.String({ description: 'The job that was printed' }),
  file_name: Type.String({ description: 'Name of the print file' }),
  print_file_id: Type.String({ description: 'ID of the print file' }),
  picture_of: nullable(
    timestamp(
      'Time of the last change of the file, where GET /files/{id}/thumbnail has a picture of the printed plate; else null',
    ),
  ),
  camera_picture_at: nullable(
    timestamp('Time of the picture that GET /analytics/failures/{id}/picture returns; null where no picture is kept'),
  ),
  printer_id: Type.String({ description: 'The printer it happened on' }),
  printer_name: Type.String({ description: 'Name of the printer' }),
  type,
  reason_code: nullable(Type.String({ description: 'Reason that the printer or the service gave, as a stable code' })),
  reason: nullable(Type.String({ description: 'Reason that the printer or the service gave, for people' })),
  notes: Type.String({ description: 'Notes; empty for none' }),
  resolved: Type.Boolean({ description: 'Whether it was dealt with, or the job was completed after all' }),
  resolved_at: nullable(timestamp('Time at which it was dealt with')),
  occurred_at: timestamp('Time at which the print ended'),
})

const sums = {
  total_failures: count('Prints that failed or were stopped'),
  resolved: count('Failures that were dealt with'),
  unresolved: count('Failures that were not dealt with'),
  resolution_rate: Type.Number({
    description: 'Share of those that were dealt with, in percent; 0 when there are none',
  }),
}

export const FailureAnalytics = resource('FailureAnalytics', 'Prints that failed or were stopped', {
  date_range: dateRange,
  summary: answer(sums, { description: 'All of them together' }),
  ...sums,
  by_type: Type.Array(
    answer({ type, failure_type: type, count: count('Failures of this type') }, { description: 'One type' }),
    { description: 'The most frequent first' },
  ),
  by_printer: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'ID of the printer' }),
        printer_name: Type.String({ description: 'Name of the printer' }),
        count: count('Failures on this printer'),
      },
      { description: 'One printer' },
    ),
    { description: 'The ten printers with the most' },
  ),
  daily_trend: Type.Array(
    answer(
      { date: Type.String({ format: 'date', description: 'The day' }), count: count('Failures on this day') },
      { description: 'One day' },
    ),
    { description: 'Days that had any, in order' },
  ),
  recent: Type.Array(PrintFailure, { description: 'The latest twenty' }),
})

export function presentFailure(failure: FailureRow): Static<typeof PrintFailure> {
  return {
    id: failure.id,
    job_id: failure.job_id,
    file_name: failure.file_name,
    print_file_id: failure.print_file_id,
    picture_of: failure.pictured_at?.toISOString() ?? null,
    camera_picture_at: failure.camera_picture_at?.toISOString() ?? null,
    printer_id: failure.printer_id,
    printer_name: failure.printer_name,
    type: failure.type,
    reason_code: failure.reason_code,
    reason: failure.reason,
    notes: failure.notes,
    resolved: failure.resolved_at !== null,
    resolved_at: failure.resolved_at?.toISOString() ?? null,
    occurred_at: failure.occurred_at.toISOString(),
  }
}
