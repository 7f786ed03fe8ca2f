/**
 * The part of an address after `?` as plain texts: what people type and mail stays readable, and a code such as `2E34`
 * does not turn into a number. Each route reads what it needs in its `validateSearch`.
 */
export function parseSearchText(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** The other way round, with a leading `?` unless nothing is set. */
export function writeSearchText(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
