import type { WalkedSchema } from './too-long-lists.ts'

const timestampForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** A time of day at whose end no offset stands, as Python's `isoformat()` and Java's `LocalDateTime` write it. */
const withoutOffset = /T[\d:.]+$/i

/**
 * True for an ISO 8601 timestamp that names a real moment: with any offset, with none, which means UTC, or a date alone (00:00
 * UTC).
 */
export function isTimestamp(text: string): boolean {
  if (!timestampForm.test(text)) return false
  const value = asMoment(text)
  const [year, month, day] = value.slice(0, 10).split('-').map(Number) as [number, number, number]
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return false
  // In UTC, as it is stored and answered, it must have a year of four digits; PostgreSQL has no year 0.
  const utcYear = new Date(value).getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999
}

/** The timestamp with its offset said, so that it means the same to every reader, whatever the time zone of the machine. */
function asMoment(timestamp: string): string {
  return withoutOffset.test(timestamp) ? `${timestamp}Z` : timestamp
}

/** A valid value, changed in place, with the offset said in each of its timestamps. */
export function withMoments(value: unknown, schema: WalkedSchema): unknown {
  if (typeof value === 'string') {
    const isMoment = [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'date-time')
    return isMoment ? asMoment(value) : value
  }
  for (const option of schema.anyOf ?? []) withMoments(value, option)
  if (Array.isArray(value)) {
    const { items } = schema
    if (items) value.splice(0, value.length, ...value.map((item) => withMoments(item, items)))
  } else if (value !== null && typeof value === 'object') {
    const fields = value as Record<string, unknown>
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (Object.hasOwn(fields, name)) fields[name] = withMoments(fields[name], property)
    }
  }
  return value
}
