import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import type { Context } from '../../context/context.ts'
import { createLocalFileStore, type LocalFileStore } from '../../file-store/local-file-store.ts'
import type { App } from '../../http/types.ts'
import { scopes as allScopes, type Scope } from '../../kernel/actor.ts'
import { systemClock } from '../../kernel/clock.ts'
import { type Config, readConfig } from '../../kernel/config.ts'
import { type AccountId, newId } from '../../kernel/ids.ts'
import { Memory } from '../../kernel/memory.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { ownLimits } from '../../limits/limits.ts'
import { createLive } from '../../live/live.ts'
import { insertAccount } from '../../modules/people/accounts/accounts.queries.ts'
import { createApiKey } from '../../modules/people/api-keys/api-keys.service.ts'
import { createTestDatabase, type TestDatabase } from '../run/test-database.ts'
import { buildWithAnswersChecked, refuseWrongAnswers } from './answer-validation.ts'
import { refuseUnknownEvents } from './stored-events.ts'
import { systemWork } from './system-work.ts'

/** Of every application in tests. */
export const testSecretKey = '00'.repeat(32)

/** An account with a key, and requests in its name. */
export interface TestAccount {
  id: AccountId
  key: string
  /** Sends a request to /public/v1; a body makes it JSON. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

/** What a service may reach for, with files that a test finds on the disk. */
interface TestContext extends Context {
  files: LocalFileStore
}

export interface TestApp {
  app: App
  context: TestContext
  db: TestDatabase
  /** Makes an account with a key of these scopes; all three by default. */
  account(options?: { scopes?: readonly Scope[]; name?: string }): Promise<TestAccount>
  /** Waits until something that happens by itself has happened; fails after fifteen seconds, or as many as it is given. */
  settled(isSettled: () => boolean | Promise<boolean>, mostMs?: number): Promise<void>
  /** Waits until what the application is writing, for requests or for reports of hubs, is written, and what it writes after that. */
  written(): Promise<void>
  close(): Promise<void>
}

/**
 * The whole application on a database of its own, with a data directory of its own; requests are injected. A test that
 * provokes an answer that the API description does not have fails.
 */
export async function createTestApp(
  options: { config?: Partial<Config>; context?: Partial<TestContext>; beforeStatement?: () => void } = {},
): Promise<TestApp> {
  const { beforeStatement } = options
  const db = await createTestDatabase(beforeStatement && { beforeStatement })
  const dataDir = await mkdtemp(join(tmpdir(), 'printyard-app-'))
  const config = {
    ...readConfig({ PRINTYARD_DATA_DIR: dataDir, PRINTYARD_RATE_LIMIT_PER_MINUTE: '1000000' }),
    ...options.config,
  }
  const writing = new Set<Promise<unknown>>()
  const track = <T>(transaction: Promise<T>): Promise<T> => {
    writing.add(transaction)
    const forget = () => writing.delete(transaction)
    transaction.then(forget, forget)
    return transaction
  }
  const context: TestContext = {
    config,
    version: 'test',
    db: {
      ...db,
      begin: (work) => track(db.begin(work)),
      beginFor: (accountId, work) => track(db.beginFor(accountId, work)),
      beginLateFor: (accountId, work) => track(db.beginLateFor(accountId, work)),
      beginForFarm: (accountId, work) => track(db.beginForFarm(accountId, work)),
    },
    ...createLive(),
    memory: new Memory(),
    limits: ownLimits,
    files: await createLocalFileStore(join(dataDir, 'files')),
    secrets: createSecretBox(testSecretKey),
    clock: systemClock,
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    timeouts: { commandMs: 2_500, startMs: 2_500 },
    isDraining: () => false,
    ...options.context,
  }
  context.db.coherence.join(context.log)
  const app = await buildWithAnswersChecked(() => buildApp(context))
  await app.ready()
  return {
    app,
    context,
    db,
    async account({ scopes = allScopes, name = 'Test farm' } = {}) {
      const id = newId('account')
      await insertAccount(db.sql, { id, name, time_zone: 'UTC' })
      const { key } = await createApiKey(systemWork(db.sql, id), { name: 'test', scopes, expiresAt: null })
      return {
        id,
        key,
        request(method, path, body, headers = {}) {
          const request: InjectOptions = {
            method,
            url: `/public/v1${path}`,
            headers: {
              authorization: `Bearer ${key}`,
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
          }
          if (body !== undefined) request.payload = typeof body === 'string' ? body : JSON.stringify(body)
          return app.inject(request)
        },
      }
    },
    async settled(isSettled, mostMs = 15_000) {
      const deadline = Date.now() + mostMs
      while (!(await isSettled())) {
        if (Date.now() > deadline) throw new Error(`never settled: ${isSettled.toString()}`)
        await wait(5)
      }
    },
    async written() {
      for (let quietLooks = 0, looks = 0; quietLooks < 3; looks += 1) {
        if (looks === 1_000) throw new Error('The application writes without an end.')
        await Promise.allSettled(writing)
        // A connection answers single statements in their order, and what follows one begins within a turn.
        await Promise.all(Array.from({ length: 4 }, () => db.sql`select 1`))
        await nextTurn()
        quietLooks = writing.size === 0 ? quietLooks + 1 : 0
      }
    },
    async close() {
      await app.close()
      const known = await refuseUnknownEvents(db.sql).then(
        () => undefined,
        (error: unknown) => error,
      )
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
      if (known) throw known
      // What was answered after the last test.
      refuseWrongAnswers()
    },
  }
}
