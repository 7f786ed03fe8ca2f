/** Source of a factor: from prints of this file on this model, from all prints of this model, or nowhere. */
type LearntFrom = 'file' | 'model' | 'none'

/** Time that one plate takes, against what its slicer says. */
export interface LearntTime {
  /** Actual over sliced time: the median of the prints that it was learnt from; 1 where there are none. */
  factor: number
  learnt_from: LearntFrom
  /** Prints that it was learnt from. */
  samples: number
  p50_seconds: number
  /** Nine of ten prints take no longer; null where nothing was learnt. */
  p90_seconds: number | null
}

/** Actual over sliced time of prints on one model that were done, the latest first. */
export interface PrintedRatios {
  of_file: readonly number[]
  of_model: readonly number[]
}

/** Fewer prints say too little: one that a person forgot while it was paused would be half of the truth. Our choice. */
const leastSamples = 3

/** From the file on the model, else from the model; what was never printed takes what its slicer says. */
export function learnTime(slicedSeconds: number, { of_file, of_model }: PrintedRatios): LearntTime {
  const [learnt_from, ratios] =
    of_file.length >= leastSamples
      ? (['file', of_file] as const)
      : of_model.length >= leastSamples
        ? (['model', of_model] as const)
        : (['none', []] as const)
  const sorted = ratios.toSorted((a, b) => a - b)
  const factor = sorted.length === 0 ? 1 : median(sorted)
  return {
    factor: Math.round(factor * 1_000) / 1_000,
    learnt_from,
    samples: sorted.length,
    p50_seconds: Math.round(slicedSeconds * factor),
    p90_seconds: sorted.length === 0 ? null : Math.round(slicedSeconds * nearestRank(sorted, 0.9)),
  }
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2
  const [upper = 1, lower = upper] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle) - 1]]
  return (upper + lower) / 2
}

/** The smallest value that so large a share of the values does not exceed. */
function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 1
}

/** Time when the last plate of a job is done. */
export interface Finish {
  p50_at: Date
  p90_at: Date | null
}

/**
 * Answers when a job whose plate prints since `startedAt` is done, if every plate is cleared and the next one started at once. Null
 * for a job of which no plate prints. The plates all take long, or none does: what slows one down, slows down the others.
 */
export function foreseeFinish(
  { p50_seconds, p90_seconds }: Pick<LearntTime, 'p50_seconds' | 'p90_seconds'>,
  { startedAt, platesLeft, now }: { startedAt: Date | null /** That one included. */; platesLeft: number; now: Date },
): Finish | null {
  if (startedAt === null || platesLeft < 1) return null
  const after = (plateSeconds: number) => {
    const plateEnds = Math.max(now.getTime(), startedAt.getTime() + plateSeconds * 1_000)
    return new Date(plateEnds + plateSeconds * (platesLeft - 1) * 1_000)
  }
  return { p50_at: after(p50_seconds), p90_at: p90_seconds === null ? null : after(p90_seconds) }
}
