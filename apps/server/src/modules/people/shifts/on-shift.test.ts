import { describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { onShiftUntil, recipientsAt, type Shift, type ShiftMember } from './on-shift.ts'

const berlin = 'Europe/Berlin'
const buildMember = (weekly: Shift[] = [], role: Role = 'operator', switched: ShiftMember['switched'] = null) => ({
  userId: newId('user'),
  role,
  weekly,
  switched,
})
const until = (weekly: Shift[], at: string, switched: ShiftMember['switched'] = null) =>
  onShiftUntil(buildMember(weekly, 'operator', switched), berlin, new Date(at))?.toISOString()

// 20 November 2026 is a Friday.
const fridayNight: Shift = { day: 5, from: '22:00', to: '06:00' }

describe('a shift', () => {
  test('passes midnight, and belongs to the day on which it begins', () => {
    expect(until([fridayNight], '2026-11-20T20:59:59Z')).toBeUndefined()
    expect(until([fridayNight], '2026-11-20T21:00:00Z')).toBe('2026-11-21T05:00:00.000Z')
    expect(until([fridayNight], '2026-11-21T01:00:00Z')).toBe('2026-11-21T05:00:00.000Z')
    expect(until([fridayNight], '2026-11-21T05:00:00Z')).toBeUndefined()
    // The night before is another one.
    expect(until([fridayNight], '2026-11-20T01:00:00Z')).toBeUndefined()
  })

  test('of Sunday night goes on into Monday, and one that ends at midnight does not', () => {
    expect(until([{ day: 7, from: '22:00', to: '06:00' }], '2026-11-23T04:59:00Z')).toBe('2026-11-23T05:00:00.000Z')
    const evening: Shift = { day: 7, from: '18:00', to: '00:00' }
    expect(until([evening], '2026-11-22T22:59:00Z')).toBe('2026-11-22T23:00:00.000Z')
    expect(until([evening], '2026-11-22T23:00:00Z')).toBeUndefined()
  })

  test('from a time to the same time is a whole day', () => {
    const day: Shift = { day: 5, from: '08:00', to: '08:00' }
    expect(until([day], '2026-11-20T07:00:00Z')).toBe('2026-11-21T07:00:00.000Z')
    expect(until([day], '2026-11-21T06:59:00Z')).toBe('2026-11-21T07:00:00.000Z')
    expect(until([day], '2026-11-21T07:00:00Z')).toBeUndefined()
  })

  test('keeps its times when the clock is set: the night is an hour longer or shorter', () => {
    const saturdayNight: Shift = { day: 6, from: '22:00', to: '06:00' }
    // Back on 25 October 2026, forward on 28 March 2027.
    expect(until([saturdayNight], '2026-10-24T20:00:00Z')).toBe('2026-10-25T05:00:00.000Z')
    expect(until([saturdayNight], '2026-10-25T00:30:00Z')).toBe('2026-10-25T05:00:00.000Z')
    expect(until([saturdayNight], '2026-10-25T01:30:00Z')).toBe('2026-10-25T05:00:00.000Z')
    expect(until([saturdayNight], '2026-10-25T05:00:00Z')).toBeUndefined()
    expect(until([saturdayNight], '2027-03-27T21:00:00Z')).toBe('2027-03-28T04:00:00.000Z')
    expect(until([saturdayNight], '2027-03-28T04:00:00Z')).toBeUndefined()
  })

  test('that begins in an hour which the clock leaves out begins after it', () => {
    const early: Shift = { day: 7, from: '02:30', to: '05:00' }
    expect(until([early], '2027-03-28T00:59:00Z')).toBeUndefined()
    expect(until([early], '2027-03-28T01:00:00Z')).toBe('2027-03-28T03:00:00.000Z')
  })

  test('overlaps or follows another: together they end with the last', () => {
    const days: Shift[] = [
      { day: 5, from: '08:00', to: '14:00' },
      { day: 5, from: '12:00', to: '18:00' },
      { day: 5, from: '18:00', to: '22:00' },
      fridayNight,
    ]
    expect(until(days, '2026-11-20T07:00:00Z')).toBe('2026-11-21T05:00:00.000Z')
  })

  test('of every hour of the week ends by no time, and is told for a week', () => {
    const always = [1, 2, 3, 4, 5, 6, 7].map((day): Shift => ({ day, from: '00:00', to: '00:00' }))
    expect(until(always, '2026-11-20T12:00:00Z')).toBe('2026-11-27T23:00:00.000Z')
  })
})

describe('the switch', () => {
  const at = '2026-11-20T12:00:00Z'
  test('counts at once and ends by itself, in favour of the week', () => {
    const on = { isOn: true, until: new Date('2026-11-20T21:30:00Z') }
    expect(until([], at, on)).toBe('2026-11-20T21:30:00.000Z')
    expect(until([], '2026-11-20T21:30:00Z', on)).toBeUndefined()
    expect(until([fridayNight], at, on)).toBe('2026-11-21T05:00:00.000Z')
  })

  test('takes a member off a shift of their week', () => {
    const off = { isOn: false, until: new Date('2026-11-20T23:00:00Z') }
    expect(until([fridayNight], '2026-11-20T22:00:00Z', off)).toBeUndefined()
    expect(until([fridayNight], '2026-11-20T23:00:00Z', off)).toBe('2026-11-21T05:00:00.000Z')
  })
})

describe('who is told', () => {
  const atNight = new Date('2026-11-21T01:00:00Z')
  const atNoon = new Date('2026-11-21T11:00:00Z')
  const owner = buildMember([], 'owner')
  const admin = buildMember([], 'admin')
  const worker = buildMember([fridayNight])
  const other = buildMember([])
  const viewer = buildMember([fridayNight], 'viewer')
  const told = (members: ShiftMember[], at: Date) => {
    const { userIds, why } = recipientsAt(members, berlin, at)
    return [why, members.filter(({ userId }) => userIds.has(userId))]
  }

  test('is who is on shift, all of them and no one else', () => {
    const second = buildMember([fridayNight])
    expect(told([owner, admin, worker, second, other], atNight)).toEqual(['on_shift', [worker, second]])
  })

  test('is every owner and admin at once while no one who may act is on shift', () => {
    expect(told([owner, admin, worker, other], atNoon)).toEqual(['none_on_shift', [owner, admin]])
    expect(told([owner, viewer, worker], atNoon)).toEqual(['none_on_shift', [owner]])
  })

  test('is all who may act in an account without shifts; those of viewers are none', () => {
    expect(told([owner, admin, other, viewer], atNight)).toEqual(['no_shifts', [owner, admin, other]])
  })

  test('follows the switch, also where the account has no shifts', () => {
    const later = new Date('2026-11-21T12:00:00Z')
    const on = buildMember([], 'operator', { isOn: true, until: later })
    const off = buildMember([], 'operator', { isOn: false, until: later })
    expect(told([owner, other, on], atNight)).toEqual(['on_shift', [on]])
    expect(told([owner, other, on], later)).toEqual(['no_shifts', [owner, other, on]])
    expect(told([owner, other, off], atNight)).toEqual(['no_shifts', [owner, other]])
    const alone = buildMember([], 'owner', { isOn: false, until: later })
    expect(told([alone], atNight)).toEqual(['none_on_shift', [alone]])
  })
})
