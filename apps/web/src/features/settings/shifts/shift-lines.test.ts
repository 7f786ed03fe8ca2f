import { expect, test } from 'vitest'
import { daysInWords, linesOf, shiftsOf } from './shift-lines.ts'

const early = (day: number) => ({ day, from: '06:00', to: '14:00' })
const night = { day: 5, from: '22:00', to: '06:00' }

test('shifts of the same times are one line of the form, and come back as they were', () => {
  const shifts = [early(1), early(2), night]
  expect(linesOf(shifts)).toEqual([
    { days: ['1', '2'], from: '06:00', to: '14:00' },
    { days: ['5'], from: '22:00', to: '06:00' },
  ])
  expect(shiftsOf(linesOf(shifts))).toEqual(shifts)
})

test('the same shift in two lines is one', () => {
  const line = { days: ['1'], from: '06:00', to: '14:00' }
  expect(shiftsOf([line, { ...line, days: ['1', '2'] }])).toEqual([early(1), early(2)])
})

test.each([
  [['1', '2', '3', '4', '5'], 'Mon–Fri'],
  [['2', '4'], 'Tue, Thu'],
  [['6', '7'], 'Sat, Sun'],
  [['1', '2', '4'], 'Mon, Tue, Thu'],
  [[], ''],
])('%j are told as %s', (days, words) => {
  expect(daysInWords(days)).toBe(words)
})
