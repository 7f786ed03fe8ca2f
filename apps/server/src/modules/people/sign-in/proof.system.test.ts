import { expect, test } from 'vitest'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { totpCode } from '../../../test/services/authenticator-app.ts'

let now = Date.parse('2026-11-20T09:30:00Z')
const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => new Date(now) } } })

const password = 'a password of sixteen'
const lifeMs = 10 * 60_000
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code ?? 'OK'
const unproven = (role: 'owner' | 'admin' = 'owner') => createTestPerson(t, farm, role, { password, isProven: false })

interface Change {
  what: string
  send: (person: TestPerson) => Promise<{ statusCode: number; json(): { error?: { code: string } } }>
}

let made = 0
const unique = () => `${++made}`
const aMember = (role: 'viewer' | 'owner') => createTestPerson(t, farm, role)
const changes: Change[] = [
  {
    what: 'invites a viewer',
    send: (person) => person.request('POST', '/invitations', { email: `v${unique()}@example.com`, role: 'viewer' }),
  },
  {
    what: 'gives a viewer the role of an operator',
    send: async (person) => {
      const { memberId } = await createTestPerson(t, farm, 'viewer')
      return person.request('PATCH', `/members/${memberId}`, { role: 'operator' })
    },
  },
  {
    what: 'makes an API key',
    send: (person) => person.request('POST', '/api-keys', { name: 'x', scopes: ['read'] }),
  },
  { what: 'adds a hub with its join code', send: (person) => person.request('POST', '/hubs', { name: unique() }) },
  {
    what: 'makes a join code',
    send: async (person) => {
      const hub = await farm.request('POST', '/hubs', { name: unique() })
      return person.request('POST', `/hubs/${hub.json().data.id}/join-code`)
    },
  },
  {
    what: 'makes a member an owner',
    send: async (person) =>
      person.request('PATCH', `/members/${(await aMember('viewer')).memberId}`, { role: 'owner' }),
  },
  {
    what: 'takes an owner their role',
    send: async (person) =>
      person.request('PATCH', `/members/${(await aMember('owner')).memberId}`, { role: 'viewer' }),
  },
  {
    what: 'removes an owner',
    send: async (person) => person.request('DELETE', `/members/${(await aMember('owner')).memberId}`),
  },
  {
    what: 'invites an owner',
    send: (person) => person.request('POST', '/invitations', { email: `o${unique()}@example.com`, role: 'owner' }),
  },
  {
    what: 'makes a link to the password of a member',
    send: async (person) => person.request('POST', `/members/${(await aMember('viewer')).memberId}/reset-link`),
  },
  { what: 'adds an authenticator app', send: (person) => person.request('POST', '/totp') },
  {
    what: 'lets members in without a second factor',
    send: (person) => person.request('PATCH', '/account', { require_second_factor: false }),
  },
]

test.each(changes)('who $what has lately shown to be there', async ({ send }) => {
  const person = await unproven()
  const refused = await send(person)
  expect(refused.json().error).toMatchObject({ code: 'PROOF_REQUIRED', details: { methods: ['password'] } })
  expect(codeOf(await person.request('POST', '/proof', { password }))).toBe('OK')
  expect(codeOf(await send(person))).toBe('OK')
  now += lifeMs
  expect(codeOf(await send(person))).toBe('PROOF_REQUIRED')
})

test('what gives no one more than they had asks for none, nor does a key', async () => {
  const person = await unproven('admin')
  const { memberId } = await createTestPerson(t, farm, 'operator')
  const change = (role: string) => person.request('PATCH', `/members/${memberId}`, { role })
  expect(codeOf(await change('viewer'))).toBe('OK')
  expect(codeOf(await change('operator'))).toBe('PROOF_REQUIRED')
  expect(codeOf(await person.request('DELETE', `/members/${memberId}/sessions`))).toBe('OK')
  expect(codeOf(await person.request('DELETE', `/members/${memberId}`))).toBe('OK')
  expect(codeOf(await person.request('DELETE', `/members/${person.memberId}`))).toBe('OK')
  expect((await farm.request('POST', '/hubs', { name: unique() })).statusCode).toBe(201)
})

test('signing in is a proof, in that session and for ten minutes', async () => {
  const person = await unproven()
  const answer = await t.app.inject(pageRequest('POST', '/sign-in', undefined, { email: person.email, password }))
  const cookie = String(answer.headers['set-cookie']).split(';')[0]
  const proof = async (header = cookie) => (await t.app.inject(pageRequest('GET', '/proof', header))).json().data
  expect(await proof()).toEqual({ proven_until: new Date(now + lifeMs).toISOString(), methods: ['password'] })
  expect(await proof(person.cookie)).toEqual({ proven_until: null, methods: ['password'] })
  now += lifeMs
  expect((await proof()).proven_until).toBeNull()
})

