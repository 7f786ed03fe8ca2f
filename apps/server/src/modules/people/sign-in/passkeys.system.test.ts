import { expect, test } from 'vitest'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { createTestAuthenticator } from '../../../test/services/test-authenticator.ts'

let now = Date.parse('2026-11-20T09:30:00Z')
const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => new Date(now) } } })

const password = 'a password of sixteen'
type Authenticator = ReturnType<typeof createTestAuthenticator>
type Manner = Parameters<Authenticator['get']>[1]

let asked = 0
function anonymous(path: string, body: unknown = {}) {
  asked += 1
  return t.app.inject({
    ...pageRequest('POST', path, undefined, body),
    remoteAddress: `10.5.${asked >> 8}.${asked & 255}`,
  })
}
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code ?? 'OK'
const invalid = { code: 'PASSKEY_INVALID' }

async function add(person: TestPerson, authenticator: Authenticator, name = 'Laptop', manner: Manner = {}) {
  const { options } = (await person.request('POST', '/passkeys/options')).json().data
  return person.request('POST', '/passkeys', { name, response: authenticator.create(options, manner) })
}

async function personWithPasskey() {
  const person = await createTestPerson(t, farm, 'operator', { password })
  const authenticator = createTestAuthenticator()
  const added = await add(person, authenticator)
  expect(added.statusCode, added.body).toBe(201)
  return { person, authenticator, id: added.json().data.id as string }
}

async function signIn(authenticator: Authenticator, manner: Manner = {}) {
  const { options } = (await anonymous('/passkeys/sign-in/options')).json().data
  return anonymous('/passkeys/sign-in', { response: authenticator.get(options, manner) })
}

test('a passkey that was added signs its person in, and the password alone no longer does', async () => {
  const { person, authenticator } = await personWithPasskey()
  const answer = await signIn(authenticator)
  expect(answer.json().data).toMatchObject({ user: { id: person.userId }, account: { id: farm.id }, role: 'operator' })
  const cookie = String(answer.headers['set-cookie']).split(';')[0]
  expect((await t.app.inject(pageRequest('GET', '/session', cookie))).statusCode).toBe(200)
  // It is a proof, too.
  expect((await t.app.inject(pageRequest('POST', '/totp', cookie, {}))).statusCode).toBe(200)

  const byPassword = await anonymous('/sign-in', { email: person.email, password })
  expect(byPassword.json().error).toMatchObject({ code: 'CODE_REQUIRED', details: { methods: ['passkey'] } })
  const events = await t.db.sql`
    select type from events where account_id = ${farm.id} and subject_id = ${person.userId} and type like '%passkey%'`
  expect(events).toEqual([{ type: 'user.passkey_added' }])
})

test('passkeys are listed, renamed and removed by their person, and by no one else', async () => {
  const { person, authenticator, id } = await personWithPasskey()
  const other = await createTestPerson(t, farm, 'owner')
  expect(codeOf(await other.request('PATCH', `/passkeys/${id}`, { name: 'Stolen' }))).toBe('NOT_FOUND')
  expect(codeOf(await other.request('DELETE', `/passkeys/${id}`))).toBe('NOT_FOUND')
  expect((await other.request('GET', '/passkeys')).json().data).toEqual({ available: true, passkeys: [] })

  expect((await person.request('PATCH', `/passkeys/${id}`, { name: ' Desk ' })).json().data.name).toBe('Desk')
  await signIn(authenticator)
  expect((await person.request('GET', '/passkeys')).json().data.passkeys).toEqual([
    { id, name: 'Desk', created_at: new Date(now).toISOString(), last_used_at: new Date(now).toISOString() },
  ])
  expect((await person.request('DELETE', `/passkeys/${id}`)).statusCode).toBe(200)
  expect((await signIn(authenticator)).json().error).toMatchObject(invalid)
  expect(codeOf(await anonymous('/sign-in', { email: person.email, password }))).toBe('OK')
})

test('a passkey that is added ends the sessions of before everywhere else', async () => {
  const person = await createTestPerson(t, farm, 'operator', { password })
  const elsewhere = String(
    (await anonymous('/sign-in', { email: person.email, password })).headers['set-cookie'],
  ).split(';')[0]
  expect((await add(person, createTestAuthenticator())).statusCode).toBe(201)
  expect(codeOf(await t.app.inject(pageRequest('GET', '/session', elsewhere)))).toBe('SESSION_EXPIRED')
  expect(codeOf(await person.request('GET', '/session'))).toBe('OK')
})

