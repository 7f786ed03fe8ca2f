import { describe, expect, test } from 'vitest'
import { catalogue } from '../../kernel/errors.ts'
import { printOpenApiDocument } from '../../openapi-document.ts'

/** A schema, of which only what is looked at here is named. */
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: unknown
  minimum?: number
  maximum?: number
  'x-extensible-enum'?: string[]
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Response extends Content {
  $ref?: string
  description?: string
  'x-error-codes'?: string[]
}

interface Operation {
  operationId: string
  description?: string
  summary: string
  security?: { apiKey: string[] }[]
  parameters?: { name: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Response>
}

interface Document {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    securitySchemes: { apiKey: { 'x-scopes': Record<string, string> } }
  }
}

const document = JSON.parse(await printOpenApiDocument({ examples: false })) as Document
const { schemas, responses } = document.components
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

function* walk(schema: Schema, place: string): Generator<[place: string, schema: Schema]> {
  yield [place, schema]
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* walk(property, `${place}.${name}`)
  if (schema.items) yield* walk(schema.items, `${place}[]`)
}

const contents = ({ content = {} }: Content) => Object.values(content).map(({ schema }) => schema)

const answers = [
  ...Object.entries(schemas)
    .filter(([name]) => !name.endsWith('Request'))
    .flatMap(([name, schema]) => [...walk(schema, name)]),
  ...operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) =>
      contents(response).flatMap((schema) => [...walk(schema, `${operation.operationId} ${status}`)]),
    ),
  ),
]

const requests = [
  ...Object.entries(schemas)
    .filter(([name]) => name.endsWith('Request'))
    .flatMap(([name, schema]) => [...walk(schema, name)]),
  ...operations.flatMap(({ operation }) =>
    (operation.parameters ?? []).flatMap(({ name, schema }) => [...walk(schema, `${operation.operationId} ?${name}`)]),
  ),
]

const everything = [...answers, ...requests]
const isOf = ({ type }: Schema, name: string) => [type].flat().includes(name)
const placesOf = (found: [place: string, schema: Schema][]) => found.map(([place]) => place)
const pascal = (text: string) => text.replace(/(?:^|[^A-Za-z0-9]+)(.)/g, (_, first: string) => first.toUpperCase())

test('there is something to look at', () => {
  expect(operations.length).toBeGreaterThan(150)
  expect(answers.length).toBeGreaterThan(800)
  expect(requests.length).toBeGreaterThan(400)
})

test('no boolean has one possible value only', () => {
  expect(placesOf(everything.filter(([, schema]) => schema.enum && isOf(schema, 'boolean')))).toEqual([])
})

test('a text has one type besides null, as programs with fixed types need it', () => {
  const several = everything.filter(([, { type }]) => [type].flat().filter((each) => each !== 'null').length > 1)
  expect(placesOf(several)).toEqual([])
})

describe('what is answered is open', () => {
  test('to further fields', () => {
    const closed = answers.filter(([, schema]) => schema.properties && schema.additionalProperties !== true)
    expect(placesOf(closed)).toEqual([])
  })

  test('to further values, and says which there are now', () => {
    expect(placesOf(answers.filter(([, schema]) => schema.enum))).toEqual([])
    const extensible = answers.filter(([, schema]) => schema['x-extensible-enum'])
    expect(extensible.length).toBeGreaterThan(40)
    for (const [place, { description, 'x-extensible-enum': values = [] }] of extensible) {
      expect(description, place).toContain(`One of ${values.join(', ')}; later versions may add values`)
    }
  })
})

test('what a generator names by its place has no name that a schema has', () => {
  const taken = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const key = pascal(name).toLowerCase()
    expect(taken.get(key), name).toBeUndefined()
    taken.set(key, name)
  }
  const inline = everything.filter(
    ([place, schema]) => /[.[]/.test(place) && !/^\w+ /.test(place) && (schema.enum !== undefined || schema.properties),
  )
  const clashes = placesOf(inline).filter((place) => taken.has(pascal(place.replaceAll('[]', '')).toLowerCase()))
  expect(clashes).toEqual([])
})

test('every body of JSON has a name, after its operation', () => {
  for (const { operation } of operations) {
    const json = operation.requestBody?.content?.['application/json']
    const name = `${pascal(operation.operationId)}Request`
    if (json && (json.schema.$ref || json.schema.properties)) {
      expect(json.schema).toEqual({ $ref: `#/components/schemas/${name}` })
    }
  }
})

