/** Set by `npm test` when it runs everything: the number of the day. */
const dayText = process.env.PRINTYARD_SAMPLE_SEED

/**
 * The number by which walks take their samples on a day. Files of walks play on one day of three (`scripts/long-files.mjs`): from one of
 * these days to the next it grows by one, so that they come to every case however many days a walk takes; by the day itself a walk in three
 * parts would play the same part for ever. On days that follow one another it differs.
 */
export function seedOfDay(day: number): number {
  return Math.floor(day / 3) + 5 * (day % 3)
}

const seed = dayText === undefined ? undefined : seedOfDay(Number(dayText))

/**
 * The cases of a long walk that this run plays. `npm test` plays one in `oneIn`, other ones each day, so that days in turn play all;
 * `npm test -- --whole`, and a run that names its files, play all of them.
 *
 * @param shift other cases for another walk over the same list
 */
export function sampleOf<T>(cases: readonly T[], oneIn: number, shift = 0): T[] {
  return seed === undefined ? [...cases] : sampleBy(seed + shift, cases, oneIn)
}

/** @returns every `oneIn`th case, never none of some */
export function sampleBy<T>(seed: number, cases: readonly T[], oneIn: number): T[] {
  const step = Math.min(oneIn, cases.length)
  return cases.filter((_, index) => (index + seed) % step === 0)
}

/** Walks over every page, each page as many roles, windows or stops: in a week of days all of them. */
export const walkedOneIn = 7

/** Whether this run plays all cases of its walks. */
export const isWhole = seed === undefined

/** 0 where it does. */
export const sampleSeed = seed ?? 0