test.each([
  ['of a page at another address', { origin: 'https://evil.example' }],
  ['of a device that was not unlocked', { isVerified: false }],
  ['signed by another key', { isForged: true }],
])('an answer %s signs no one in', async (_, manner: Manner) => {
  const { authenticator } = await personWithPasskey()
  const refused = await signIn(authenticator, manner)
  expect(refused.json().error).toMatchObject(invalid)
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect(codeOf(await signIn(authenticator))).toBe('OK')
})

test('a copy of a passkey, whose count is behind, signs no one in', async () => {
  const { authenticator } = await personWithPasskey()
  expect(codeOf(await signIn(authenticator, { count: 5 }))).toBe('OK')
  expect((await signIn(authenticator, { count: 4 })).json().error).toMatchObject(invalid)
})

test('a challenge counts once, for five minutes, and for what it was given', async () => {
  const { person, authenticator } = await personWithPasskey()
  const begin = async () => (await anonymous('/passkeys/sign-in/options')).json().data.options
  const answer = { response: authenticator.get(await begin()) }
  expect(codeOf(await anonymous('/passkeys/sign-in', answer))).toBe('OK')
  expect(codeOf(await anonymous('/passkeys/sign-in', answer))).toBe('PASSKEY_INVALID')

  const late = authenticator.get(await begin())
  now += 5 * 60_000
  expect(codeOf(await anonymous('/passkeys/sign-in', { response: late }))).toBe('PASSKEY_INVALID')

  const { options } = (await person.request('POST', '/proof/passkey/options')).json().data
  expect(codeOf(await anonymous('/passkeys/sign-in', { response: authenticator.get(options) }))).toBe('PASSKEY_INVALID')
  const forged = { challenge: Buffer.alloc(32).toString('base64url'), rpId: 'localhost' }
  expect(codeOf(await anonymous('/passkeys/sign-in', { response: authenticator.get(forged) }))).toBe('PASSKEY_INVALID')
})

test('a passkey is a proof for its own person alone', async () => {
  const { person, authenticator } = await personWithPasskey()
  const { authenticator: another } = await personWithPasskey()
  now += 10 * 60_000
  const refused = await person.request('POST', '/totp')
  expect(refused.json().error).toMatchObject({
    code: 'PROOF_REQUIRED',
    details: { methods: ['password', 'passkey'] },
  })
  const begin = async () => (await person.request('POST', '/proof/passkey/options')).json().data.options
  const { challenge, rpId } = await begin()
  const foreign = await person.request('POST', '/proof/passkey', { response: another.get({ challenge, rpId }) })
  expect(foreign.json().error).toMatchObject(invalid)
  expect(codeOf(await person.request('POST', '/totp'))).toBe('PROOF_REQUIRED')
  const proven = await person.request('POST', '/proof/passkey', { response: authenticator.get(await begin()) })
  expect(proven.json().data.proven_until).toBe(new Date(now + 10 * 60_000).toISOString())
  expect(codeOf(await person.request('POST', '/totp'))).toBe('OK')
})

test('a passkey is added and removed with a proof only, and one that was made without being unlocked is not taken', async () => {
  const { person, id } = await personWithPasskey()
  const careless = await add(person, createTestAuthenticator(), 'Careless', { isVerified: false })
  expect(careless.json().error).toMatchObject(invalid)
  now += 10 * 60_000
  expect(codeOf(await person.request('POST', '/passkeys/options'))).toBe('PROOF_REQUIRED')
  expect(codeOf(await person.request('DELETE', `/passkeys/${id}`))).toBe('PROOF_REQUIRED')
})

test('where browsers use no passkeys none is offered', async () => {
  const person = await createTestPerson(t, farm, 'viewer')
  const headers = { host: '192.168.1.20:4400', origin: 'http://192.168.1.20:4400' }
  const list = await t.app.inject(pageRequest('GET', '/passkeys', person.cookie, undefined, headers))
  expect(list.json().data.available).toBe(false)
  const started = await t.app.inject(pageRequest('POST', '/passkeys/options', person.cookie, {}, headers))
  expect(started.json().error).toMatchObject(invalid)
})
