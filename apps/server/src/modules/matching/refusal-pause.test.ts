import { expect, test } from 'vitest'
import { jobPausedUntil, printerPausedUntil } from './refusal-pause.ts'

const lastAt = new Date('2026-11-16T12:00:00Z')
const pauseSeconds = (count: number) =>
  ((printerPausedUntil({ count, lastAt, reason: 'PRINTER_REFUSED' })?.getTime() ?? 0) - lastAt.getTime()) / 1000

test('each refusal in a row doubles the pause, up to ten minutes', () => {
  expect([1, 2, 3, 7, 8, 60, 2000].map(pauseSeconds)).toEqual([5, 10, 20, 320, 600, 600, 600])
})

test('without a refusal there is no pause', () => {
  expect(printerPausedUntil(undefined)).toBeNull()
})

test('a job is forgiven two refusals, for they may be the printers', () => {
  const ofJob = (count: number) => jobPausedUntil({ count, lastAt, reason: 'PRINTER_REFUSED' })
  expect([ofJob(1), ofJob(2)]).toEqual([null, null])
  expect(ofJob(3)).toEqual(new Date('2026-11-16T12:00:05Z'))
})
