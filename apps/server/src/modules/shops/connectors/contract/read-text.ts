/** A text of a shop as our fields take it: well formed, without what is not printable, and no longer than this. */
export function textOf(value: unknown, longest: number): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .trim()
    .toWellFormed()
  return [...text].slice(0, longest).join('')
}

/** A value that is an object; else one without fields. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
