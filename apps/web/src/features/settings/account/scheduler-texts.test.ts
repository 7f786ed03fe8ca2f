import { expect, test } from 'vitest'
import { readScheduler, writeScheduler } from './scheduler-texts.ts'

const settings = {
  working_hours: { days: [1, 2, 6], from: '08:30', to: '24:00' },
  heating_at_once: 3,
  heating_gap_seconds: null,
  time_zone: 'Europe/Berlin',
}

test('what was read is written as it was', () => {
  const { time_zone: _, ...written } = settings
  expect(writeScheduler(readScheduler(settings))).toEqual(written)
})

test('without working hours none are written, whatever stands in the fields', () => {
  expect(writeScheduler({ ...readScheduler(settings), hasHours: false }).working_hours).toBeNull()
})

test('days stand in the order of the week, and an hour alone is a full hour', () => {
  const texts = { ...readScheduler(settings), days: ['7', '2'], from: '8', to: '9:15' }
  expect(writeScheduler(texts).working_hours).toEqual({ days: [2, 7], from: '08:00', to: '09:15' })
})
