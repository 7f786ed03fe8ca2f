/**
 * The names of the fields that a request changes: given, and other than what is there. Without any of them nothing is written, and
 * nothing is told. The row is locked by the caller, or it may be another one by then.
 */
export function changedFields(before: object, changes: object): string[] {
  const present = before as Record<string, unknown>
  return Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isSame(present[name], value))
    .map(([name]) => name)
}

function isSame(present: unknown, given: unknown): boolean {
  if (present instanceof Date && typeof given === 'string') return present.getTime() === Date.parse(given)
  if (Array.isArray(present) && Array.isArray(given)) return JSON.stringify(present) === JSON.stringify(given)
  return present === given
}
