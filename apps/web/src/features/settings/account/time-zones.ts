/** Names of all time zones that this browser knows, with the one in use, should it know that one not. */
export function timeZones(present: string): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', present])].sort((a, b) => a.localeCompare(b))
}
