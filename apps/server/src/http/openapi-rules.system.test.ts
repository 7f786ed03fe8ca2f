import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { printOpenApiDocument } from '../openapi-document.ts'
import { inlineResponses } from '../test/app/inline-responses.ts'

type Node = { [key: string]: unknown }

interface Schema extends Node {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
  examples?: unknown[]
}

interface Parameter extends Node {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Body {
  description?: string
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, Node> }>
  headers?: Record<string, { $ref: string }>
}

interface Operation extends Node {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
  security?: unknown[]
}

interface Document extends Node {
  openapi: string
  info: Node
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, { value: unknown }>
    headers: Record<string, Node>
  }
}

// JSON.parse answers anything; the tests below are what checks that it is a description.
const document = inlineResponses(JSON.parse(await printOpenApiDocument()) as Document)

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    path,
    operation,
  })),
)

/** What a reference of the document points at; undefined when there is nothing. */
function resolve(ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document)
}

/**
 * A schema with all that is in it, each with its place. What a reference points at is looked at under its own name, and
 * an `allOf` here only narrows the codes of a failure.
 */
function* schemasIn(schema: Schema, place: string): Generator<[place: string, schema: Schema]> {
  yield [place, schema]
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* schemasIn(property, `${place}.${name}`)
  if (schema.items) yield* schemasIn(schema.items, `${place}[]`)
}

const contentOf = (body: Body | undefined) => Object.values(body?.content ?? {}).map(({ schema }) => schema)

const named = (schema: Schema): Schema => (schema.$ref === undefined ? schema : (resolve(schema.$ref) as Schema))

const requestSchemas = operations.flatMap(({ name, operation }) => [
  ...contentOf(operation.requestBody).flatMap((schema) => [...schemasIn(named(schema), `${name} body`)]),
  ...(operation.parameters ?? [])
    .filter((parameter) => parameter.in !== 'path')
    .flatMap((parameter) => [...schemasIn(parameter.schema, `${name} ?${parameter.name}`)]),
])

const answerSchemas = [
  ...Object.entries(document.components.schemas)
    .filter(([name]) => !name.endsWith('Request'))
    .flatMap(([name, schema]) => [...schemasIn(schema, name)]),
  ...operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, body]) =>
      contentOf(body).flatMap((schema) => [...schemasIn(schema, `${name} ${status}`)]),
    ),
  ),
]

const isOf = (schema: Schema, type: string) => [schema.type].flat().includes(type)
const placesOf = (found: [place: string, schema: Schema][]) => found.map(([place]) => place)

test('there is something to look at', () => {
  expect(operations.length).toBeGreaterThan(40)
  expect(requestSchemas.length).toBeGreaterThan(100)
  expect(answerSchemas.length).toBeGreaterThan(300)
})

test('every property says what it is', () => {
  const described = ({ description, $ref }: Schema): boolean =>
    typeof description === 'string' || ($ref !== undefined && described(resolve($ref) as Schema))
  const silent = [...requestSchemas, ...answerSchemas].flatMap(([place, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, property]) => !described(property))
      .map(([name]) => `${place}.${name}`),
  )
  expect(silent).toEqual([])
  expect(Object.entries(document.components.schemas).filter(([, schema]) => !described(schema))).toEqual([])
})

describe('what may be sent', () => {
  test('has an end to every text', () => {
    const bounds = ['maxLength', 'enum', 'format', 'pattern']
    const endless = requestSchemas.filter(
      ([, schema]) => isOf(schema, 'string') && !bounds.some((keyword) => keyword in schema),
    )
    expect(placesOf(endless)).toEqual([])
  })

  test('has an end to every list', () => {
    const endless = requestSchemas.filter(([, schema]) => isOf(schema, 'array') && !('maxItems' in schema))
    expect(placesOf(endless)).toEqual([])
  })

  test('has no field without a name, or only so many', () => {
    const open = requestSchemas.filter(
      ([, schema]) => isOf(schema, 'object') && schema.additionalProperties !== false && !('maxProperties' in schema),
    )
    expect(placesOf(open)).toEqual([])
  })
})

test('every object that is answered may gain fields', () => {
  const closed = answerSchemas.filter(
    ([, schema]) => isOf(schema, 'object') && schema.properties !== undefined && schema.additionalProperties !== true,
  )
  expect(placesOf(closed)).toEqual([])
})

test('every operation has a name of its own that can be one in a program', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id ?? ''))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

/** The document as one schema, so that what is referred to in it is found. */
const ajvOfExamples = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajvOfExamples)
ajvOfExamples.addSchema({ ...document, $id: 'document' })

function problemsOf(schema: Schema, example: unknown): unknown[] {
  const check = ajvOfExamples.compile(absolute(schema))
  check(example)
  return check.errors ?? []
}

/** References within the document, from a schema that is looked at by itself. */
function absolute(schema: Schema): AnySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as AnySchema
}