const verbs =
  /^(?:accept|adjust|assemble|assign|cancel|check|complete|consume|control|create|delete|discover|enqueue|erase|explain|fulfill|get|import|join|list|load|map|order|pause|plan|preview|produce|publish|redeliver|resolve|restock|restore|resume|retry|rotate|scan|set|start|stop|stream|switch|test|unload|unpublish|update|upload|withdraw)[A-Z]/

test('every operation has a name that reads as a method', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(ids.filter((id) => !verbs.test(id) || /By[A-Z]/.test(id))).toEqual([])
  expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(['listJobs', 'enqueueJob', 'getJob', 'resumeJob', 'listJobHistory']))
})

test('every operation says which scopes its key needs, in a form that programs read', () => {
  const { 'x-scopes': scopes } = document.components.securitySchemes.apiKey
  expect(Object.keys(scopes).sort()).toEqual(['control', 'read', 'write'])
  const wrong = operations.filter(({ operation: { security = [{ apiKey: [] }] } }) =>
    security.some(({ apiKey }) => apiKey.length === 0 || apiKey.some((scope) => !(scope in scopes))),
  )
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('every day is a date, and every moment a date-time', () => {
  const untyped = everything.filter(([place, schema]) => {
    const name = place.split(/[.?[\]]+/).findLast((part) => part !== '') ?? ''
    if (!isOf(schema, 'string')) return false
    // Hours of the day are no moments.
    if (place.includes('working_hours')) return false
    if (/_at$|^time_(?:submitted|started|completed)$|^(?:from|to)$/.test(name))
      return !['date-time', 'date'].includes(schema.format ?? '')
    return /^date$|_day$/.test(name) && schema.format !== 'date'
  })
  expect(placesOf(untyped)).toEqual([])
})

test('every integer says how many bits it needs', () => {
  const plain = everything.filter(([, schema]) => isOf(schema, 'integer') && !/^int(32|64)$/.test(schema.format ?? ''))
  expect(placesOf(plain)).toEqual([])
})

describe('limits are stated', () => {
  test('of every text and list that may be sent', () => {
    const endless = requests.filter(
      ([, schema]) =>
        (isOf(schema, 'string') && !['maxLength', 'enum', 'format', 'pattern'].some((keyword) => keyword in schema)) ||
        (isOf(schema, 'array') && !('maxItems' in schema)),
    )
    expect(placesOf(endless)).toEqual([])
  })

  test('of requests', () => {
    for (const limit of ['120 requests', '1 MiB', '8,000', '16,000', '24 hours']) {
      expect(document.info.description).toContain(limit)
    }
  })
})

/** By the end of a name, the words of which one says its unit. */
const units: [name: RegExp, words: RegExp][] = [
  [/_minutes$/, /minute|\bmin\b|how long|From first start|All plates together/i],
  [/_seconds$/, /second|\bs\b|Print time/i],
  [/_grams$/, /gram|\bg\b|filament|what (?:is|there)/i],
  [/_(?:temp|temperature)$/, /°C/],
  [/_(?:percent|percentage)$/, /percent|0 to 100|%/],
  [/_bytes$/, /byte|size|largest/i],
  [/_diameter$|^diameter$/, /\bmm\b/],
  [/_cents$|_price$|_cost$|(?:tax|discount)_amount$|_revenue$/, /cent/],
]

describe('descriptions', () => {
  test('stand at every operation, and say more than its name', () => {
    const silent = operations.filter(({ operation: { description = '', summary } }) => {
      const text = description.replace(/\s*Scopes?: .*$/s, '').trim()
      return text.length < 20 || text === summary
    })
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('name the unit of every quantity that has one', () => {
    const silent = everything.filter(([place, schema]) => {
      if (!isOf(schema, 'number') && !isOf(schema, 'integer')) return false
      const name = place.split('.').at(-1) ?? ''
      const unit = units.find(([form]) => form.test(name))
      return unit !== undefined && !unit[1].test(schema.description ?? '')
    })
    expect(placesOf(silent)).toEqual([])
  })

  test('of refusals name each error code with its sentence, for programs too', () => {
    const refusals = operations.flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { $ref = '' }]) => ({
          name: `${name} ${status}`,
          response: responses[$ref.split('/').at(-1) ?? ''],
        })),
    )
    for (const { name, response } of refusals) {
      const codes = response?.['x-error-codes'] ?? []
      expect(codes.length, name).toBeGreaterThan(0)
      for (const code of codes) {
        const [, sentence] = catalogue[code as keyof typeof catalogue]
        expect(response?.description, name).toContain(`\`${code}\`: ${sentence}`)
      }
      expect(response?.content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Failure' })
    }
  })
})
