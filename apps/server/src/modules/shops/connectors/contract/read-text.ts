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

/** Longest body of a webhook that is looked into: an order of a hundred lines has a tenth of it. Longer ones take long to read. */
const longestReadBytes = 256 * 1024

/**
 * Answers what a webhook says. One that says nothing readable, or too much, is an object without fields: it is signed, so something of the orders
 * has changed, whatever it is.
 */
export function readHookBody(body: Buffer): Record<string, unknown> {
  if (body.length > longestReadBytes) return {}
  try {
    return objectOf(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}
