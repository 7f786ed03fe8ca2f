import type { FieldErrors } from '../../kernel/errors.ts'

/** The parts of a JSON schema by which values are walked. */
export interface WalkedSchema {
  maxItems?: number
  format?: string
  items?: WalkedSchema
  properties?: Record<string, WalkedSchema>
  anyOf?: WalkedSchema[]
}

/** The first list that is longer than its schema allows: naming what is wrong with each of its items could take seconds. */
export function findTooLongList(value: unknown, schema: WalkedSchema, path: string): FieldErrors | undefined {
  for (const option of schema.anyOf ?? []) {
    const found = findTooLongList(value, option, path)
    if (found) return found
  }
  if (Array.isArray(value)) {
    const { maxItems, items } = schema
    if (maxItems !== undefined && value.length > maxItems) {
      return { [path || '_root']: [`must have at most ${plural(maxItems, 'item')}`] }
    }
    return (
      items &&
      firstOf(
        value.map((item, index) => [item, items, String(index)] as const),
        path,
      )
    )
  }
  if (value === null || typeof value !== 'object') return undefined
  const present = Object.entries(schema.properties ?? {}).filter(([name]) => Object.hasOwn(value, name))
  return firstOf(
    present.map(([name, property]) => [(value as Record<string, unknown>)[name], property, name] as const),
    path,
  )
}

function firstOf(
  parts: readonly (readonly [value: unknown, schema: WalkedSchema, name: string])[],
  path: string,
): FieldErrors | undefined {
  for (const [value, schema, name] of parts) {
    const found = findTooLongList(value, schema, join(path, name))
    if (found) return found
  }
  return undefined
}

export const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
