import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../test/app/test-app.ts'
import { createTestPerson } from '../test/farm/test-person.ts'
import type { AccountId } from './ids.ts'

const proxy = '10.77.0.9'
const password = 'the one of today'

let t: TestApp
let account: { id: AccountId }
beforeAll(async () => {
  t = await createTestApp({ config: { trustedProxies: '10.77.0.0/16, ::1' } })
  account = await t.account()
})
afterAll(() => t.close())

/** Signs in as through a proxy that ends TLS. */
async function signIn(email: string, from: string, headers: Record<string, string> = {}, typed = password) {
  return t.app.inject({
    method: 'POST',
    url: '/app/v1/sign-in',
    remoteAddress: from,
    headers: {
      'content-type': 'application/json',
      host: 'service:4400',
      'x-forwarded-host': 'farm.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.5',
      origin: 'https://farm.example.com',
      ...headers,
    },
    payload: JSON.stringify({ email, password: typed }),
  })
}

async function ipOf(sessionId: string): Promise<string> {
  const [row] = await t.db.sql<{ ip: string }[]>`
    select ip from sessions where account_id = ${account.id} and id = ${sessionId}`
  return row?.ip ?? ''
}

test('who asks through a trusted proxy is known by their own address, host and encryption', async () => {
  const { email } = await createTestPerson(t, account, 'operator', { password })
  const answer = await signIn(email, proxy)
  expect(answer.statusCode).toBe(200)
  expect([answer.headers['set-cookie']].flat().join('\n')).toMatch(/^__Host-printyard_session_[\w-]{8}=.*; Secure$/m)
  expect(await ipOf(answer.json().data.session_id)).toBe('203.0.113.5')
})

test('addresses that a client puts before its own through a trusted proxy count for nothing', async () => {
  const { email } = await createTestPerson(t, account, 'operator', { password })
  const answer = await signIn(email, proxy, { 'x-forwarded-for': '127.0.0.1, 198.51.100.1, 203.0.113.6, 10.77.0.3' })
  expect(await ipOf(answer.json().data.session_id)).toBe('203.0.113.6')
})

test('the word of anybody else is taken for nothing', async () => {
  const { email } = await createTestPerson(t, account, 'operator', { password })
  expect((await signIn(email, '192.0.2.1')).json().error.code).toBe('ORIGIN_REFUSED')
  const answer = await signIn(email, '192.0.2.1', { origin: 'http://service:4400' })
  expect([answer.headers['set-cookie']].flat().join('\n')).toMatch(/^printyard_session_[\w-]{8}=/m)
  expect(await ipOf(answer.json().data.session_id)).toBe('192.0.2.1')
})

test('one client of a proxy who tries too often holds up no other', async () => {
  const tryLink = async (client: string) => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/app/v1/password/reset',
      remoteAddress: proxy,
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': client,
      },
      payload: JSON.stringify({ token: 'none', password }),
    })
    return answer.json().error.code
  }
  for (let number = 0; number < 10; number += 1) expect(await tryLink('198.51.100.66')).toBe('RESET_LINK_INVALID')
  expect(await tryLink('198.51.100.66')).toBe('RATE_LIMITED')
  expect(await tryLink('198.51.100.67')).toBe('RESET_LINK_INVALID')
})

test('behind a trusted proxy on this machine no one is at the machine', async () => {
  const answer = await t.app.inject({
    url: '/metrics',
    remoteAddress: '::1',
    headers: { 'x-forwarded-for': '127.0.0.1' },
  })
  expect([401, 403, 404]).toContain(answer.statusCode)
})
