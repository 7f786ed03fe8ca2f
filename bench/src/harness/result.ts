import type { ServerFigures } from './load.ts'
import type { MemoryFigures } from './process-figures.ts'

interface Goal {
  figure: string
  /** In words, such as `≥ 0.75`. */
  goal: string
  value: number | null
  /** Null when the figure could not be had on this machine. */
  is_met: boolean | null
}

export interface BenchmarkResult {
  name: string
  goals: Goal[]
  servers?: ServerFigures[]
  memory?: Record<string, MemoryFigures | null>
  /** What it takes, in ms, where no goal is set. */
  times_ms?: Record<string, number>
  /** Figures of several ways to do the same, as text: way → figure → value. */
  compared?: Record<string, Record<string, string>>
}

interface BenchmarkOptions {
  /** How long a benchmark goes on that has no end of its own. */
  minutes?: number
}

export interface Benchmark {
  name: string
  /** What is measured, in one line. */
  what: string
  run(scope: AsyncDisposableStack, options: BenchmarkOptions): Promise<BenchmarkResult>
}

export function atLeast(figure: string, value: number | null, limit: number): Goal {
  return { figure, goal: `≥ ${limit}`, value: rounded(value), is_met: value === null ? null : value >= limit }
}

export function lessThan(figure: string, value: number | null, limit: number): Goal {
  return { figure, goal: `< ${limit}`, value: rounded(value), is_met: value === null ? null : value < limit }
}

export function atMost(figure: string, value: number | null, limit: number): Goal {
  return { figure, goal: `≤ ${limit}`, value: rounded(value), is_met: value === null ? null : value <= limit }
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000)
