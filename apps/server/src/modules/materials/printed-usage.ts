import type { FilamentAssignment } from '@printyard/protocol/commands'
import type { FilamentOfFile } from '../matching/matching.queries.ts'

/** What is known of a print that ended, to tell how much filament it took. */
export interface EndedPrint {
  isDone: boolean
  /** What the slicer says a whole plate takes; null when it does not. */
  plateGrams: number | null
  plateSeconds: number | null
  /** How far the printer said it was, 0 to 100; null when it does not say. */
  progress: number | null
  /** How long it printed; null when it was never seen printing. */
  printedSeconds: number | null
}

/**
 * Milligrams of filament that a print took. A whole plate takes what its slicer said. One that ended early took its share of
 * that by the progress that the printer showed, else by the time that it printed.
 */
export function usedMilligrams({ isDone, plateGrams, plateSeconds, progress, printedSeconds }: EndedPrint): number {
  if (plateGrams === null || plateGrams <= 0) return 0
  if (isDone) return Math.round(plateGrams * 1_000)
  if (printedSeconds === null) return 0
  const byTime = plateSeconds === null || plateSeconds <= 0 ? 0 : printedSeconds / plateSeconds
  const share = progress === null ? byTime : progress / 100
  return Math.round(plateGrams * 1_000 * Math.min(1, Math.max(0, share)))
}

/** What was taken from one slot; null where the printer was not told which. */
interface Portion {
  slot: number | null
  milligrams: number
}

/**
 * Divides what a plate took among the slots that it was printed from, by what its file says of each filament; equally where
 * the file does not say it of all.
 */
export function portionsOf(
  milligrams: number,
  map: readonly FilamentAssignment[] | null,
  filaments: readonly Pick<FilamentOfFile, 'index' | 'grams'>[],
): Portion[] {
  if (map === null) return [{ slot: null, milligrams }]
  const weights = map.map(({ filament }) => filaments.find(({ index }) => index === filament)?.grams ?? null)
  const isKnown = weights.every((weight) => weight !== null) && weights.some((weight) => weight !== 0)
  const shares = isKnown ? weights.map((weight) => weight ?? 0) : weights.map(() => 1)
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const bySlot = new Map<number | null, number>()
  map.forEach(({ slot }, at) => {
    bySlot.set(slot, (bySlot.get(slot) ?? 0) + (milligrams * (shares[at] ?? 0)) / whole)
  })
  return [...bySlot]
    .map(([slot, share]) => ({ slot, milligrams: Math.round(share) }))
    .filter((portion) => portion.milligrams > 0)
}