describe.each(operations)('$name', ({ method, path, operation }) => {
  const needsKey = operation.security?.length !== 0
  const headerNames = (operation.parameters ?? []).flatMap(({ in: place, name }) => (place === 'header' ? [name] : []))
  const answerHeaders = (status: number | string) => Object.keys(operation.responses[status]?.headers ?? {})

  test('shows what is sent and what is answered, validly', () => {
    const bodies = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    for (const body of [operation.requestBody, ...bodies.map(([, answer]) => answer)]) {
      const json = body?.content?.['application/json']
      if (!json) continue
      expect(json).toHaveProperty('example')
      expect(problemsOf(json.schema, json.example)).toEqual([])
    }
  })

  test('takes the headers that its method is for', () => {
    const isTagged = 'ETag' in (operation.responses[200]?.headers ?? {})
    const expected = { get: 'If-None-Match', post: 'Idempotency-Key', patch: 'If-Match', put: 'If-Match' }[method]
    const isOne = method !== 'get' || /\}$/.test(path)
    if (needsKey && expected && isOne) expect(headerNames).toEqual([expected])
    if (!needsKey || method === 'delete') expect(headerNames).toEqual([])
    expect(isTagged).toBe(headerNames.some((name) => name.startsWith('If-')))
    if (headerNames.includes('If-None-Match')) expect(answerHeaders(304)).toContain('ETag')
    expect('412' in operation.responses).toBe(headerNames.includes('If-Match'))
  })

  test('says which headers come with its answers', () => {
    for (const status of Object.keys(operation.responses)) {
      const names = answerHeaders(status)
      expect(names, status).toContain('X-Request-Id')
      const isCounted = needsKey && (Number(status) < 400 || status === '429')
      expect(names.includes('X-RateLimit-Remaining'), status).toBe(isCounted)
      expect(names.includes('RateLimit-Policy'), status).toBe(isCounted)
      expect(names.includes('Retry-After'), status).toBe(status === '429' || status === '503')
    }
    const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? ''
    expect(answerHeaders(success).includes('Idempotent-Replayed')).toBe(needsKey && method === 'post')
  })

  test('says in a line what it does, and under which known tag', () => {
    expect(operation.summary).toMatch(/^[A-Z].{3,80}[^.]$/)
    expect(operation.tags).toHaveLength(1)
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags?.[0])
  })

  test('describes each parameter once, and each of its path', () => {
    const parameters = operation.parameters ?? []
    for (const parameter of parameters) {
      expect(parameter, parameter.name).toMatchObject({
        name: expect.any(String),
        in: expect.stringMatching(/^(path|query|header)$/),
        description: expect.any(String),
        schema: expect.any(Object),
      })
    }
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(names).size).toBe(names.length)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.filter((parameter) => parameter.required !== true)).toEqual([])
    expect(inPath.map(({ name }) => name).sort()).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
    )
  })

  test('answers a success, and says of each answer what it is', () => {
    const answers = Object.entries(operation.responses)
    expect(answers.filter(([status]) => /^2\d\d$/.test(status))).not.toEqual([])
    for (const [status, answer] of answers) {
      expect(status).toMatch(/^[1-5]\d\d$/)
      expect(answer.description, status).toMatch(/./)
      expect(answer.description).not.toBe('Default Response')
    }
  })

  test('may refuse a key exactly when it asks for one', () => {
    expect(['401' in operation.responses, '403' in operation.responses]).toEqual([needsKey, needsKey])
  })
})

describe('the document', () => {
  test('has what OpenAPI 3.1 requires, and nothing of 3.0', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    expect(Object.keys(document.paths).filter((path) => !path.startsWith('/'))).toEqual([])
    const old = [...requestSchemas, ...answerSchemas].filter(
      ([, schema]) => 'nullable' in schema || 'example' in schema,
    )
    expect(placesOf(old)).toEqual([])
    expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))).toEqual([])
  })

  test('refers only to what is there, and has nothing that is not referred to', () => {
    const refs = new Set<string>()
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref') refs.add(String(value))
      return value
    })
    expect([...refs].filter((ref) => !ref.startsWith('#/') || resolve(ref) === undefined)).toEqual([])
    const shared = ['schemas', 'examples', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind as 'schemas' | 'examples' | 'headers']).map(
        (name) => `#/components/${kind}/${name}`,
      ),
    )
    expect(shared.filter((ref) => !refs.has(ref))).toEqual([])
  })

  test('consists of valid JSON Schema, and every required property is one', () => {
    const ajv = new Ajv2020({ strict: false })
    for (const [place, schema] of [...requestSchemas, ...answerSchemas]) {
      expect(ajv.validateSchema(schema as AnySchema), `${place}: ${ajv.errorsText()}`).toBe(true)
      const { properties, required = [] } = schema
      if (properties) expect(Object.keys(properties), place).toEqual(expect.arrayContaining(required))
    }
  })

  test('gives examples that are valid', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    for (const [place, schema] of [...requestSchemas, ...answerSchemas]) {
      for (const example of schema.examples ?? []) expect(ajv.validate(schema, example), place).toBe(true)
    }
    const isFailure = ajvOfExamples.compile({ $ref: 'document#/components/schemas/Failure' })
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      expect(isFailure(value), `${code}: ${ajv.errorsText(isFailure.errors)}`).toBe(true)
    }
  })
})
