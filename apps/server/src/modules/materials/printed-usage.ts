import type { FilamentOfFile } from '../matching/matching.queries.ts'
import type { SlotOfFilament } from '../matching/slot-map.ts'

/** What is known of a print that ended, to tell how much filament it took. */
export interface EndedPrint {
  isDone: boolean
  /** What the slicer says a whole plate takes; null when it does not. */
  plateGrams: number | null
  plateSeconds: number | null
  /** Progress that the printer reported, 0 to 100; null when it does not say. */
  progress: number | null
  /** Time that it printed; null when it was never seen printing. */
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
 * Divides what a plate takes among the slots that it is printed from, by what its file says of each filament; equally where
 * the file does not say it of all.
 */
export function portionsOf(
  milligrams: number,
  slots: readonly SlotOfFilament[] | null,
  filaments: readonly Pick<FilamentOfFile, 'index' | 'grams'>[],
): Portion[] {
  if (slots === null) return milligrams > 0 ? [{ slot: null, milligrams }] : []
  const weights = slots.map(({ filament }) => filaments.find(({ index }) => index === filament)?.grams ?? null)
  const isKnown = weights.every((weight) => weight !== null) && weights.some((weight) => weight !== 0)
  const bySlot = new Map<number | null, number>()
  slots.forEach(({ slot }, at) => {
    bySlot.set(slot, (bySlot.get(slot) ?? 0) + (isKnown ? (weights[at] ?? 0) : 1))
  })
  const amounts = spread(milligrams, [...bySlot.values()])
  return [...bySlot.keys()]
    .map((slot, at) => ({ slot, milligrams: amounts[at] ?? 0 }))
    .filter((portion) => portion.milligrams > 0)
}

/** Divides a whole number by weights into whole numbers that add up to it: none is further than one from its share. */
export function spread(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let before = 0
  let given = 0
  return weights.map((weight) => {
    before += weight
    const upTo = Math.round((whole * before) / sum)
    const amount = upTo - given
    given = upTo
    return amount
  })
}
