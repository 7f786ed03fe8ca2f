import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../kernel/actor.ts'
import { createApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { systemWork } from '../test/app/system-work.ts'
import { createTestApp, type TestApp } from '../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'

const limit = 120

let limited: TestApp
let t: TestApp
let farm: TestFarm
beforeAll(async () => {
  limited = await createTestApp({ config: { rateLimitPerMinute: limit } })
  await limited.app.listen({ host: '127.0.0.1', port: 0 })
  t = await createTestApp()
  farm = await createTestFarm(t)
})
afterAll(async () => {
  await farm?.hub.close()
  await t?.close()
  await limited?.close()
})

/** Sends a request over a connection of its own, if there are many. */
async function send(
  to: TestApp,
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${to.app.listeningOrigin}/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(25_000),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

test('of 200 requests at once with one key exactly 120 are answered, and each says what is left', async () => {
  const account = await limited.account()
  const answers = await many(200, () => send(limited, account.key, 'GET', '/jobs?limit=1'))
  const numberIn = (answer: (typeof answers)[number], header: string) => Number(answer.headers.get(header))
  const served = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status === 429)
  expect([served.length, refused.length]).toEqual([limit, 80])

  const left = served.map((answer) => numberIn(answer, 'x-ratelimit-remaining')).sort((a, b) => a - b)
  expect(left).toEqual(Array.from({ length: limit }, (_, n) => n))
  for (const answer of answers) {
    const remaining = answer.status === 200 ? numberIn(answer, 'x-ratelimit-remaining') : 0
    expect(numberIn(answer, 'x-ratelimit-limit')).toBe(limit)
    expect(numberIn(answer, 'x-ratelimit-remaining')).toBe(remaining)
    expect(answer.headers.get('ratelimit-policy')).toBe(`"default";q=${limit};w=60`)
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=([1-9]|[1-5]\\d|60)$`))
  }
  // One window for all of them, which refused calls do not move: only rounding may differ.
  const resets = answers.map((answer) => numberIn(answer, 'x-ratelimit-reset'))
  expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1)
  for (const answer of refused) {
    expect(answer.headers.get('retry-after')).toBe(/t=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
    expect(JSON.parse(answer.text)).toMatchObject({ success: false, error: { code: 'RATE_LIMITED' } })
  }

  // Another key of the same account has an allowance of its own, and what is refused for it does nothing.
  const input = { name: 'other', scopes, expiresAt: null }
  const { key: other } = await createApiKey(systemWork(limited.db.sql, account.id), input)
  expect((await send(limited, other, 'GET', '/jobs?limit=1')).headers.get('x-ratelimit-remaining')).toBe(
    String(limit - 1),
  )
  expect(
    (await send(limited, account.key, 'POST', '/worklist', { title: 'Sweep', task_type: 'maintenance' })).status,
  ).toBe(429)
  expect(JSON.parse((await send(limited, other, 'GET', '/worklist')).text).data).toEqual([])
})

test('50 equal enqueues with one Idempotency-Key make one job and 50 equal answers', async () => {
  const body = { print_file_id: farm.fileId, color: 'violet' }
  let inProgress = 0
  /** Retries as a client should, while the first one is still running. */
  async function enqueue() {
    for (let tries = 0; tries < 200; tries++) {
      const answer = await send(t, farm.account.key, 'POST', '/jobs', body, { 'idempotency-key': 'violet-1' })
      if (answer.status !== 409) return answer
      expect(JSON.parse(answer.text).error.code).toBe('IDEMPOTENCY_IN_PROGRESS')
      expect(answer.headers.get('retry-after')).toBe('1')
      inProgress += 1
      await wait(100)
    }
    throw new Error('the first request never ended')
  }
  const answers = await many(50, enqueue)
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
  expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(201))
  const first = answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)
  expect(first, `${inProgress} came while it ran`).toHaveLength(1)
  const jobs = await t.db.sql`select id from jobs where account_id = ${farm.account.id} and color = 'violet'`
  expect(jobs.map((job) => job.id)).toEqual([JSON.parse(answers[0]?.text ?? '').data.id])
})
