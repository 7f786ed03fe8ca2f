import { expect, test } from 'vitest'
import { isLong, listProgramTests, restingFiles } from './long-files.mjs'

const files = listProgramTests()
const playedOn = (day: number) => {
  const resting = new Set(restingFiles(files, day))
  return files.filter((file) => !resting.has(file))
}

test('three days in turn play every file, and no day plays all', () => {
  expect(files.length).toBeGreaterThan(300)
  for (const first of [20_000, 20_001, 20_002]) {
    const days = [0, 1, 2].map((later) => playedOn(first + later))
    expect([...new Set(days.flat())].sort()).toEqual(files)
    for (const played of days) expect(played.length).toBeLessThan(files.length)
  }
})

test('each walk has one day of three, and everything else all of them', () => {
  const daysOf = new Map(files.map((file) => [file, [0, 1, 2].filter((day) => playedOn(day).includes(file)).length]))
  expect(new Set(daysOf.values())).toEqual(new Set([1, 3]))
  const always = files.filter((file) => daysOf.get(file) === 3)
  for (const file of [
    'e2e/faults/service-killed.system.test.ts',
    'e2e/fault-runs/fault-runs.system.test.ts',
    'e2e/farm/first-print.system.test.ts',
    'e2e/farm/resume-matrix.system.test.ts',
    'e2e/cluster/cluster-storm.system.test.ts',
    'e2e/browser/order-to-parcel.system.test.ts',
    'apps/server/src/modules/scheduler/scheduler.system.test.ts',
  ]) {
    expect(always).toContain(file)
  }
})

test('the days are about as long', () => {
  const walked = [0, 1, 2].map((day) => playedOn(day).filter(isLong).length)
  expect(Math.max(...walked) / Math.min(...walked)).toBeLessThan(1.5)
})
