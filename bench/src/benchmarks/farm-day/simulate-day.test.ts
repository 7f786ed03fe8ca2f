import { periodCauses } from '@printyard/server/modules/timeline/period-cause'
import { drawFarm } from '@printyard/virtual-printers/farm/farm-plan'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAgenda } from './agenda.ts'
import { figuresOf } from './day-figures.ts'
import { firstInFirstOut, type Policy, printyard } from './policies.ts'
import { type DayEnd, simulateDay } from './simulate-day.ts'

const policies: [string, () => Policy][] = [
  ['printyard', printyard],
  ['first in, first out', () => firstInFirstOut({ prefersLoaded: false })],
  ['first in, first out, what is loaded first', () => firstInFirstOut({ prefersLoaded: true })],
]
const farms = fc.record({
  seed: fc.nat(1_000_000),
  printers: fc.integer({ min: 1, max: 12 }),
  hours: fc.integer({ min: 1, max: 26 }),
  load: fc.constantFrom(0.2, 0.8, 2),
})

function jobsByStatus({ day }: DayEnd): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(day.jobs, ({ status }) => status)).map(([status, jobs]) => [
      status,
      jobs?.length ?? 0,
    ]),
  )
}

describe.each(policies)('whatever the farm, under %s', (_name, policy) => {
  test('nothing starts where it cannot, and every job is printed, printing or waiting', () => {
    fc.assert(
      fc.property(farms, (size) => {
        const plan = drawFarm(size)
        // A start that hands could not make throws.
        const end = simulateDay(plan, policy())
        const lines = plan.orders.flatMap(({ lines }) => lines)
        expect(end.day.jobs.map(({ line }) => line)).toEqual(lines)
        const held = end.day.printers.filter(({ job }) => job)
        expect(new Set(held.map(({ job }) => job)).size).toBe(held.length)
        expect(jobsByStatus(end).printing ?? 0).toBe(held.length)
        expect(jobsByStatus(end).failed ?? 0).toBe(end.day.printers.filter(({ spoilt }) => spoilt).length)
        expect(end.plates).toBe(end.day.jobs.reduce((sum, { facts }) => sum + facts.plates_done, 0))
        for (const { facts, line, status } of end.day.jobs) {
          expect(status === 'completed').toBe(facts.plates_done === line.plates)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('the causes of each printer sum to the time that passed', () => {
    fc.assert(
      fc.property(farms, (size) => {
        const plan = drawFarm(size)
        const { day } = simulateDay(plan, policy())
        for (const { time } of day.printers) {
          expect([...time.seconds.values()].reduce((sum, seconds) => sum + seconds, 0)).toBe(plan.seconds)
        }
      }),
      { numRuns: 15 },
    )
  })

  test('the same seed gives the same day', () => {
    const day = () => figuresOf(simulateDay(drawFarm({ seed: 11, printers: 25, hours: 24 }), policy()))
    expect(day()).toEqual(day())
  })
})

test('with its own rules the farm prints more than first in, first out on the same day, and is late less often', () => {
  const plan = drawFarm({ seed: 2, printers: 60, hours: 24 })
  const own = figuresOf(simulateDay(plan, printyard()))
  const fifo = figuresOf(simulateDay(plan, firstInFirstOut({ prefersLoaded: false })))
  expect(own.plates).toBeGreaterThan(fifo.plates)
  expect(own.late_orders).toBeLessThan(fifo.late_orders)
  expect(own.filament_changes).toBeLessThan(fifo.filament_changes)
})

test('the figures count all minutes of all printers', () => {
  const { minutes } = figuresOf(simulateDay(drawFarm({ seed: 4, printers: 20, hours: 10 }), printyard()))
  expect(periodCauses.reduce((sum, cause) => sum + minutes[cause], 0)).toBeCloseTo(20 * 600, 6)
})

test('the agenda keeps the order of time, and of what was added first at one moment', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (moments) => {
      const agenda = createAgenda()
      const happened: [number, number][] = []
      for (const [index, at] of moments.entries()) agenda.add(at, () => happened.push([at, index]))
      for (let next = agenda.next(); next; next = agenda.next()) for (const happens of next.what) happens()
      expect(happened).toEqual(
        moments.map((at, index): [number, number] => [at, index]).sort((a, b) => a[0] - b[0] || a[1] - b[1]),
      )
    }),
  )
})
