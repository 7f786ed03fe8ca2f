import type { UserId } from '../../../kernel/ids.ts'
import { canUse, isAtLeast, type Role } from '../../../kernel/policy.ts'
import { minuteOfDay, nextWorkingMoment, type WorkingHours } from '../../matching/working-hours.ts'

/** From a time of a day of the week (1 is Monday) to a time that is on the next day when it is not later: `22:00` to `06:00`. */
export interface Shift {
  day: number
  from: string
  to: string
}

/** What a member switched to by hand, instead of what their week says. */
interface Switch {
  isOn: boolean
  until: Date
}

export interface ShiftMember {
  userId: UserId
  role: Role
  weekly: readonly Shift[]
  switched: Switch | null
}

const midnight = 24 * 60

/**
 * Until when a member is on shift at a moment, over shifts that follow one another, for a week at most; undefined when they are not.
 * Times are those that the clock shows: a night in which it is set is an hour longer or shorter, and an hour that it shows twice counts
 * twice.
 */
export function onShiftUntil(member: ShiftMember, timeZone: string, at: Date): Date | undefined {
  const pieces = piecesOf(member, timeZone)
  const horizon = at.getTime() + 7 * midnight * 60_000
  let until = endAt(member.switched, pieces, at)
  while (until !== undefined && until.getTime() < horizon) {
    const further = endAt(member.switched, pieces, until)
    if (further === undefined) break
    until = further
  }
  return until
}

/** The end of what a member is on shift by at a moment; undefined when nothing says so. */
function endAt(switched: Switch | null, pieces: readonly WorkingHours[], at: Date): Date | undefined {
  if (switched && at < switched.until) return switched.isOn ? switched.until : undefined
  const ends = pieces.filter((piece) => nextWorkingMoment(piece, at) === at).map((piece) => endOf(piece, at))
  return ends.reduce<Date | undefined>((last, end) => (last && last > end ? last : end), undefined)
}

const piecesOf = ({ weekly }: ShiftMember, timeZone: string) => weekly.flatMap((shift) => daysOf(shift, timeZone))

/** A shift in parts of one day each. */
function daysOf({ day, from, to }: Shift, timeZone: string): WorkingHours[] {
  const [fromMinute, toMinute] = [minuteOfDay(from), minuteOfDay(to)]
  if (fromMinute < toMinute) return [{ timeZone, days: [day], fromMinute, toMinute }]
  const evening = { timeZone, days: [day], fromMinute, toMinute: midnight }
  const morning = { timeZone, days: [(day % 7) + 1], fromMinute: 0, toMinute }
  return toMinute === 0 ? [evening] : [evening, morning]
}

/** The end of a part in which a moment lies. */
function endOf({ timeZone, days, toMinute }: WorkingHours, at: Date): Date {
  const after =
    toMinute === midnight
      ? { timeZone, days: days.map((day) => (day % 7) + 1), fromMinute: 0, toMinute: midnight }
      : { timeZone, days, fromMinute: toMinute, toMinute: midnight }
  const end = nextWorkingMoment(after, at)
  if (end === null) throw new Error('a part of a shift has a day')
  return end
}

/** Reason why these people are told: they are on shift, no one is, or the account has no shifts. */
type WhyChosen = 'on_shift' | 'none_on_shift' | 'no_shifts'

/**
 * Answers who is told of what goes to those on shift. While no one who may act is, owners and admins are told at once, so that nothing waits
 * for a shift; without any shifts all who may act are, but for those who switched themselves off.
 */
export function recipientsAt(
  members: readonly ShiftMember[],
  timeZone: string,
  at: Date,
): { userIds: Set<UserId>; why: WhyChosen } {
  const acting = members.filter(({ role }) => canUse(role, 'write'))
  const isSwitchedOff = ({ switched }: ShiftMember) => switched !== null && at < switched.until && !switched.isOn
  const onShift = acting.filter((member) => endAt(member.switched, piecesOf(member, timeZone), at) !== undefined)
  if (onShift.length > 0) return { userIds: idsOf(onShift), why: 'on_shift' }
  const hasShifts = acting.some(({ weekly }) => weekly.length > 0)
  const available = acting.filter((member) => !isSwitchedOff(member))
  if (!hasShifts && available.length > 0) return { userIds: idsOf(available), why: 'no_shifts' }
  return { userIds: idsOf(acting.filter(({ role }) => isAtLeast(role, 'admin'))), why: 'none_on_shift' }
}

const idsOf = (members: readonly ShiftMember[]) => new Set(members.map(({ userId }) => userId))