test('a refusal for want of a proof is not the answer of an Idempotency-Key', async () => {
  const person = await unproven()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const invite = () =>
    person.request('POST', '/invitations', { email: `again${unique()}@example.com`, role: 'owner' }, headers)
  made += 100
  const body = { email: 'again@example.com', role: 'owner' }
  expect(codeOf(await person.request('POST', '/invitations', body, headers))).toBe('PROOF_REQUIRED')
  await person.request('POST', '/proof', { password })
  expect((await person.request('POST', '/invitations', body, headers)).statusCode).toBe(201)
  expect(codeOf(await invite())).toBe('IDEMPOTENCY_KEY_REUSED')
})

test('a code is a proof once, a wrong one is none, and guesses are counted', async () => {
  const person = await createTestPerson(t, farm, 'owner', { password })
  const { secret } = (await person.request('POST', '/totp')).json().data
  await person.request('POST', '/totp/confirm', { code: totpCode(secret, new Date(now)) })
  now += lifeMs
  expect((await person.request('GET', '/proof')).json().data.methods).toEqual(['password', 'code'])
  const code = totpCode(secret, new Date(now))
  expect(codeOf(await person.request('POST', '/proof', { code: '000000' }))).toBe('CODE_INVALID')
  expect(codeOf(await person.request('POST', '/proof', { code }))).toBe('OK')
  expect(codeOf(await person.request('POST', '/proof', { code }))).toBe('CODE_INVALID')
  const guesses: string[] = []
  for (let guess = 0; guess < 11; guess += 1) {
    guesses.push(codeOf(await person.request('POST', '/proof', { code: '111111' })))
  }
  expect(guesses.at(-1)).toBe('RATE_LIMITED')
})

test('nothing that a person does not have is a proof', async () => {
  const person = await createTestPerson(t, farm, 'viewer', { isProven: false })
  expect((await person.request('GET', '/proof')).json().data).toEqual({ proven_until: null, methods: [] })
  for (const body of [{ password: 'x' }, { code: '000000' }, {}]) {
    expect(codeOf(await person.request('POST', '/proof', body))).toBe('VALIDATION_ERROR')
  }
})

test('who signs out everywhere is out in all browsers, this one too', async () => {
  const person = await createTestPerson(t, farm, 'operator', { password })
  const answer = await t.app.inject(pageRequest('POST', '/sign-in', undefined, { email: person.email, password }))
  const phone = String(answer.headers['set-cookie']).split(';')[0]
  const out = await person.request('POST', '/sign-out/everywhere')
  expect(out.json().data).toEqual({ ended_sessions: 2 })
  expect(out.headers['set-cookie']).toMatch(/Max-Age=0/)
  for (const cookie of [phone, person.cookie]) {
    expect(codeOf(await t.app.inject(pageRequest('GET', '/session', cookie)))).toBe('SESSION_EXPIRED')
  }
})

test('an account may ask for a second factor: a member without one adds it before anything else', async () => {
  const account = await t.account()
  const owner = await createTestPerson(t, account, 'owner', { password })
  const admin = await createTestPerson(t, account, 'admin', { password })
  const member = await createTestPerson(t, account, 'operator', { password })
  const bySso = await createTestPerson(t, account, 'operator')
  const elsewhere = await createTestPerson(t, await t.account(), 'operator', { password })
  expect(codeOf(await admin.request('PATCH', '/account', { require_second_factor: true }))).toBe('FORBIDDEN')
  expect(codeOf(await owner.request('PATCH', '/account', { require_second_factor: true }))).toBe('OK')

  const refused = await member.request('GET', '/jobs')
  expect(refused.json().error).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  expect(refused.statusCode).toBe(403)
  expect(codeOf(await owner.request('GET', '/members'))).toBe('SECOND_FACTOR_REQUIRED')
  expect(codeOf(await bySso.request('GET', '/jobs'))).toBe('OK')
  expect(codeOf(await elsewhere.request('GET', '/jobs'))).toBe('OK')
  expect((await account.request('GET', '/jobs')).statusCode).toBe(200)
  expect((await member.request('GET', '/session')).json().data.must_add_factor).toBe(true)

  const { secret } = (await member.request('POST', '/totp')).json().data
  expect(codeOf(await member.request('GET', '/jobs'))).toBe('SECOND_FACTOR_REQUIRED')
  await member.request('POST', '/totp/confirm', { code: totpCode(secret, new Date(now)) })
  expect(codeOf(await member.request('GET', '/jobs'))).toBe('OK')
  expect((await member.request('GET', '/session')).json().data.must_add_factor).toBe(false)
  expect(codeOf(await member.request('POST', '/totp/remove'))).toBe('OK')
  expect(codeOf(await member.request('GET', '/jobs'))).toBe('SECOND_FACTOR_REQUIRED')
})
