import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { expect, test } from 'vitest'
import { runFarmDay } from './farm-day.ts'

test('a morning of 24 printers on three hubs, with a print by hand at each: no start on anything, no attempt twice, no job lost, no minute unexplained', async () => {
  const { wrong, figures, floor, starts } = await runFarmDay({
    seed: 3,
    printers: 24,
    hours: 2,
    hubs: 3,
    load: 3,
    speed: 600,
    fewestCleared: 3,
    dataDir: temporaryDirectory(),
    say: () => undefined,
  })
  expect(wrong).toEqual([])
  expect(starts.onOccupiedPlate).toBe(0)
  expect(starts.byHand).toBeGreaterThanOrEqual(12)
  expect(figures.jobs_failed + figures.jobs_waiting + figures.jobs_completed).toBeGreaterThan(0)
  expect(figures.plates).toBeGreaterThan(0)
  expect(floor.cleared).toBeGreaterThanOrEqual(3)
  // Each cause is rounded by itself.
  const explained = Object.values(figures.minutes).reduce((sum, minutes) => sum + minutes, 0)
  expect(Math.abs(explained - figures.wall_minutes)).toBeLessThanOrEqual(Object.keys(figures.minutes).length)
}, 300_000)
