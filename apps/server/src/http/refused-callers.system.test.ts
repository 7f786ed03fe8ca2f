import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, revokeApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { systemWork } from '../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import { createTestPerson } from '../test/farm/test-person.ts'

let t: TestApp
let account: TestAccount
const lines: string[] = []
const refused = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'refused')

beforeAll(async () => {
  t = await createTestApp({
    config: { rateLimitPerMinute: 5 },
    context: { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) },
  })
  account = await t.account()
})
afterAll(() => t.close())
beforeEach(() => void lines.splice(0))

async function makeKey(scopes: ('read' | 'write')[]) {
  return createApiKey(systemWork(t.db.sql, account.id), { name: 'x', scopes, expiresAt: null })
}

const ask = (key: string, method: 'GET' | 'POST', url: string, remoteAddress = '192.0.2.1') =>
  t.app.inject({ method, url, headers: { authorization: `Bearer ${key}` }, remoteAddress })

test('who has no key, a revoked one or too little scope stands in the log at info, by address and key', async () => {
  const wrong = `printyard_live_${'0'.repeat(64)}`
  await ask(wrong, 'GET', '/public/v1/jobs')
  const revoked = await makeKey(['read'])
  await t.db.begin((sql) => revokeApiKey(systemWork(sql, account.id), revoked.id))
  await ask(revoked.key, 'GET', '/public/v1/jobs')
  const reading = await makeKey(['read'])
  await ask(reading.key, 'POST', '/public/v1/colors')
  expect(refused()).toMatchObject([
    { level: 30, status: 401, code: 'TOKEN_INVALID', address: '192.0.2.1', route: '/public/v1/jobs' },
    { status: 401, code: 'TOKEN_REVOKED', api_key_id: revoked.id },
    { status: 403, code: 'INSUFFICIENT_SCOPE', api_key_id: reading.id, route: '/public/v1/colors' },
  ])
  expect(refused()[0]).not.toHaveProperty('api_key_id')
  for (const { key } of [{ key: wrong }, revoked, reading]) expect(lines.join()).not.toContain(key)
})

test('who sends too much is named by the key, and a person by their ID', async () => {
  const { id, key } = await makeKey(['read'])
  for (let n = 0; n < 6; n += 1) await ask(key, 'GET', '/public/v1/jobs')
  const viewer = await createTestPerson(t, account, 'viewer')
  await viewer.request('POST', '/colors', { color_name: 'Red', hex_code: '#FF0000' })
  expect(refused()).toMatchObject([
    { status: 429, code: 'RATE_LIMITED', api_key_id: id },
    { status: 403, code: 'FORBIDDEN', user_id: viewer.userId },
  ])
})

test('a caller who guesses on and on does not fill the log', async () => {
  for (let n = 0; n < 100; n += 1) await ask(`wrong-${n}`, 'GET', '/public/v1/jobs', '198.51.100.9')
  expect(refused()).toHaveLength(20)
})

test('what succeeds, and what is wrong in another way, is not written at info', async () => {
  await ask((await makeKey(['read'])).key, 'GET', '/public/v1/jobs')
  await ask((await makeKey(['read'])).key, 'GET', '/public/v1/jobs/job_none')
  expect(lines).toEqual([])
})
