import { drawFarm } from '@printyard/virtual-printers/farm/farm-plan'
import { atMost, type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'
import { type DayFigures, figuresOf } from './farm-day/day-figures.ts'
import { firstInFirstOut, printyard } from './farm-day/policies.ts'
import { simulateDay } from './farm-day/simulate-day.ts'

const printers = 300
const hours = 24
const seeds = [1, 2, 3, 4, 5]

const policies = {
  printyard,
  fifo: () => firstInFirstOut({ prefersLoaded: false }),
  'fifo, loaded first': () => firstInFirstOut({ prefersLoaded: true }),
}

/** Figures of a kind, one for each seed. */
type Series = Record<string, number[]>

export const farmDay: Benchmark = {
  name: 'farm-day',
  what: `${printers} simulated printers for ${hours} hours, seeds ${seeds.join(', ')}: the scheduler beside first in, first out`,
  async run() {
    const startedAt = performance.now()
    const plans = seeds.map((seed) => drawFarm({ seed, printers, hours }))
    const series = Object.fromEntries(
      Object.entries(policies).map(([name, policy]) => [
        name,
        gather(plans.map((plan) => figuresOf(simulateDay(plan, policy())))),
      ]),
    )
    const ratio = (figure: string) =>
      median(
        (series.printyard?.[figure] ?? []).map((own, index) => own / (series.fifo?.[figure]?.[index] ?? Number.NaN)),
      )
    return {
      name: 'farm-day',
      compared: Object.fromEntries(Object.entries(series).map(([name, figures]) => [name, shown(figures)])),
      times_ms: { 'all days': Math.round(performance.now() - startedAt) },
      goals: [
        atMost('late orders, as a share of those of fifo', ratio('late orders'), 0.5),
        lessThan('filament changes, as a share of those of fifo', ratio('filament changes'), 1),
        lessThan('idle time, as a share of that of fifo', ratio('idle minutes'), 1),
      ],
    }
  },
}

function gather(days: readonly DayFigures[]): Series {
  const series: Series = {}
  const add = (name: string, value: number) => {
    series[name] ??= []
    series[name].push(value)
  }
  for (const { minutes, ...figures } of days) {
    for (const [name, value] of Object.entries(figures)) add(name.replaceAll('_', ' '), value)
    const { printing, transferring, ...idle } = minutes
    add(
      'idle minutes',
      Object.values(idle).reduce((sum, each) => sum + each, 0),
    )
    for (const [cause, value] of Object.entries(minutes)) add(`minutes: ${cause}`, value)
  }
  return series
}

/** The median and, in brackets, the least and the most of all seeds. Figures that are never anything but 0 are left out. */
function shown(series: Series): Record<string, string> {
  const text = (value: number) => (Math.abs(value) < 10 ? value.toFixed(2) : String(Math.round(value)))
  return Object.fromEntries(
    Object.entries(series)
      .filter(([, values]) => values.some((value) => value !== 0))
      .map(([name, values]) => [
        name,
        `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`,
      ]),
  )
}
