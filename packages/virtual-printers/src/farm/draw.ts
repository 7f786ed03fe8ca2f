import { randomAt, seedOf } from '../device/seeded-noise.ts'

/** Draws one after another that depend on nothing but the seed and the subject they are for. */
export interface Draw {
  /** 0 (included) to 1 (excluded). */
  fraction(): number
  between(min: number, max: number): number
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
  /** The more often, the more it weighs. Throws a `RangeError` when nothing does. */
  pickWeighted<T>(values: readonly T[], weightOf: (value: T) => number): T
  /** Times between things that happen at any moment alike: most are short, a few are long. */
  waiting(mean: number): number
}

/** Draws about one subject do not move when another subject is drawn more often. */
export function drawAbout(seed: number, subject: string): Draw {
  const series = seedOf(`${seed} ${subject}`)
  let index = 0
  const fraction = () => randomAt(series, index++)
  const between = (min: number, max: number) => min + fraction() * (max - min)
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  return {
    fraction,
    between,
    integer,
    chance: (probability) => fraction() < probability,
    pick<T>(values: readonly T[]): T {
      if (values.length === 0) throw new RangeError('nothing to pick from')
      // Within bounds by the line before.
      return values[integer(0, values.length - 1)] as T
    },
    pickWeighted<T>(values: readonly T[], weightOf: (value: T) => number): T {
      const total = values.reduce((sum, value) => sum + weightOf(value), 0)
      let rest = fraction() * total
      for (const value of values) {
        rest -= weightOf(value)
        if (rest < 0) return value
      }
      throw new RangeError('nothing to pick from')
    },
    waiting: (mean) => -mean * Math.log(1 - fraction()),
  }
}
