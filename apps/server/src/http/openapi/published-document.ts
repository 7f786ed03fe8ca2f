import { publishedAs } from '../schema.ts'

type Json = Record<string, unknown>

/** Member in which an answer says what values a text has now. Not `enum`: programs made of it would refuse every later value. */
export const extensibleEnum = 'x-extensible-enum'

/** The largest number of 32 bits, which is what programs take integers for unless told otherwise. */
const largestInt32 = 2_147_483_647

/**
 * The document as integrations get it: one of which generators of clients make programs that go on working.
 *
 * - Answers are open. A later version may add a field or a value, and neither may break a program. What the service answers
 *   is closed anyway: its serialisers are made of the schemas as they stand in the routes.
 * - Bodies of requests have names.
 * - Integers say how many bits they need.
 */
export function publishForClients(document: Json): Json {
  const { paths, components } = document as { paths?: Json; components?: Json }
  const bodies: Json = {}
  const published = mapValues(paths, (path) =>
    mapValues(path, (operation) => {
      const { requestBody, responses, parameters, operationId, ...others } = operation as Json
      return {
        ...others,
        operationId,
        ...(parameters !== undefined && { parameters: asSent(parameters) }),
        ...(requestBody !== undefined && { requestBody: nameBody(asSent(requestBody), String(operationId), bodies) }),
        responses: asAnswered(responses),
      }
    }),
  )
  const schemas = { ...(asAnswered(components?.schemas) as Json), ...bodies }
  return {
    ...document,
    paths: published,
    components: { ...components, responses: asAnswered(components?.responses), schemas },
  }
}

/** Writes the schema of a JSON body as a component: `enqueueJob` takes an `EnqueueJobRequest`. */
function nameBody(requestBody: unknown, operationId: string, bodies: Json): unknown {
  const { content, ...others } = requestBody as { content?: Json }
  const json = content?.['application/json'] as { schema?: Json } | undefined
  if (json?.schema?.properties === undefined) return requestBody
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`
  bodies[name] = { description: `The body of ${operationId}`, ...json.schema }
  const named = { ...json, schema: { $ref: `#/components/schemas/${name}` } }
  return { ...others, content: { ...content, 'application/json': named } }
}

function asSent(node: unknown): unknown {
  return mapSchemas(node, (schema) => {
    const { [publishedAs]: canonical, ...given } = schema
    const { description, examples } = given
    const shown = canonical === undefined ? given : { description, ...(canonical as Json), examples }
    return withBits(withoutUndefined(shown))
  })
}

function asAnswered(node: unknown): unknown {
  return mapSchemas(node, (schema) => {
    const { enum: values, ...open } = schema
    if (open.properties !== undefined) return { ...open, additionalProperties: true }
    if (!Array.isArray(values)) return withBits(open)
    if (values.every((value) => typeof value === 'boolean')) return open
    const present = values.filter((value) => value !== null)
    const description = `${String(open.description ?? '')}. One of ${present.join(', ')}; later versions may add values`
    return { ...open, description: description.replace(/^\. /, ''), [extensibleEnum]: present }
  })
}

function withBits(schema: Json): Json {
  if (![schema.type].flat().includes('integer') || schema.format !== undefined) return schema
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as { minimum?: number; maximum?: number }
  return { ...schema, format: maximum <= largestInt32 && minimum >= -largestInt32 ? 'int32' : 'int64' }
}

/** Changes each schema of a part of the document, the inner ones first. Examples and names are left alone. */
function mapSchemas(node: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(node)) return node.map((item) => mapSchemas(item, change))
  if (node === null || typeof node !== 'object') return node
  const mapped = Object.fromEntries(
    Object.entries(node as Json).map(([key, value]) => {
      if (['example', 'examples', 'enum', 'required', publishedAs].includes(key) && !isSchema(value))
        return [key, value]
      if (key === 'properties') return [key, mapValues(value, (property) => mapSchemas(property, change))]
      return [key, mapSchemas(value, change)]
    }),
  )
  return isSchema(mapped) ? change(mapped) : mapped
}

/** What says a type: of the other objects of a document none has one that is a type of JSON. */
function isSchema(node: unknown): node is Json {
  if (node === null || typeof node !== 'object' || !('type' in node)) return false
  const types = [(node as { type: unknown }).type].flat()
  return types.every((type) =>
    ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'].includes(type as string),
  )
}

function withoutUndefined(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

function mapValues(value: unknown, change: (inner: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries((value ?? {}) as Json).map(([key, inner]) => [key, change(inner)]))
}
