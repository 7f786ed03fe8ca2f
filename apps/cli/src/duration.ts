const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Longer than anybody plans for, and well within what a timestamp holds. */
const longestSeconds = 3_650 * 86_400

/**
 * Reads `90d`, `12h`, `30m` or `45s`.
 *
 * @returns milliseconds, or undefined for anything else: no number, no unit, nothing, or more than ten years.
 */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf[unit ?? ''] ?? Number.NaN)
  return seconds > 0 && seconds <= longestSeconds ? seconds * 1_000 : undefined
}
