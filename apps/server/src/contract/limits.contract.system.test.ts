import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../kernel/config.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { errorOf, keyWith } from './expectations.ts'

/** What a service allows that no one configured. */
const { rateLimitPerMinute } = readConfig({})
const startOfWindow = new Date('2026-11-20T09:30:00.000Z').getTime()

const { t, account } = accountForEachTest({ config: { rateLimitPerMinute } })
beforeEach(async () => {
  // Only the time of day: what waits, waits as ever.
  vi.useFakeTimers({ toFake: ['Date'], now: startOfWindow })
})
afterEach(() => {
  vi.useRealTimers()
})

const read = (key = account.key, path = '/jobs/unknown') =>
  account.request('GET', path, undefined, { authorization: `Bearer ${key}` })

async function use(calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) expect((await read()).statusCode).toBe(404)
}

const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

describe('requests per API key', () => {
  test('120 in a minute are answered, the 121st is 429 RATE_LIMITED', async () => {
    expect(rateLimitPerMinute).toBe(120)
    await use(120)
    const refused = await read()
    errorOf(refused, 429, 'RATE_LIMITED')
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '120' })
  })

  test('every answer says what is allowed, what is left, and when it starts over', async () => {
    const { headers } = await read()
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '119',
      'x-ratelimit-reset': String(startOfWindow / 1000 + 60),
      ratelimit: '"default";r=119;t=60',
      'ratelimit-policy': '"default";q=120;w=60',
    })
    passSeconds(20)
    expect((await read()).headers).toMatchObject({
      'x-ratelimit-remaining': '118',
      'x-ratelimit-reset': String(startOfWindow / 1000 + 60),
      ratelimit: '"default";r=118;t=40',
    })
  })

  test('the window is fixed from its first call, and refused calls do not extend it', async () => {
    await use(1)
    passSeconds(30)
    await use(119)
    errorOf(await read(), 429, 'RATE_LIMITED')
    passSeconds(29)
    const refused = await read()
    errorOf(refused, 429, 'RATE_LIMITED')
    expect(refused.headers['retry-after']).toBe('1')
    passSeconds(1)
    expect((await read()).headers['x-ratelimit-remaining']).toBe('119')
  })

  test('another key has a count of its own, also of the same account', async () => {
    await use(120)
    errorOf(await read(), 429, 'RATE_LIMITED')
    expect((await read(await keyWith(t, account, ['read']))).statusCode).toBe(404)
  })

  test('the limit comes before the scope and before the thing: a refusal reveals neither', async () => {
    const key = await keyWith(t, account, ['write'])
    for (let call = 0; call < 120; call += 1) errorOf(await read(key), 403, 'INSUFFICIENT_SCOPE')
    const refused = await read(key)
    errorOf(refused, 429, 'RATE_LIMITED')
    expect((await read(key, '/analytics/overview')).body).toBe(refused.body)
  })
})

test('wrong keys are counted by client address, so that keys cannot be guessed at speed; a right one still passes', async () => {
  const guess = (remoteAddress: string) =>
    t.app.inject({
      url: '/public/v1/jobs',
      remoteAddress,
      headers: { authorization: `Bearer printyard_live_${'0'.repeat(64)}` },
    })
  const statuses: number[] = []
  for (let call = 0; call < 200 && !statuses.includes(429); call += 1) {
    statuses.push((await guess('192.0.2.1')).statusCode)
  }
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
  const refused = await guess('192.0.2.1')
  errorOf(refused, 429, 'RATE_LIMITED')
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  errorOf(await guess('198.51.100.7'), 401, 'TOKEN_INVALID')
  const right = await t.app.inject({
    url: '/public/v1/jobs',
    remoteAddress: '192.0.2.1',
    headers: { authorization: `Bearer ${account.key}` },
  })
  expect(right.statusCode).toBe(200)
})
