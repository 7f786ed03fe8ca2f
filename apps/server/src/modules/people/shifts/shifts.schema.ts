import Type, { type Static } from 'typebox'
import { nullable, oneOf, request, resource, timestamp } from '../../../http/schema.ts'
import { roles } from '../../../kernel/policy.ts'
import { onShiftUntil, recipientsAt } from './on-shift.ts'
import type { RosteredMember } from './shifts.queries.ts'

/** Three shifts on each day of the week. */
const mostShifts = 21

const clock = (description: string, example: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: [example] })

const shift = Type.Object(
  {
    day: Type.Integer({ minimum: 1, maximum: 7, description: 'The day on which it begins; 1 is Monday' }),
    from: clock('Start, by the clock of the account', '22:00'),
    to: clock('End; on the next day when it is not later than `from`', '06:00'),
  },
  { additionalProperties: false },
)

const weekly = Type.Array(shift, {
  maxItems: mostShifts,
  uniqueItems: true,
  description: 'The shifts of each week',
  examples: [[{ day: 5, from: '22:00', to: '06:00' }]],
})

export const ShiftsBody = request({ shifts: weekly })

export const SwitchBody = request({
  is_on: Type.Boolean({ description: 'Whether the person is on shift, overriding their week' }),
  until: Type.String({
    format: 'date-time',
    description: 'Time from which the week applies again; within seven days',
    examples: ['2026-11-20T22:00:00.000Z'],
  }),
})

export const ShiftsOfMember = resource('ShiftsOfMember', 'Shifts of a member', {
  member_id: Type.String({ description: 'ID of the membership', examples: ['mem_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  user_id: Type.String({ description: 'ID of the person' }),
  name: Type.String({ description: 'Name as the person gave it; empty when none was given' }),
  role: oneOf(roles, { description: 'Role of the person; who may not act is not told' }),
  shifts: weekly,
  switched_on: nullable(
    Type.Boolean({
      description: 'Override of the week: true for on shift; null when nothing is overridden',
    }),
  ),
  switched_until: nullable(timestamp('Time from which the week applies again; null when nothing is overridden')),
  on_shift_until: nullable(timestamp('Until when they are on shift now; null when they are not')),
})

export const Shifts = resource('Shifts', 'Members on shift, and all shifts', {
  time_zone: Type.String({ description: 'Time zone in which shifts begin and end', examples: ['Europe/Berlin'] }),
  told: oneOf(['on_shift', 'none_on_shift', 'no_shifts'] as const, {
    description:
      'Receivers now of rules that tell those on shift: `on_shift` those on shift, `none_on_shift` owners and admins, `no_shifts` all who may act',
  }),
  told_user_ids: Type.Array(Type.String(), {
    description: 'IDs of these people',
    examples: [['usr_01kaxq3v7m2e8h5t9w4c6y0b1d']],
  }),
  members: Type.Array(ShiftsOfMember, { description: 'Members, those who joined first first' }),
})

export function presentMemberShifts(
  member: RosteredMember,
  timeZone: string,
  now: Date,
): Static<typeof ShiftsOfMember> {
  const { memberId, userId, name, role, weekly: shifts, switched } = member
  const live = switched !== null && now < switched.until ? switched : null
  return {
    member_id: memberId,
    user_id: userId,
    name,
    role,
    shifts: shifts.map(({ day, from, to }) => ({ day, from, to })),
    switched_on: live?.isOn ?? null,
    switched_until: live?.until.toISOString() ?? null,
    on_shift_until: onShiftUntil(member, timeZone, now)?.toISOString() ?? null,
  }
}

export function presentShifts(members: readonly RosteredMember[], timeZone: string, now: Date): Static<typeof Shifts> {
  const { userIds, why } = recipientsAt(members, timeZone, now)
  return {
    time_zone: timeZone,
    told: why,
    told_user_ids: [...userIds],
    members: members.map((member) => presentMemberShifts(member, timeZone, now)),
  }
}
