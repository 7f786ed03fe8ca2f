import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isTimestamp } from '../http/request/timestamps.ts'
import { closeDescription } from '../test/app/closed-description.ts'

/** A JSON Schema as the API description has it; only what is looked at here is named. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  format?: string
  pattern?: string
  maxProperties?: number
  uniqueItems?: boolean
}

/** One operation of the API description. */
export interface Operation {
  /** As people write it: `POST /public/v1/jobs/{id}/resume`. */
  name: string
  method: string
  path: string
  pathParameters: string[]
  queryParameters: { name: string; schema: Schema }[]
  /** The content type that its body must have; undefined when it takes none. */
  bodyType: string | undefined
  body: Schema | undefined
  /** The codes that it declares, by status; empty for a success. */
  codes: Record<string, string[]>
}

interface Described {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, Described>>
  components?: { schemas?: Record<string, Schema> }
}

export function listOperations(document: ApiDocument): Operation[] {
  const named = ({ $ref, ...schema }: Schema): Schema =>
    ($ref && document.components?.schemas?.[$ref.replace('#/components/schemas/', '')]) || schema
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const parameters = described.parameters ?? []
      const [bodyType, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        pathParameters: parameters.filter((each) => each.in === 'path').map((each) => each.name),
        queryParameters: parameters.filter((each) => each.in === 'query'),
        bodyType,
        body: content && named(content.schema),
        codes: Object.fromEntries(
          Object.entries(described.responses).map(([status, { content }]) => [
            status,
            Number(status) < 400 ? [] : Object.keys(content?.['application/json']?.examples ?? {}),
          ]),
        ),
      }
    }),
  )
}

export interface GivenAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
}

/**
 * Answers what is wrong with an answer in the light of the description: an undeclared status or content type, or a body that
 * does not fit its schema. Empty when nothing is.
 */
export function makeAnswerCheck(published: ApiDocument): (operation: Operation, answer: GivenAnswer) => string[] {
  const document = closeDescription(published)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv, ['uri', 'email', 'date', 'int32', 'int64'])
  ajv.addFormat('date-time', isTimestamp)
  ajv.addSchema(document, 'api')

  return (operation, { status, headers, text }) => {
    const method = operation.method.toLowerCase()
    const described = document.paths[operation.path]?.[method]?.responses[status]
    // Said before any operation is looked for.
    if (status === 414 || status === 431) return []
    if (!described) return [`status ${status} is not declared`]
    // A 304 has no body, and so no type.
    if (text === '' && status === 304) return []
    const type = String(headers['content-type']).split(';')[0] ?? ''
    if (!described.content?.[type]) return [`content type ${type} is not declared for ${status}`]
    if (type !== 'application/json') return []
    const pointer = ['paths', operation.path, method, 'responses', String(status), 'content', type, 'schema']
    const reference = `api#/${pointer.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
    const fits = ajv.getSchema(encodeBraces(reference))
    if (!fits) throw new Error(`no schema at ${reference}`)
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return ['the body is no JSON']
    }
    return fits(body) ? [] : (fits.errors ?? []).map((error) => `${error.instancePath || 'body'} ${error.message}`)
  }
}

/** A reference is an address, in which braces are escaped. */
function encodeBraces(reference: string): string {
  return reference.replaceAll('{', '%7B').replaceAll('}', '%7D')
}
