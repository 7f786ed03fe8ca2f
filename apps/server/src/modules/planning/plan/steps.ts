/**
 * Number of units of something that the first n units of a demand need, for each n from 1: pieces that grow evenly. A demand for a
 * million kits has as few pieces as one for two, so that no work is done unit by unit. Never falls.
 */
export type Steps = readonly Step[]

interface Step {
  /** The first n of the piece, which reaches to the next piece. */
  from: number
  /** The value there. */
  at: number
  /** What each further unit adds. */
  slope: number
}

/** Far beyond what can be made and still exact; larger values are cut to it. */
const most = 2 ** 50

/** Each unit needs one. */
export const oneEach: Steps = [{ from: 1, at: 1, slope: 1 }]
const nothing: Steps = [{ from: 1, at: 0, slope: 0 }]

export function valueAt(steps: Steps, n: number): number {
  const step = steps.findLast(({ from }) => from <= n)
  return step ? valueIn(step, n) : 0
}

function valueIn({ from, at, slope }: Step, n: number): number {
  return Math.min(most, at + slope * (n - from))
}

/** The first n at which more than `limit` is needed; infinite when that never happens. */
export function firstBeyond(steps: Steps, limit: number): number {
  for (const [index, step] of steps.entries()) {
    const end = steps[index + 1]?.from ?? Number.POSITIVE_INFINITY
    const n = step.at > limit ? step.from : step.from + stepsToPass(step, limit)
    if (n < end) return n
  }
  return Number.POSITIVE_INFINITY
}

function stepsToPass({ at, slope }: Step, limit: number): number {
  return slope === 0 ? Number.POSITIVE_INFINITY : Math.floor((limit - at) / slope) + 1
}

/** Answers what is needed beyond the first `covered` units. */
export function beyond(steps: Steps, covered: number): Steps {
  const first = firstBeyond(steps, covered)
  if (first === Number.POSITIVE_INFINITY) return nothing
  const { slope } = steps.findLast(({ from }) => from <= first)!
  const rest = steps.filter(({ from }) => from > first).map((step) => ({ ...step, at: step.at - covered }))
  const start = { from: first, at: valueAt(steps, first) - covered, slope }
  return first === 1 ? [start, ...rest] : [...nothing, start, ...rest]
}

export function times(steps: Steps, factor: number): Steps {
  return steps.map(({ from, at, slope }) => ({
    from,
    at: Math.min(most, at * factor),
    slope: Math.min(most, slope * factor),
  }))
}

export function plus(a: Steps, b: Steps): Steps {
  const starts = [...new Set([...a, ...b].map(({ from }) => from))].sort((x, y) => x - y)
  return starts.map((from) => {
    const [one, other] = [a, b].map((steps) => steps.findLast((step) => step.from <= from)!)
    return { from, at: valueIn(one!, from) + valueIn(other!, from), slope: one!.slope + other!.slope }
  })
}
