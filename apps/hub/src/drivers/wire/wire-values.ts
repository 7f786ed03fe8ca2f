/**
 * Reads single values out of what a printer sent. Printers leave fields out, send numbers as text, and now and then
 * nonsense; one bad field is null and never costs the rest.
 */

/** The value under these keys, or undefined where the way ends early. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<string | number, unknown>)[key]
  }
  return here
}

/** A finite number, also when it was sent as text. */
export function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** A whole number that counts something; null when negative or not there. */
export function countIn(value: unknown): number | null {
  const number = numberIn(value)
  return number === null || number < 0 || number > Number.MAX_SAFE_INTEGER ? null : Math.floor(number)
}

/** Degrees Celsius to a tenth; what no printer can be is unknown. */
export function temperatureIn(value: unknown): number | null {
  const number = numberIn(value)
  return number === null || number < -50 || number > 1_000 ? null : Math.round(number * 10) / 10
}

/** Percent, 0 to 100, to a tenth. */
export function percentIn(value: unknown): number | null {
  const number = numberIn(value)
  return number === null ? null : Math.round(Math.min(100, Math.max(0, number)) * 10) / 10
}

/** Minutes left, rounded up, from seconds. Unknown for none or less: what still prints says so before it has worked it out. */
export function minutesLeft(value: unknown): number | null {
  const seconds = numberIn(value)
  return seconds === null || seconds <= 0 || seconds > 1e9 ? null : Math.max(1, Math.ceil(seconds / 60))
}

/** A text that is not empty, without what no database takes, cut to a length. */
export function textIn(value: unknown, maxLength = 255): string | null {
  if (typeof value !== 'string') return null
  const clean = value.replaceAll('\0', '').toWellFormed().trim()
  return clean === '' ? null : clean.slice(0, maxLength).toWellFormed()
}

/** A text, or a number as text; null for anything else, which may not even be made a text of. */
export function wordIn(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** True only for true. */
export function isTrue(value: unknown): boolean {
  return value === true
}
