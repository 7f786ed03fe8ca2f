import { nullIsEmpty } from '../schema.ts'

/** A valid body, changed in place: null becomes the empty text where the schema says that both mean the same. */
export function withoutNullTexts(value: unknown, schema: { properties?: Record<string, object> }): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const fields = value as Record<string, unknown>
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (nullIsEmpty in property && fields[name] === null) fields[name] = ''
  }
  return value
}
