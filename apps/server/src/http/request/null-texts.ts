import { fullHexCode } from '../hex-code.ts'
import { isHexCode, nullIsEmpty } from '../schema.ts'

/** A valid body, changed in place: null becomes the empty text where the schema says that both mean the same, and a code of a colour its full form. */
export function withoutNullTexts(value: unknown, schema: { properties?: Record<string, object> }): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const fields = value as Record<string, unknown>
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const given = fields[name]
    if (nullIsEmpty in property && given === null) fields[name] = ''
    else if (isHexCode in property && typeof given === 'string') fields[name] = fullHexCode(given)
  }
  return value
}
