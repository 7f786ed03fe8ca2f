import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import {
  cookieOf,
  createTestPerson,
  pageHeaders,
  pageRequest,
  type TestPerson,
} from '../../../test/farm/test-person.ts'
import { removeOldSessions } from './sessions.service.ts'

const password = 'a password of sixteen'
const day = 24 * 3_600_000

let t: TestApp
let farm: TestAccount
let person: TestPerson
let now: Date
beforeAll(async () => {
  t = await createTestApp({ context: { clock: { now: () => now } } })
})
beforeEach(async () => {
  now = new Date('2026-11-20T08:00:00.000Z')
  farm = await t.account()
  person = await createTestPerson(t, farm, 'operator', { password })
})
afterAll(() => t.close())

const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

/** The same person in another browser. */
async function elsewhere(): Promise<{ cookie: string; id: string }> {
  const answer = await t.app.inject({
    ...pageRequest('POST', '/sign-in', undefined, { email: person.email, password }),
    headers: { ...pageHeaders, 'user-agent': 'Phone/1.0\t☂' },
    payload: { email: person.email, password },
  })
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', id: answer.json().data.session_id }
}

const outcome = (answer: { statusCode: number; json(): { error?: { code: string } } }) => [
  answer.statusCode,
  answer.json().error?.code,
]
const expired = [401, 'SESSION_EXPIRED']

async function lastSeen(): Promise<Date | undefined> {
  const [row] = await t.db.sql<{ last_seen_at: Date }[]>`
    select last_seen_at from sessions where account_id = ${farm.id} and id = ${person.sessionId}`
  return row?.last_seen_at
}

test('without a cookie one is told to sign in, and with one that opens nothing that it is over', async () => {
  expect(outcome(await t.app.inject(pageRequest('GET', '/session')))).toEqual([401, 'UNAUTHORIZED'])
  const answer = await t.app.inject(pageRequest('GET', '/session', cookieOf('A'.repeat(43))))
  expect(answer.json().error).toMatchObject({ code: 'SESSION_EXPIRED' })
  expect(outcome(answer)).toEqual(expired)
})

test('a key opens nothing that is for people, and a session nothing that is for keys', async () => {
  const byKey = await t.app.inject({ url: '/app/v1/jobs', headers: { authorization: `Bearer ${farm.key}` } })
  expect(outcome(byKey)).toEqual([401, 'UNAUTHORIZED'])
  const bySession = await t.app.inject({ url: '/public/v1/jobs', headers: { ...pageHeaders, cookie: person.cookie } })
  expect(outcome(bySession)).toEqual([401, 'UNAUTHORIZED'])
})

test('signing out ends the session for the very next request, and clears the cookie', async () => {
  const answer = await person.request('POST', '/sign-out')
  expect(answer.json()).toEqual({ success: true, data: {} })
  expect(answer.headers['set-cookie']).toMatch(/^printyard_session_[\w-]{8}=; .*Max-Age=0$/)
  expect(outcome(await person.request('GET', '/session'))).toEqual(expired)
})

test('a session that is revoked elsewhere is over for the very next request', async () => {
  const phone = await elsewhere()
  const list = (await person.request('GET', '/sessions')).json().data
  expect(list).toEqual([
    {
      id: phone.id,
      created_at: now.toISOString(),
      last_seen_at: now.toISOString(),
      ip: '127.0.0.1',
      user_agent: 'Phone/1.0',
      is_current: false,
    },
    expect.objectContaining({ id: person.sessionId, is_current: true }),
  ])
  expect((await person.request('DELETE', `/sessions/${phone.id}`)).statusCode).toBe(200)
  expect(outcome(await t.app.inject(pageRequest('GET', '/session', phone.cookie)))).toEqual(expired)
  expect((await person.request('GET', '/sessions')).json().data).toHaveLength(1)
  expect(outcome(await person.request('DELETE', `/sessions/${phone.id}`))).toEqual([404, 'NOT_FOUND'])
})

