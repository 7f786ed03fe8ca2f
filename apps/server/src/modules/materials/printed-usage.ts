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
