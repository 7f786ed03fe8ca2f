import { expect, test } from 'vitest'
import { listWorkingStretches, minuteOfDay, nextWorkingMoment, type WorkingHours } from './working-hours.ts'

const office: WorkingHours = { timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], fromMinute: 480, toMinute: 1080 }
const next = (at: string, hours = office) => nextWorkingMoment(hours, new Date(at))?.toISOString()

test('inside working hours the moment itself is the next', () => {
  expect(next('2026-11-16T07:00:00.000Z')).toBe('2026-11-16T07:00:00.000Z')
  expect(next('2026-11-16T16:59:59.999Z')).toBe('2026-11-16T16:59:59.999Z')
})

test('before the opening it is the opening of that day, after the end that of the next', () => {
  expect(next('2026-11-16T06:59:59.999Z')).toBe('2026-11-16T07:00:00.000Z')
  expect(next('2026-11-16T17:00:00.000Z')).toBe('2026-11-17T07:00:00.000Z')
})

test('a weekend is left out, also where it is not Saturday by the clock of the machine', () => {
  expect(next('2026-11-20T17:00:00.000Z')).toBe('2026-11-23T07:00:00.000Z')
  expect(next('2026-11-20T23:30:00.000Z')).toBe('2026-11-23T07:00:00.000Z')
})

test('a change of the clocks in between moves the opening with them', () => {
  const sundays = { ...office, days: [7] }
  expect(next('2026-03-28T12:00:00.000Z', sundays)).toBe('2026-03-29T06:00:00.000Z')
  expect(next('2026-10-24T12:00:00.000Z', sundays)).toBe('2026-10-25T07:00:00.000Z')
})

test('one working day comes again in a week; with none there is no next moment', () => {
  expect(next('2026-11-16T17:00:00.000Z', { ...office, days: [1] })).toBe('2026-11-23T07:00:00.000Z')
  expect(next('2026-11-16T17:00:00.000Z', { ...office, days: [] })).toBeUndefined()
})

test('a day can end at midnight', () => {
  const all = { ...office, timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: minuteOfDay('24:00') }
  expect(next('2026-11-16T23:59:59.999Z', all)).toBe('2026-11-16T23:59:59.999Z')
})

test('stretches of working hours begin within one that goes on, leave out free days, and end where one asked to', () => {
  const stretches = listWorkingStretches(office, new Date('2026-11-20T15:30:00Z'), new Date('2026-11-24T08:00:00Z'))
  expect(stretches.map(({ from, to }) => [from.toISOString(), to.toISOString()])).toEqual([
    ['2026-11-20T15:30:00.000Z', '2026-11-20T17:00:00.000Z'],
    ['2026-11-23T07:00:00.000Z', '2026-11-23T17:00:00.000Z'],
    ['2026-11-24T07:00:00.000Z', '2026-11-24T08:00:00.000Z'],
  ])
  expect(listWorkingStretches({ ...office, days: [] }, new Date(0), new Date(1e12))).toEqual([])
})
