import { Readable } from 'node:stream'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { type Context, defaultTimeouts } from './context/context.ts'
import { openDatabase } from './db/database.ts'
import type { FileStore } from './file-store/file-store.ts'
import type { Audience } from './http/openapi/openapi.ts'
import { systemClock } from './kernel/clock.ts'
import { readConfig } from './kernel/config.ts'
import { Memory } from './kernel/memory.ts'
import { createSecretBox } from './kernel/secret-box.ts'
import { ownLimits } from './limits/limits.ts'
import { createLive } from './live/live.ts'

interface OpenApiDocumentOptions {
  /** Default: true. Without them the document is a third as long, and says the same of every type. */
  examples?: boolean
}

/**
 * The OpenAPI document of this version as JSON text, always the same for the same routes: the keys of every object are in
 * the order of the alphabet. The routes are built for it, but nothing listens, connects or is written.
 */
export async function printOpenApiDocument({ examples = true }: OpenApiDocumentOptions = {}): Promise<string> {
  const document = await describeRoutes('keys')
  return printSorted(examples ? document : withoutKeywords(document, exampleKeywords))
}

/**
 * The same of the routes that only people have: what the dashboard's types are made of, and no service sends. Words and
 * failures are left out: it is read by a program, and the dashboard takes all failures alike.
 */
export async function printPeopleDocument(): Promise<string> {
  const document = withoutKeywords(await describeRoutes('people'), [...exampleKeywords, 'description', 'summary'])
  const { openapi, info, paths = {}, components } = document as Described
  const { Failure, ...schemas } = components.schemas
  const described = mapValues(paths, (operations) => mapValues(operations, withoutFailures))
  // A line per schema and path: what changes is read in the types that are made of them.
  const lines = (record: object) =>
    Object.entries(sortKeys(record) as object).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return `{
"openapi": ${JSON.stringify(openapi)},
"info": ${JSON.stringify(info)},
"components": { "schemas": {
${lines(schemas).join(',\n')}
} },
"paths": {
${lines(described).join(',\n')}
}
}
`
}

interface Described {
  openapi: string
  info: object
  paths?: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

interface Operation {
  parameters?: { in: string }[]
  responses?: Record<string, object>
}

function withoutFailures({ parameters, responses = {}, ...operation }: Operation): Operation {
  return {
    ...operation,
    ...(parameters && { parameters: parameters.filter((parameter) => parameter.in !== 'header') }),
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => Number(status) < 400)),
  }
}

async function describeRoutes(audience: Audience): Promise<object> {
  const context = contextForDescription()
  const app = await buildApp(context, { audience })
  try {
    await app.ready()
    return app.swagger()
  } finally {
    await app.close()
    await context.db.close()
  }
}

function printSorted(document: unknown): string {
  return `${JSON.stringify(sortKeys(document), undefined, 2)}\n`
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** The objects of OpenAPI and JSON Schema whose keys are chosen names, and no keywords. */
const namedMaps = new Set(['properties', 'schemas', 'responses', 'parameters', 'headers', 'paths'])

const exampleKeywords = ['example', 'examples']

function withoutKeywords(value: unknown, dropped: readonly string[], isNamedMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutKeywords(item, dropped))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isNamedMap || !dropped.includes(key))
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutKeywords(inner, dropped, !isNamedMap && namedMaps.has(key))]),
  )
}

/** Enough to declare the routes; serving one would fail at its first use of the database. */
function contextForDescription(): Context {
  return {
    config: readConfig({}),
    version: 'description',
    // Connects at the first statement, and there is none.
    db: openDatabase({ target: { url: 'postgres://127.0.0.1:1/none' } }),
    ...createLive(),
    memory: new Memory(),
    limits: ownLimits,
    files: noFiles,
    secrets: createSecretBox('00'.repeat(32)),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    timeouts: defaultTimeouts,
    isDraining: () => false,
  }
}

const absent = () => Promise.reject(new Error('There are no files where only the routes are described.'))

const noFiles: FileStore = {
  check: absent,
  signedUrl: () => undefined,
  receive: absent,
  read: absent,
  sizeOf: absent,
  add: absent,
  withLocalCopy: absent,
  removeAbandoned: absent,
  remove: absent,
  listPages: () => Readable.from([]),
  listSized: () => Readable.from([]),
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
