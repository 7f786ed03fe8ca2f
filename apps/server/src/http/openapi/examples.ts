import { exampleThings, exampleValues } from './example-values.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  minItems?: number
}

/** Texts of one form, whatever they are called. */
const exampleFormats: Record<string, string> = {
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
}

/**
 * An example of what a schema describes, put together from the `examples` and `enum` of its properties, and for what has
 * neither from `exampleValues` by its name. The places that nothing is known for are added to `missing`.
 */
export function exampleOf(given: unknown, place: string, missing: string[]): unknown {
  // Route schemas are JSON Schema; Fastify and OpenAPI leave their form open.
  const schema = given as Schema
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], place, missing)
  const name = place.slice(place.lastIndexOf('.') + 1)
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return exampleOfObject(schema, place, missing)
    case 'array': {
      const item = exampleOf(schema.items ?? {}, place, missing)
      return Array.from({ length: schema.minItems ?? 1 }, () => item)
    }
    case 'boolean':
      return exampleValues[name] ?? true
    case 'integer':
    case 'number':
      return within(schema, Number(exampleValues[name] ?? 1))
    case 'string': {
      const text = exampleFormats[schema.format ?? ''] ?? ofThingIn(place, name) ?? exampleValues[name]
      if (text !== undefined) return text
    }
  }
  missing.push(place)
  return undefined
}

/** By what stands nearest around it: the `id` at `GET /products/{id} 200.data.skus.id` is that of a SKU. */
function ofThingIn(place: string, name: string): string | undefined {
  if (name !== 'id' && name !== 'name') return undefined
  const around = place.split(/[^a-z_]+/).findLast((word) => word in exampleThings)
  return around === undefined ? undefined : exampleThings[around]?.[name]
}

function within(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
  wanted: number,
): number {
  return Math.min(Math.max(wanted, minimum), maximum)
}

function exampleOfObject(schema: Schema, place: string, missing: string[]): Record<string, unknown> {
  const properties = Object.entries(schema.properties ?? {})
  return Object.fromEntries(properties.map(([name, each]) => [name, exampleOf(each, `${place}.${name}`, missing)]))
}
