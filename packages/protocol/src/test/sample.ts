/** Set by `npm test` when it runs everything: a number that is another one each day. */
const seedText = process.env.PRINTYARD_SAMPLE_SEED

/**
 * The cases of a long walk that this run plays. `npm test` plays one in `oneIn`, other ones each day, so that days in turn play all;
 * `npm test -- --whole`, and a run that names its files, play all of them.
 *
 * @param shift other cases for another walk over the same list
 */
export function sampleOf<T>(cases: readonly T[], oneIn: number, shift = 0): T[] {
  if (seedText === undefined) return [...cases]
  return sampleBy(Number(seedText) + shift, cases, oneIn)
}

/** @returns every `oneIn`th case, never none of some */
export function sampleBy<T>(seed: number, cases: readonly T[], oneIn: number): T[] {
  const step = Math.min(oneIn, cases.length)
  return cases.filter((_, index) => (index + seed) % step === 0)
}

/** Walks over every page, each page as many roles, windows or stops: in a week of days all of them. */
export const walkedOneIn = 7

/** Whether this run plays all cases of its walks. */
export const isWhole = seedText === undefined

/** 0 where it does. */
export const sampleSeed = Number(seedText ?? 0)