test("another person's session is neither seen nor ended, whatever one's role", async () => {
  const owner = await createTestPerson(t, farm, 'owner')
  expect(outcome(await owner.request('DELETE', `/sessions/${person.sessionId}`))).toEqual([404, 'NOT_FOUND'])
  expect((await owner.request('GET', '/sessions')).json().data.map((each: { id: string }) => each.id)).toEqual([
    owner.sessionId,
  ])
  expect((await person.request('GET', '/session')).statusCode).toBe(200)
})

test('a session ends after seven days without use, and after thirty in any case', async () => {
  for (let week = 0; week < 4; week += 1) {
    later(7 * day - 1)
    expect((await person.request('GET', '/session')).statusCode).toBe(200)
    const seen = now
    await t.settled(async () => (await lastSeen())?.getTime() === seen.getTime())
  }
  later(3 * day)
  expect(outcome(await person.request('GET', '/session'))).toEqual(expired)
  const idle = await createTestPerson(t, farm, 'viewer')
  later(7 * day)
  expect(outcome(await idle.request('GET', '/session'))).toEqual(expired)
})

test('the time of last use is written at most once a minute', async () => {
  const beginning = now
  later(59_000)
  await Promise.all(Array.from({ length: 5 }, () => person.request('GET', '/session')))
  expect(await lastSeen()).toEqual(beginning)
  later(1_000)
  const minute = now
  await Promise.all(Array.from({ length: 5 }, () => person.request('GET', '/session')))
  await t.settled(async () => (await lastSeen())?.getTime() === minute.getTime())
  later(59_000)
  await person.request('GET', '/session')
  expect(await lastSeen()).toEqual(minute)
})

test('another role and the end of the membership count for the next request', async () => {
  const create = () => person.request('POST', '/colors', { color_name: crypto.randomUUID(), hex_code: '#FF0000' })
  expect((await create()).statusCode).toBe(201)
  await t.db.sql`update members set role = 'viewer' where account_id = ${farm.id} and user_id = ${person.userId}`
  expect(outcome(await create())).toEqual([403, 'FORBIDDEN'])
  await t.db.sql`delete from members where account_id = ${farm.id} and user_id = ${person.userId}`
  expect(outcome(await create())).toEqual(expired)
})

test('what changes something is taken from our own pages alone', async () => {
  const from = async (headers: Record<string, string>) => {
    const answer = await t.app.inject({
      method: 'PUT',
      url: '/app/v1/profile',
      headers: { host: 'localhost', cookie: person.cookie, ...headers },
      payload: { name: 'Changed' },
    })
    return outcome(answer)
  }
  const refused = [403, 'ORIGIN_REFUSED']
  expect(await from({})).toEqual(refused)
  expect(await from({ origin: 'null' })).toEqual(refused)
  expect(await from({ origin: 'http://elsewhere.example' })).toEqual(refused)
  expect(await from({ origin: 'http://localhost:8080' })).toEqual(refused)
  expect(await from({ origin: 'http://localhost', 'sec-fetch-site': 'cross-site' })).toEqual(refused)
  expect(await from({ origin: 'http://localhost', 'sec-fetch-site': 'same-site' })).toEqual(refused)
  expect((await person.request('GET', '/session')).json().data.user.name).toBe('A operator')
  expect(await from({ origin: 'http://localhost' })).toEqual([200, undefined])
  expect(await from({ 'sec-fetch-site': 'same-origin' })).toEqual([200, undefined])
  const answer = await person.request('PUT', '/profile', { name: 'Again' }, { origin: 'http://elsewhere.example' })
  expect(answer.json().error).toMatchObject({ code: 'ORIGIN_REFUSED' })
})

test('the language of a person is theirs wherever they sign in, until another is chosen', async () => {
  const language = async () => (await person.request('GET', '/session')).json().data.user.language
  expect(await language()).toBeNull()
  const chosen = await person.request('PUT', '/profile', { name: 'Again', language: 'de' })
  expect(chosen.json().data).toMatchObject({ name: 'Again', language: 'de' })
  const phone = await elsewhere()
  const there = await t.app.inject(pageRequest('GET', '/session', phone.cookie))
  expect(there.json().data.user.language).toBe('de')
  // A name alone leaves it.
  await person.request('PUT', '/profile', { name: 'Another' })
  expect(await language()).toBe('de')
  const unknown = await person.request('PUT', '/profile', { name: 'Another', language: 'DE' })
  expect(outcome(unknown)).toEqual([400, 'VALIDATION_ERROR'])
  await person.request('PUT', '/profile', { name: 'Another', language: null })
  expect(await language()).toBeNull()
})

