import { isDeepStrictEqual } from 'node:util'
import { catalogue, type ErrorCode } from '../../kernel/errors.ts'
import { mayBeLeftOut } from '../schema.ts'
import { exampleOf as exampleOfSchema } from './examples.ts'

type Json = Record<string, unknown>

/** Member in which the schema of a body carries an example of the whole of it, until it is written beside the schema. */
export const bodyExample = 'x-body-example'

/** Member in which a refusal says which codes it can have: all of them have the one schema `Failure`. */
export const errorCodes = 'x-error-codes'

/**
 * Writes each resource and each error code's example once, as a component, and lets the operations refer to them: written
 * out under each operation they would be nine tenths of the document.
 */
export function shareComponents(document: Json): Json {
  const used = new Set<ErrorCode>()
  for (const [path, operation] of operationsOf(document)) {
    showExamples(operation, path)
    sayWhetherBodyIsNeeded(operation)
    const responses = operation.responses as Record<string, Json> | undefined
    for (const [status, response] of Object.entries(responses ?? {})) {
      if (Number(status) < 400) continue
      const codes = codesOf(response)
      if (!codes) continue
      for (const code of codes) used.add(code)
      responses![status] = {
        description: codes.map((code) => `\`${code}\`: ${catalogue[code][1]}`).join('\n'),
        [errorCodes]: codes,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      }
    }
  }
  const components = (document.components ?? {}) as Record<string, Json>
  const schemas: Record<string, unknown> = {}
  const paths = shareResources(document.paths, schemas)
  return {
    ...document,
    paths,
    components: {
      ...components,
      schemas: { ...components.schemas, ...schemas, Failure: failure, FailureError: failureError },
      examples: {
        ...components.examples,
        ...Object.fromEntries([...used].sort().map((code) => [code, exampleOf(code)])),
      },
    },
  }
}

const failure = {
  type: 'object',
  description: 'Error of a request that failed',
  required: ['success', 'error'],
  properties: {
    success: { type: 'boolean', description: 'Always false' },
    error: { $ref: '#/components/schemas/FailureError' },
  },
}

const failureError = {
  type: 'object',
  required: ['code', 'message'],
  description: 'Error for which the request was refused',
  properties: {
    code: {
      type: 'string',
      description:
        'Machine-readable and stable; branch on this. Which codes an answer can have stands in its x-error-codes',
    },
    message: { type: 'string', description: 'Sentence for people; its wording may change' },
    details: { description: 'VALIDATION_ERROR: field path → messages; other codes: details of the error' },
  },
}

/** Replaces each schema that has a title by a reference, and gathers the schemas by their titles. */
function shareResources(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => shareResources(item, schemas))
  if (value === null || typeof value !== 'object') return value
  const { title, ...rest } = value as Json
  const shared = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, shareResources(item, schemas)]))
  if (typeof title !== 'string' || rest.type !== 'object') return title === undefined ? shared : { title, ...shared }
  if (schemas[title] !== undefined && !isDeepStrictEqual(schemas[title], shared)) {
    throw new Error(`Two different schemas have the title ${title}`)
  }
  schemas[title] = shared
  return { $ref: `#/components/schemas/${title}` }
}

/** Puts an example beside the schema of each JSON body that is sent or answered by success. */
function showExamples(operation: Json, path: string): void {
  const bodies = Object.entries((operation.responses ?? {}) as Record<string, Json>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => response)
  for (const body of [operation.requestBody as Json | undefined, ...bodies]) {
    const json = (body?.content as Record<string, Json> | undefined)?.['application/json']
    // That none is missing is looked after when the routes are registered.
    if (!json) continue
    const { [bodyExample]: given, ...schema } = json.schema as Json
    json.schema = schema
    json.example = given ?? exampleOfSchema(schema, path, [])
  }
}

function exampleOf(code: ErrorCode) {
  const [status, sentence] = catalogue[code]
  const details = code === 'VALIDATION_ERROR' ? { details: { name: ['is required'] } } : {}
  return {
    summary: `${status} ${code}`,
    value: { success: false, error: { code, message: sentence, ...details } },
  }
}

function* operationsOf(document: Json): Generator<[path: string, operation: Json]> {
  for (const [path, methods] of Object.entries((document.paths ?? {}) as Record<string, Json>)) {
    for (const operation of Object.values(methods)) yield [path, operation as Json]
  }
}

/** The codes of a failure as `failures()` describes it; undefined for any other answer. */
function codesOf(response: Json): ErrorCode[] | undefined {
  const content = response.content as Record<string, { schema?: Json }> | undefined
  const schema = content?.['application/json']?.schema as
    | { properties?: { error?: { properties?: { code?: { enum?: ErrorCode[] } } } } }
    | undefined
  return schema?.properties?.error?.properties?.code?.enum
}

/** The library calls every body required. */
function sayWhetherBodyIsNeeded({ requestBody }: Json): void {
  const body = requestBody as { required: boolean; content: Record<string, { schema: Json }> } | undefined
  for (const { schema } of Object.values(body?.content ?? {})) {
    if (!(mayBeLeftOut in schema)) continue
    delete schema[mayBeLeftOut]
    if (body) body.required = false
  }
}
