const secondsPerUnit: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 }
const part = /(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])/gi

/**
 * Seconds of a duration as slicers write it: `1d 2h 3m 4s` in any part, `1 hour 25 minutes`, or a plain number of
 * seconds. Null for anything else, and for zero: a slicer that writes 0 did not know.
 */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed.length > 100) return null
  if (/^\d+(\.\d+)?$/.test(trimmed)) return knownSeconds(Number(trimmed))
  if (trimmed.replace(part, '').trim() !== '') return null
  let seconds = 0
  for (const [, amount, unit] of trimmed.matchAll(part))
    seconds += Number(amount) * secondsPerUnit[unit![0]!.toLowerCase()]!
  return knownSeconds(seconds)
}

/** Whole seconds, or null when the number cannot be the time of a print (zero, negative, or more than a year). */
export function knownSeconds(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 && seconds < 366 * 86_400 ? Math.max(1, Math.round(seconds)) : null
}
