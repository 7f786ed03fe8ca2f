import { Readable } from 'node:stream'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { type Context, defaultTimeouts } from './context/context.ts'
import { openDatabase } from './db/database.ts'
import type { FileStore } from './file-store/file-store.ts'
import { systemClock } from './kernel/clock.ts'
import { readConfig } from './kernel/config.ts'
import { Memory } from './kernel/memory.ts'
import { createSecretBox } from './kernel/secret-box.ts'
import { createLive } from './live/live.ts'

export interface OpenApiDocumentOptions {
  /** Default: true. Without them the document is a third as long, and says the same of every type. */
  examples?: boolean
}

/**
 * The OpenAPI document of this version as JSON text, always the same for the same routes: the keys of every object are in
 * the order of the alphabet. The routes are built for it, but nothing listens, connects or is written.
 */
export async function printOpenApiDocument({ examples = true }: OpenApiDocumentOptions = {}): Promise<string> {
  const context = contextForDescription()
  const app = await buildApp(context)
  try {
    await app.ready()
    const document = app.swagger()
    return `${JSON.stringify(sortKeys(examples ? document : withoutExamples(document)), undefined, 2)}\n`
  } finally {
    await app.close()
    await context.db.close()
  }
}

/** The objects of OpenAPI and JSON Schema whose keys are chosen names, and no keywords. */
const namedMaps = new Set(['properties', 'schemas', 'responses', 'parameters', 'headers', 'paths'])

function withoutExamples(value: unknown, isNamedMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isNamedMap || (key !== 'example' && key !== 'examples'))
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutExamples(inner, !isNamedMap && namedMaps.has(key))]),
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
  receive: absent,
  read: absent,
  pathOf: () => '/nonexistent',
  remove: absent,
  listPages: () => Readable.from([]),
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
