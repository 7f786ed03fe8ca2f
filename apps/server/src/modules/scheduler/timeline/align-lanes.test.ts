import { expect, test } from 'vitest'
import type { JobId, PrinterId } from '../../../kernel/ids.ts'
import { alignLanes } from './align-lanes.ts'

const at = (minute: number) => new Date(minute * 60_000)
const drawn = (id: string, printerId: string | null, [start, p50, p90]: number[], isRunning = false) => ({
  row: { id: id as JobId },
  printerId: printerId as PrinterId | null,
  isRunning,
  startsAt: start === undefined ? null : at(start),
  p50: p50 === undefined ? null : at(p50),
  p90: p90 === undefined ? null : at(p90),
})
const forecastOf = (...rows: [id: string, p50: number, p90: number][]) =>
  new Map(rows.map(([id, p50, p90]) => [id as JobId, { p50_at: at(p50), p90_at: at(p90) }]))
const minutesOf = (jobs: ReturnType<typeof drawn>[]) =>
  jobs.map(({ startsAt, p50, p90 }) => [startsAt, p50, p90].map((time) => time && Number(time) / 60_000))

test('what waits behind a print that ends later or earlier than was forecast moves with it', () => {
  const jobs = [
    drawn('job_0', 'prn_a', [0, 70, 90], true),
    drawn('job_1', 'prn_a', [60, 120, 160]),
    drawn('job_2', 'prn_b', [20, 50, 60]),
  ]
  expect(minutesOf(alignLanes(jobs, forecastOf(['job_0', 60, 80]), at(10)))).toEqual([
    [0, 70, 90],
    [70, 130, 170],
    [20, 50, 60],
  ])
  const [, early] = minutesOf(alignLanes(jobs, forecastOf(['job_0', 80, 100]), at(10)))
  expect(early).toEqual([50, 110, 150])
})

test('what was to start by now starts now, and all behind it on its printer moves with it', () => {
  const jobs = [
    drawn('job_1', 'prn_a', [0, 60]),
    drawn('job_2', 'prn_a', [60, 90, 100]),
    drawn('job_3', null, []),
    drawn('job_4', 'prn_b', [12, 20, 30]),
  ]
  expect(minutesOf(alignLanes(jobs, new Map(), at(10)))).toEqual([
    [10, 70, null],
    [70, 100, 110],
    [null, null, null],
    [12, 20, 30],
  ])
})