test('a new password needs the present one, and signs out everywhere else', async () => {
  const phone = await elsewhere()
  const wrong = await person.request('PUT', '/password', { current_password: 'not it', new_password: 'a new password' })
  expect(wrong.json().error.details).toEqual({ current_password: ['is not your password'] })
  const short = await person.request('PUT', '/password', { current_password: password, new_password: 'short' })
  expect(short.json().error.details).toEqual({ new_password: [expect.stringContaining('at least 12')] })
  const changed = await person.request('PUT', '/password', {
    current_password: password,
    new_password: 'a new password',
  })
  expect(changed.json()).toEqual({ success: true, data: {} })
  expect(outcome(await t.app.inject(pageRequest('GET', '/session', phone.cookie)))).toEqual(expired)
  expect((await person.request('GET', '/session')).statusCode).toBe(200)
  const signIn = (typed: string) =>
    t.app.inject(pageRequest('POST', '/sign-in', undefined, { email: person.email, password: typed }))
  expect((await signIn(password)).statusCode).toBe(401)
  expect((await signIn('a new password')).statusCode).toBe(200)
})

test('guessing the present password in an open session is throttled', async () => {
  const guess = () => person.request('PUT', '/password', { current_password: 'no', new_password: 'a new password' })
  const answers = await Promise.all(Array.from({ length: 12 }, guess))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([...Array(10).fill(400), 429, 429])
})

test('an account that one is no member of cannot be looked at', async () => {
  const stranger = await t.account({ name: 'Stranger' })
  const answer = await person.request('PUT', '/session/account', { account_id: stranger.id })
  expect(outcome(answer)).toEqual([404, 'NOT_FOUND'])
  expect((await person.request('GET', '/session')).json().data.account.id).toBe(farm.id)
})

test('an Idempotency-Key is that of the person, over all their sessions, and of no one else', async () => {
  const body = { color_name: crypto.randomUUID(), hex_code: '#00FF00' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const first = await person.request('POST', '/colors', body, headers)
  const phone = await elsewhere()
  const again = await t.app.inject(pageRequest('POST', '/colors', phone.cookie, body, headers))
  expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body])
  const other = await createTestPerson(t, farm, 'operator')
  expect((await other.request('POST', '/colors', body, headers)).json().error.code).toBe('DUPLICATE_COLOR')
})

test('what a person does stands under their name', async () => {
  const color = await person.request('POST', '/colors', { color_name: 'Blue', hex_code: '#0000FF' })
  const [event] = await t.db.sql<{ actor: string }[]>`
    select actor from events where account_id = ${farm.id} and subject_id = ${color.json().data.id}`
  expect(event?.actor).toBe(`user:${person.userId}`)
})

test('a person has a generous limit of their own, over all their sessions', async () => {
  const answer = await person.request('GET', '/session')
  expect(Number(answer.headers['x-ratelimit-limit'])).toBeGreaterThanOrEqual(1_200)
  expect(answer.headers['ratelimit-policy']).toMatch(/^"default";q=\d+;w=60$/)
  const phone = await t.app.inject(pageRequest('GET', '/session', (await elsewhere()).cookie))
  expect(Number(phone.headers['x-ratelimit-remaining'])).toBe(Number(answer.headers['x-ratelimit-remaining']) - 1)
})

test('sessions that have long been over are forgotten, others are not', async () => {
  const ids = async () => (await t.db.sql`select id from sessions where account_id = ${farm.id}`).map((row) => row.id)
  later(40 * day)
  const fresh = await createTestPerson(t, farm, 'viewer')
  await removeOldSessions(t.context)
  expect(await ids()).toEqual(expect.arrayContaining([person.sessionId, fresh.sessionId]))
  later(21 * day)
  await removeOldSessions(t.context)
  expect(await ids()).toEqual([fresh.sessionId])
})
