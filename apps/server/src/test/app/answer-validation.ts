import { channel } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { afterEach } from 'vitest'
import { apiPrefix } from '../../http/openapi/openapi.ts'
import type { App } from '../../http/types.ts'
import { closeDescription } from './closed-description.ts'
import { inlineResponses } from './inline-responses.ts'

/** An answer as a client gets it. */
export interface SeenAnswer {
  method: string
  /** The address that was asked for, from the path on. */
  url: string
  status: number
  /** The whole header; undefined when there is none. */
  contentType: string | undefined
  /** Undefined for what is no text: pictures and files. */
  body: string | undefined
}

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}

/** What may be said where no operation is found: the address is unknown, takes another method, or is none. */
const codesWithoutOperation = [
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'VALIDATION_ERROR',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
]

/** Statuses of requests of which only the address and the header fields were looked at. */
const statusesBeforeOperation = [414, 431]

/** The form in which every moment is answered: UTC with milliseconds. */
const answeredMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Answers what is wrong with an answer by an API description, or undefined. Status, content type and body must be those that the
 * operation declares; an address that the description does not have must be refused in the envelope.
 */
export function makeAnswerCheck(document: unknown): (answer: SeenAnswer) => string | undefined {
  // It was printed by the service from its own routes; a member that is missing fails the test that needs it.
  const inlined = closeDescription(inlineResponses(document as Document))
  const { paths } = inlined
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  addFormats.default(ajv, ['uri', 'date', 'int32', 'int64'])
  ajv.addFormat('date-time', answeredMoment)
  ajv.addSchema(inlined, 'description')
  const patterns = Object.keys(paths).map((path) => ({
    path,
    form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    variables: path.split('{').length,
  }))
  patterns.sort((one, other) => one.variables - other.variables)
  const compiled = new Map<string, ValidateFunction>()

  function validatorAt(...place: string[]): ValidateFunction {
    const pointer = place.map((each) => encodeURIComponent(each.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `description#/${pointer}` })
    compiled.set(pointer, known)
    return known
  }

  function problemOf(validate: ValidateFunction, body: unknown): string | undefined {
    return validate(body) ? undefined : `${ajv.errorsText(validate.errors, { dataVar: 'body' })}; body: ${show(body)}`
  }

  return ({ method, url, status, contentType, body }) => {
    const path = url.split('?')[0] ?? ''
    // Described as the GET that it repeats, whose answers are checked.
    if (method === 'HEAD') return undefined
    const verb = method.toLowerCase()
    // The one with the fewest variables: a fixed path is never one with an ID.
    const place = patterns.find((each) => each.form.test(path))
    const isLookedFor = !statusesBeforeOperation.includes(status)
    const found = isLookedFor && place && paths[place.path]?.[verb] ? place : undefined
    const type = contentType?.split(';')[0]
    const data = type === 'application/json' && body !== undefined ? readJson(body) : undefined

    if (!found) {
      if (path === `${apiPrefix}/openapi.json` && (status === 200 || status === 304)) return undefined
      const code = (data as { error?: { code?: string } } | undefined)?.error?.code ?? ''
      if (status < 400 || !codesWithoutOperation.includes(code)) return `no such operation, but ${status} ${code}`
      return problemOf(validatorAt('components', 'schemas', 'Failure'), data)
    }

    const declared = paths[found.path]?.[verb]?.responses[status]
    if (!declared) return `the status ${status} is not declared: ${body?.slice(0, 300)}`
    if (!declared.content) return body ? 'a body where none is declared' : undefined
    if (type === undefined || !(type in declared.content)) return `the content type ${contentType} is not declared`
    if (type !== 'application/json') return undefined
    if (contentType !== 'application/json; charset=utf-8') return `the content type is ${contentType}`
    if (data === undefined) return `the body is no JSON: ${body?.slice(0, 300)}`
    const claimed = (data as { success?: unknown }).success
    if (typeof claimed === 'boolean' && claimed !== status < 400)
      return `success is ${claimed} in an answer of ${status}`
    return problemOf(
      validatorAt('paths', found.path, verb, 'responses', String(status), 'content', type, 'schema'),
      data,
    )
  }
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const show = (value: unknown) => JSON.stringify(value).slice(0, 600)

const wrongAnswers: string[] = []

/** Throws when an answer was seen that the API description does not have, and forgets it. */
export function refuseWrongAnswers(): void {
  if (wrongAnswers.length > 0) throw new Error(`Not as the API description says:\n${wrongAnswers.splice(0).join('\n')}`)
}

/** Checks an answer; the test that is running fails when it ends. */
export function checkAnswer(check: (answer: SeenAnswer) => string | undefined, answer: SeenAnswer): void {
  const problem = check(answer)
  if (problem) wrongAnswers.push(`${answer.method} ${answer.url} ${answer.status}: ${problem}`)
}

// Anyone who imports this file has it in every test: the one that provoked a wrong answer is the one that fails.
afterEach(refuseWrongAnswers)

let checkByCommitted: ((answer: SeenAnswer) => string | undefined) | undefined

/** Holds what another process answered below /public/v1 against the committed description, which is the one it serves. */
export function checkFetchedAnswer(method: string, answer: Response, body: string): void {
  checkByCommitted ??= makeAnswerCheck(
    JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')),
  )
  checkAnswer(checkByCommitted, {
    method,
    url: new URL(answer.url).pathname,
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? undefined,
    body,
  })
}

/** By the first application of this process: all have the same routes, and the description takes half a second. */
let checkByOwn: ((answer: SeenAnswer) => string | undefined) | undefined

/**
 * Builds an application each of whose answers below /public/v1 is held against the description that it serves itself,
 * whether it is asked by injection or over the network.
 */
export async function buildWithAnswersChecked(build: () => Promise<App>): Promise<App> {
  // An application is whole when it is handed out, and a hook counts for the routes after it: so it is told of the first
  // moment. What `build` does until it first waits is done before anybody else's application can begin.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onSend', async (request, reply, payload: unknown) => {
      if (!request.url.startsWith(apiPrefix)) return payload
      checkByOwn ??= makeAnswerCheck((fastify as App).swagger())
      checkAnswer(checkByOwn, {
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        contentType: reply.getHeader('content-type')?.toString(),
        body: Buffer.isBuffer(payload) ? payload.toString() : typeof payload === 'string' ? payload : undefined,
      })
      return payload
    })
  }
  const started = channel('fastify.initialization')
  started.subscribe(listen)
  const building = build()
  started.unsubscribe(listen)
  return building
}
