import { expect, test } from 'vitest'
import { addSample, describeHistory, type TemperatureSample } from './temperature-history.ts'

const sample = (atMs: number, nozzle: number | null, bed: number | null = 60): TemperatureSample => ({
  ...{ atMs, nozzle, bed, chamber: null, nozzleTarget: 0, bedTarget: 0 },
})

test('a later value of the same second takes the place of the earlier one', () => {
  const history = [sample(1_000, 20), sample(1_900, 21), sample(2_000, 22)].reduce(addSample, [] as TemperatureSample[])
  expect(history.map(({ nozzle }) => nozzle)).toEqual([21, 22])
})

test('an hour is kept, and no more', () => {
  let history: TemperatureSample[] = Array.from({ length: 3_600 }, (_, second) => sample(second * 1_000, second))
  history = addSample(history, sample(3_600_000, 1))
  expect([history.length, history[0]?.nozzle]).toEqual([3_600, 1])
})

test('the chart can be read as a sentence', () => {
  expect(describeHistory([sample(0, 25), sample(1_000, 214.6)])).toBe(
    'Nozzle 215 °C, between 25 and 215 °C; bed 60 °C, unchanged.',
  )
  expect(describeHistory([])).toBe('No temperature is known yet.')
})
