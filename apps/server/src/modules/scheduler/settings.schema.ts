import Type, { type Static } from 'typebox'
import { nullable, request, resource } from '../../http/schema.ts'
import type { SettingsRow } from './settings.queries.ts'

const time = (description: string) =>
  Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', description, examples: ['08:30'] })

const workingHours = {
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'Working days of the week: 1 is Monday, 7 is Sunday',
  }),
  from: time("Since when, in the account's time zone"),
  to: time('End, later than `from`; `24:00` is the end of the day'),
}

const hoursDescription =
  'Hours in which a person is there: no plate is started that would finish outside. Null: at any time'
const heating = {
  heating_at_once: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Number of printers of one power group that may heat up at once; null: no limit',
    }),
  ),
  heating_gap_seconds: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'The least time in seconds between two starts in one power group; null for none',
    }),
  ),
}

export const SchedulerSettings = resource(
  'SchedulerSettings',
  'Settings that decide, besides the rules, when jobs start',
  {
    working_hours: nullable(Type.Object(workingHours, { additionalProperties: false, description: hoursDescription })),
    ...heating,
    time_zone: Type.String({ description: "The account's time zone, such as `Europe/Berlin`" }),
  },
)

export const ChangeSettingsBody = request(
  {
    working_hours: Type.Optional(nullable(request(workingHours, { description: hoursDescription }))),
    heating_at_once: Type.Optional(heating.heating_at_once),
    heating_gap_seconds: Type.Optional(heating.heating_gap_seconds),
  },
  { minProperties: 1 },
)
export type ChangeSettingsBody = Static<typeof ChangeSettingsBody>

export function presentSettings(row: SettingsRow): Static<typeof SchedulerSettings> {
  const { working_days: days, working_from: from, working_to: to } = row
  return {
    working_hours: days && from !== null && to !== null ? { days, from, to } : null,
    heating_at_once: row.heating_at_once,
    heating_gap_seconds: row.heating_gap_seconds,
    time_zone: row.time_zone,
  }
}
