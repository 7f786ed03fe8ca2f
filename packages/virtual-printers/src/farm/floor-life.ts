import { drawAbout } from './draw.ts'
import type { FarmPlan, PlannedPrinter, Shift } from './farm-plan.ts'

/** What people need their hands for, in seconds. */
export const handSeconds = { clear: 90, cleanUp: 300, loadFilament: 300 } as const

const meanReactionSeconds = 240
const failingShare = 0.03

/**
 * Answers what becomes of a print: the part of it after which it fails, or null when it does not. It depends on the job and the
 * number of the try and not on when or where it is printed, so that anyone who decides that is judged by the same luck.
 */
export function drawFailure(plan: Pick<FarmPlan, 'seed'>, jobName: string, tries: number): number | null {
  const draw = drawAbout(plan.seed, `print ${jobName} ${tries}`)
  return draw.chance(failingShare) ? draw.between(0.02, 0.95) : null
}

/** Answers how long it takes until a person on the floor notices what a printer needs, in seconds. */
export function drawReaction(plan: Pick<FarmPlan, 'seed'>, printerName: string, visits: number): number {
  return drawAbout(plan.seed, `visit ${printerName} ${visits}`).waiting(meanReactionSeconds)
}

/** Answers how many people are there. */
export function peopleAt(shifts: readonly Shift[], seconds: number): number {
  return shifts.reduce((sum, { from, to, people }) => (from <= seconds && seconds < to ? sum + people : sum), 0)
}

/** A print that a person begins at a printer without telling anybody. */
export interface PlannedHandPrint {
  /** In seconds from the beginning of the day. */
  at: number
  printSeconds: number
}

/** One print by hand in each shift, in the order of the day: some are over before anyone looks, some take an hour. */
export function drawHandPrints(
  { seed, seconds, shifts }: Pick<FarmPlan, 'seed' | 'seconds' | 'shifts'>,
  { name }: Pick<PlannedPrinter, 'name'>,
): PlannedHandPrint[] {
  return shifts.map(({ from, to }) => {
    const draw = drawAbout(seed, `hand print ${name} ${from}`)
    // Early enough that something of ours is to follow it.
    const at = draw.between(from, from + 0.8 * (Math.min(to, seconds) - from))
    return { at, printSeconds: draw.chance(0.3) ? 30 : Math.round(draw.between(300, 3_600)) }
  })
}
