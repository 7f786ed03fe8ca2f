import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import type { App } from '../http/types.ts'
import { Memory } from '../kernel/memory.ts'
import { createSignInThrottle } from '../modules/people/sign-in/sign-in-throttle.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import { isRedisInstalled, startTestRedis, type TestRedis } from '../test/services/test-redis.ts'
import type { Limits } from './limits.ts'
import { openLimits } from './open-limits.ts'

const perMinute = 120
const log = pino({ level: 'silent' })

describe.skipIf(!isRedisInstalled())('limits that several processes count together', () => {
  let redis: TestRedis
  let t: TestApp
  let account: TestAccount
  /** Three services on one database, each with a connection to Redis of its own. */
  let apps: App[]
  let opened: { limits: Limits; close(): void }[]

  beforeAll(async () => {
    redis = await startTestRedis()
    opened = await Promise.all([1, 2, 3].map(() => openLimits({ redisUrl: redis.url }, log)))
    t = await createTestApp()
    const config = { ...t.context.config, rateLimitPerMinute: perMinute }
    apps = []
    for (const { limits } of opened) {
      const app = await buildApp({ ...t.context, config, limits, memory: new Memory() })
      await app.ready()
      apps.push(app)
    }
  }, 120_000)
  afterAll(async () => {
    for (const app of apps ?? []) await app.close()
    for (const each of opened ?? []) each.close()
    await t?.close()
    await redis?.close()
  }, 60_000)
  beforeEach(async () => {
    account = await t.account()
    await together()
  })

  /** Waits until all of them count in Redis. */
  const together = () => t.settled(() => opened.every(({ limits }) => limits.outage() === undefined))

  const call = (app: App | undefined) =>
    app?.inject({ method: 'GET', url: '/public/v1/jobs', headers: { authorization: `Bearer ${account.key}` } })

  async function callAll(times: number): Promise<Record<number, number>> {
    const answers = await Promise.all(Array.from({ length: times }, (_, index) => call(apps[index % apps.length])))
    const counts: Record<number, number> = {}
    for (const answer of answers) counts[answer?.statusCode ?? 0] = (counts[answer?.statusCode ?? 0] ?? 0) + 1
    return counts
  }

  test('of 200 calls at once over three services exactly 120 pass, and headers go down by one each', async () => {
    const first = await call(apps[0])
    const second = await call(apps[1])
    expect([first, second].map((answer) => answer?.headers['x-ratelimit-remaining'])).toEqual(['119', '118'])
    expect(await callAll(198)).toEqual({ 200: perMinute - 2, 429: 80 })
    const refused = await call(apps[2])
    expect(refused?.statusCode).toBe(429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
  }, 60_000)

  test('wrong passwords at one service count at the others, and a right one gives back', async () => {
    const throttles = opened.map(({ limits }) => createSignInThrottle({ limits }))
    const guess = (index: number) => throttles[index % 3]?.begin('owner@example.com', '192.0.2.7')
    for (let wrong = 0; wrong < 9; wrong += 1) await guess(wrong)
    const right = await guess(9)
    await right?.wasRight()
    for (let wrong = 0; wrong < 10; wrong += 1) await guess(wrong)
    for (const index of [0, 1, 2]) await expect(guess(index)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  test('an emptied Redis begins to count again, and nothing else changes', async () => {
    expect(await callAll(150)).toEqual({ 200: perMinute, 429: 30 })
    const client = createClient({ url: redis.url })
    await client.connect()
    await client.sendCommand(['FLUSHALL'])
    client.destroy()
    expect(await callAll(150)).toEqual({ 200: perMinute, 429: 30 })
  }, 60_000)

  test('without Redis each service counts alone and says so, until it is back', async () => {
    const goneAtMs = Date.now()
    await redis.kill()
    expect(await callAll(3 * perMinute + 30)).toEqual({ 200: 3 * perMinute, 429: 30 })
    const ready = await apps[0]?.inject({ method: 'GET', url: '/readyz' })
    expect(ready?.statusCode).toBe(200)
    expect(ready?.json()).toMatchObject({
      status: 'ready',
      checks: expect.arrayContaining([
        {
          name: 'redis',
          ok: false,
          problem: 'does not answer; each process counts rate limits alone',
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ]),
    })
    const since = opened[0]?.limits.outage()?.since.getTime() ?? 0
    expect(since).toBeGreaterThanOrEqual(goneAtMs)
    await redis.start()
    await together()
    expect(await callAll(150)).toEqual({ 200: perMinute, 429: 30 })
    const again = await apps[0]?.inject({ method: 'GET', url: '/readyz' })
    expect(again?.json().checks).toContainEqual({ name: 'redis', ok: true })
  }, 90_000)

  test('a Redis that hangs holds up no one for longer than its time', async () => {
    redis.signal('SIGSTOP')
    try {
      const startedAt = performance.now()
      expect((await call(apps[0]))?.statusCode).toBe(200)
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      // It is known to hang now.
      const before = performance.now()
      for (let calls = 0; calls < 20; calls += 1) expect((await call(apps[0]))?.statusCode).toBe(200)
      expect(performance.now() - before).toBeLessThan(5_000)
      expect(opened[0]?.limits.outage()).toBeDefined()
    } finally {
      redis.signal('SIGCONT')
    }
    await together()
  }, 60_000)

  test('a wrong password stops the start, and names the setting', async () => {
    const redisUrl = redis.url.replace('a-password', 'wrong')
    await expect(openLimits({ redisUrl }, log)).rejects.toThrow(/REDIS_URL +has a name or password that Redis refuses/)
  })

  test('a Redis that is not there yet is found once it is', async () => {
    await redis.kill()
    const early = await openLimits({ redisUrl: redis.url }, log)
    expect(early.limits.outage()).toBeDefined()
    await redis.start()
    for (let turn = 0; turn < 100 && early.limits.outage() !== undefined; turn += 1) await wait(100)
    expect(early.limits.outage()).toBeUndefined()
    early.close()
  }, 30_000)
})
