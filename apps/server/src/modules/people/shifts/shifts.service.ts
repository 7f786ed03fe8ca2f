import { isDeepStrictEqual } from 'node:util'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import type { MemberId } from '../../../kernel/ids.ts'
import { isAtLeast } from '../../../kernel/policy.ts'
import type { Work } from '../../events/work.ts'
import { findRoleHeld } from '../accounts/members.queries.ts'
import type { Shift } from './on-shift.ts'
import { listRoster, type RosteredMember, setSwitch, setWeekly } from './shifts.queries.ts'

const longestSwitchMs = 7 * 24 * 3_600_000

/** Sets the week of a member: their own, or as one who runs the account. @throws AppError `NOT_FOUND`, `FORBIDDEN` */
export async function changeShifts(
  work: Work,
  person: Person,
  memberId: MemberId,
  weekly: readonly Shift[],
): Promise<RosteredMember> {
  const member = await getRostered(work, memberId)
  await requireMayChange(work, person, member)
  return setShifts(work, member, weekly)
}

/** The same by the service itself. */
export async function setShifts(work: Work, member: RosteredMember, weekly: readonly Shift[]): Promise<RosteredMember> {
  const sorted = weekly.toSorted((one, other) => one.day - other.day || one.from.localeCompare(other.from))
  if (isDeepStrictEqual(sorted, member.weekly)) return member
  await setWeekly(work, member.userId, sorted)
  await work.record({
    type: 'member.shifts_changed',
    subjectId: member.memberId,
    data: { user_id: member.userId, shifts: sorted.length },
  })
  return { ...member, weekly: sorted }
}

/** Says that the person is on shift, or is not, until a moment; null lets their week count again. */
export async function switchShift(
  work: Work,
  person: Person,
  to: { isOn: boolean; until: Date } | null,
): Promise<RosteredMember> {
  const { sql, accountId, now } = work
  if (to && (to.until <= now || to.until.getTime() - now.getTime() > longestSwitchMs)) {
    throw validationError({ until: ['must be within the next seven days'] })
  }
  await findRoleHeld(sql, accountId, person.userId)
  const member = (await listRoster(sql, accountId)).find(({ userId }) => userId === person.userId)
  if (!member) throw notFound('member')
  const live = member.switched !== null && now < member.switched.until ? member.switched : null
  if (live === to || (live && to && live.isOn === to.isOn && live.until.getTime() === to.until.getTime())) return member
  await setSwitch(work, person.userId, to)
  await work.record({
    type: 'member.on_shift_changed',
    subjectId: member.memberId,
    data: { user_id: member.userId, is_on: to?.isOn ?? null, until: to?.until.toISOString() ?? null },
  })
  return { ...member, switched: to }
}

/** @throws AppError `NOT_FOUND` */
export async function getRostered({ sql, accountId }: Pick<Work, 'sql' | 'accountId'>, memberId: MemberId) {
  const [member] = await listRoster(sql, accountId, memberId)
  if (!member) throw notFound('member')
  return member
}

async function requireMayChange({ sql, accountId }: Work, person: Person, member: RosteredMember): Promise<void> {
  const own = await findRoleHeld(sql, accountId, person.userId)
  if (member.userId === person.userId || (own && isAtLeast(own, 'admin'))) return
  throw new AppError('FORBIDDEN', { action: 'change the shifts of others' })
}
