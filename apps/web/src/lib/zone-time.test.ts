import { expect, test } from 'vitest'
import { fromZoneTime, toZoneTime } from './zone-time.ts'

const zone = 'Europe/Berlin'

test.each([
  ['in winter', '2026-01-15T13:30:00Z', '2026-01-15T14:30'],
  ['in summer', '2026-07-15T12:30:00Z', '2026-07-15T14:30'],
  ['over midnight', '2026-07-15T23:30:00Z', '2026-07-16T01:30'],
])('a moment %s reads as the clock of the zone, and back', (_, iso, text) => {
  expect(toZoneTime(Date.parse(iso), zone)).toBe(text)
  expect(fromZoneTime(text, zone)).toBe(Date.parse(iso))
})

test('an hour that the clock leaves out becomes the next one, one it repeats is the first', () => {
  expect(fromZoneTime('2026-03-29T02:30', zone)).toBe(Date.parse('2026-03-29T01:30:00Z'))
  expect(fromZoneTime('2026-10-25T02:30', zone)).toBe(Date.parse('2026-10-25T00:30:00Z'))
})

test('what is no date and time is told apart', () => {
  expect([fromZoneTime('', zone), fromZoneTime('2026-99-99T10:00', zone)]).toEqual([undefined, undefined])
})
