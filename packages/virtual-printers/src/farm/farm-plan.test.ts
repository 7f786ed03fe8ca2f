import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawFarm } from './farm-plan.ts'
import { drawFailure, drawHandPrints, drawReaction, peopleAt } from './floor-life.ts'

const size = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  printers: fc.integer({ min: 1, max: 250 }),
  hours: fc.integer({ min: 1, max: 30 }),
})

test('the same seed gives the same farm, another seed another one', () => {
  const farm = { printers: 40, hours: 24 }
  expect(drawFarm({ ...farm, seed: 7 })).toEqual(drawFarm({ ...farm, seed: 7 }))
  expect(drawFarm({ ...farm, seed: 8 })).not.toEqual(drawFarm({ ...farm, seed: 7 }))
})

test('whatever the size, everything ordered can be printed on some printer of the farm, and comes within the day', () => {
  fc.assert(
    fc.property(size, (farm) => {
      const { printers, orders, seconds, hubs } = drawFarm(farm)
      expect(printers).toHaveLength(farm.printers)
      expect(new Set(printers.map(({ name }) => name)).size).toBe(farm.printers)
      expect(printers.every(({ hub }) => hub >= 0 && hub < hubs)).toBe(true)
      const kinds = new Set(printers.map(({ model, nozzle }) => `${model} ${nozzle}`))
      for (const { arrivesAt, dueAt, lines } of orders) {
        expect(arrivesAt).toBeGreaterThanOrEqual(0)
        expect(arrivesAt).toBeLessThan(seconds)
        for (const { file, plates } of lines) {
          expect(kinds).toContain(`${file.model} ${file.nozzle}`)
          expect(dueAt - arrivesAt).toBeGreaterThan(file.printSeconds * plates)
          expect(file.grams).toBeLessThan(1_000)
        }
      }
      const names = orders.flatMap(({ lines }) => lines.map(({ name }) => name))
      expect(new Set(names).size).toBe(names.length)
    }),
    { numRuns: 40 },
  )
})

test('what is ordered is the wanted share of what the printers could do', () => {
  const { orders, seconds } = drawFarm({ seed: 3, printers: 200, hours: 24, load: 0.5 })
  const work = orders
    .flatMap(({ lines }) => lines)
    .reduce((sum, { file, plates }) => sum + file.printSeconds * plates, 0)
  expect(work / (200 * seconds)).toBeCloseTo(0.5, 1)
})

test('more is ordered at the rush hours than at night', () => {
  const { orders } = drawFarm({ seed: 1, printers: 300, hours: 24 })
  const arrivedIn = (from: number, to: number) =>
    orders.filter(({ arrivesAt }) => arrivesAt > from * 3_600 && arrivesAt <= to * 3_600).length
  // The day begins at six: 9 to 11 o'clock, and 2 to 4 at night.
  expect(arrivedIn(3, 5)).toBeGreaterThan(3 * arrivedIn(20, 22))
})

test('no one is there at night', () => {
  const { shifts } = drawFarm({ seed: 1, printers: 300, hours: 24 })
  expect([0, 7.9, 8, 15.9, 16, 23.9].map((hour) => peopleAt(shifts, hour * 3_600))).toEqual([6, 6, 6, 6, 0, 0])
})

test('a few prints fail, the same ones, no matter who plans', () => {
  const fates = Array.from({ length: 4_000 }, (_, tries) => drawFailure({ seed: 5 }, 'job-0001', tries))
  const failed = fates.filter((fate) => fate !== null)
  expect(failed.length / fates.length).toBeGreaterThan(0.015)
  expect(failed.length / fates.length).toBeLessThan(0.06)
  expect(failed.every((part) => part > 0 && part < 1)).toBe(true)
  expect(Array.from({ length: 4_000 }, (_, tries) => drawFailure({ seed: 5 }, 'job-0001', tries))).toEqual(fates)
})

test('each printer has one print by hand in each shift, at a time of its own', () => {
  const plan = drawFarm({ seed: 1, printers: 20, hours: 24 })
  const drawn = plan.printers.map((printer) => drawHandPrints(plan, printer))
  for (const prints of drawn) {
    expect(prints).toHaveLength(2)
    for (const [index, { at }] of prints.entries()) {
      expect(at).toBeGreaterThanOrEqual(plan.shifts[index]?.from ?? 0)
      expect(at).toBeLessThan(plan.shifts[index]?.to ?? 0)
    }
  }
  expect(new Set(drawn.flat().map(({ at }) => at)).size).toBe(40)
})

test('a person notices after a while, now and then after a long one', () => {
  const waits = Array.from({ length: 1_000 }, (_, visits) => drawReaction({ seed: 5 }, 'P001', visits))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0)
  expect(waits.reduce((sum, wait) => sum + wait, 0) / waits.length).toBeCloseTo(240, -2)
  expect(Math.max(...waits)).toBeGreaterThan(900)
})
