import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import { createSecretBox } from '../../../kernel/secret-box.ts'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { cookieOf, createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { signIn } from './sign-in.service.ts'
import { signInThrottle } from './sign-in-throttle.ts'

const password = 'a password of sixteen'

let person: TestPerson
let now = new Date('2026-11-20T08:00:00.000Z')
const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => now } } })
beforeAll(async () => {
  person = await createTestPerson(t, farm, 'operator', { password })
})

let networks = 0
/** A network that has guessed nothing yet. */
function freshAddress(): string {
  networks += 1
  return `203.0.113.${networks}`
}

function send(body: object, headers: Record<string, string> = {}, remoteAddress = freshAddress(), cookie?: string) {
  return t.app.inject({ ...pageRequest('POST', '/sign-in', cookie, body, headers), remoteAddress })
}

const cookiesOf = (answer: Awaited<ReturnType<typeof send>>) => [answer.headers['set-cookie'] ?? []].flat()

function tokenIn(answer: Awaited<ReturnType<typeof send>>): string {
  return /=([^;]+);/.exec(String(answer.headers['set-cookie']))?.[1] ?? ''
}

test('signing in answers who it is and gives a cookie that scripts cannot read and that opens the next request', async () => {
  const answer = await send({ email: person.email.toUpperCase(), password })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json().data).toEqual({
    session_id: expect.stringMatching(/^ses_/),
    user: { id: person.userId, name: 'A operator', email: person.email, language: null, totp_enabled: false },
    account: { id: farm.id, name: 'Test farm', time_zone: 'UTC' },
    member_id: person.memberId,
    role: 'operator',
    scopes: ['read', 'write', 'control'],
    may_make_keys: false,
    must_add_factor: false,
    accounts: [{ id: farm.id, name: 'Test farm', role: 'operator' }],
    version: 'test',
  })
  expect(cookiesOf(answer)[0]).toMatch(
    /^printyard_session_[\w-]{8}=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
  )
  const session = await t.app.inject(pageRequest('GET', '/session', cookieOf(tokenIn(answer))))
  expect(session.json()).toEqual(answer.json())
})

test('the database holds no token, only its hash', async () => {
  const answer = await send({ email: person.email, password })
  const rows = await t.db.sql<{ token_hash: Buffer }[]>`
    select token_hash from sessions where account_id = ${farm.id} and id = ${answer.json().data.session_id}`
  expect(rows.map((row) => row.token_hash.toString('hex'))).toEqual([
    createHash('sha256').update(tokenIn(answer)).digest('hex'),
  ])
})

test.each(['192.168.1.20:4400', 'farm.local:4400', 'localhost:4400', '127.0.0.1:4400', '[::1]:4400'])(
  'over plain HTTP at %s the cookie is one that every browser keeps',
  async (host) => {
    const answer = await send({ email: person.email, password }, { host, origin: `http://${host}` })
    expect(cookiesOf(answer)[0]).toMatch(
      /^printyard_session_[\w-]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
  },
)

test.each([undefined, 'https://farm.example'])(
  'two services beside one another on a host keep their sessions apart: public address %s',
  async (publicUrl) => {
    const config = publicUrl === undefined ? {} : { publicUrl }
    const services = [
      await createTestApp({ config, context: { secrets: createSecretBox('01'.repeat(32)) } }),
      await createTestApp({ config, context: { secrets: createSecretBox('02'.repeat(32)) } }),
    ]
    try {
      const jar = new Map<string, string>()
      const headers = publicUrl === undefined ? {} : { origin: publicUrl, host: 'farm.example' }
      const send = async (app: TestApp['app'], method: 'GET' | 'POST', path: string, body?: unknown) => {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await app.inject(pageRequest(method, path, cookie || undefined, body, headers))
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(answer.headers['set-cookie'] ?? '')) ?? []
        if (name !== undefined && value !== undefined) jar.set(name, value)
        return answer.statusCode
      }
      for (const service of services) {
        const { email } = await createTestPerson(service, await service.account(), 'owner', { password })
        expect(await send(service.app, 'POST', '/sign-in', { email, password })).toBe(200)
      }
      expect(jar.size).toBe(2)
      for (const { app } of services) expect(await send(app, 'GET', '/session')).toBe(200)
      expect(await send(services[0]!.app, 'POST', '/sign-out')).toBe(200)
      expect(await send(services[1]!.app, 'GET', '/session')).toBe(200)
    } finally {
      for (const service of services) await service.close()
    }
  },
)

test('at an https address the cookie is a protected one, and no other is taken', async () => {
  const behindProxy = await createTestApp({ config: { publicUrl: 'https://farm.example' } })
  try {
    const other = await createTestPerson(behindProxy, await behindProxy.account(), 'owner', { password })
    const headers = { host: 'inner:4400', origin: 'https://farm.example' }
    const answer = await behindProxy.app.inject(
      pageRequest('POST', '/sign-in', undefined, { email: other.email, password }, headers),
    )
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^__Host-printyard_session_[\w-]{8}=.+; Secure$/),
      expect.stringMatching(/^__Host-printyard_device_[\w-]{8}=.+; HttpOnly; SameSite=Lax; .+; Secure$/),
    ])
    const token = /=([\w-]{43});/.exec(String(answer.headers['set-cookie']))?.[1] ?? ''
    const status = async (cookie: string) =>
      (await behindProxy.app.inject(pageRequest('GET', '/session', cookie, undefined, headers))).statusCode
    expect(await status(cookieOf(token, { isHttps: true }))).toBe(200)
    expect(await status(cookieOf(token))).toBe(401)
  } finally {
    await behindProxy.close()
  }
})

test('a wrong password, an unknown address and a person without a password are refused in the same words', async () => {
  const withoutPassword = await createTestPerson(t, farm, 'owner')
  const refusals = await Promise.all([
    send({ email: person.email, password: 'another password' }),
    send({ email: 'nobody@example.com', password }),
    send({ email: withoutPassword.email, password }),
  ])
  for (const refusal of refusals) {
    expect(refusal.json().error).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(refusal.statusCode).toBe(401)
    expect(refusal.body).toBe(refusals[0]?.body)
    expect(refusal.headers).not.toHaveProperty('set-cookie')
  }
})

test('a person who is not there is refused after as much work as a person who is', async () => {
  const ask = async (email: string) => {
    const startedAt = performance.now()
    await send({ email, password: 'another password' })
    return performance.now() - startedAt
  }
  // Taken in turns, so that what else the machine does weighs on both; the least is what the work itself takes.
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 6; round += 1) {
    times.known.push(await ask(person.email))
    times.unknown.push(await ask(`no one${round}@example.com`))
  }
  const ratio = Math.min(...times.known) / Math.min(...times.unknown)
  expect(ratio).toBeGreaterThan(0.2)
  expect(ratio).toBeLessThan(5)
})

test('after ten wrong passwords even the right one must wait, but not from elsewhere', async () => {
  const other = await createTestPerson(t, farm, 'viewer', { password })
  const address = freshAddress()
  const tries = await Promise.all(
    Array.from({ length: 12 }, () => send({ email: other.email, password: 'a wrong password' }, {}, address)),
  )
  expect(tries.map((answer) => answer.statusCode).sort()).toEqual([...Array(10).fill(401), 429, 429])
  const refused = await send({ email: other.email, password }, {}, address)
  expect(refused.json().error.code).toBe('RATE_LIMITED')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await send({ email: other.email, password })).statusCode).toBe(200)
})

test('anyone who guesses from many networks does not keep a person out of where they have signed in before', async () => {
  const other = await createTestPerson(t, farm, 'owner', { password })
  const home = freshAddress()
  expect((await send({ email: other.email, password }, {}, home)).statusCode).toBe(200)
  for (let network = 0; network < 5; network += 1) {
    for (let guess = 0; guess < 10; guess += 1) await signInThrottle(t.context).begin(other.email, `192.0.2.${network}`)
  }
  expect((await send({ email: other.email, password })).json().error.code).toBe('RATE_LIMITED')
  expect((await send({ email: other.email, password: 'a wrong one' }, {}, home)).statusCode).toBe(401)
  expect((await send({ email: other.email, password }, {}, home)).statusCode).toBe(200)
})

test('a password of earlier rules, shorter than is asked for now, signs in, is a proof, and is changed only to a longer one', async () => {
  const other = await createTestPerson(t, farm, 'viewer', { isProven: false })
  // "password", hashed at other costs: from the test vectors of phc-winner-argon2 (src/test.c).
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  await t.db.sql`update users set password_hash = ${stored} where id = ${other.userId}`
  const old = 'password'
  expect((await send({ email: other.email, password: old })).statusCode).toBe(200)
  expect((await send({ email: other.email, password: 'passwore' })).statusCode).toBe(401)
  expect((await other.request('POST', '/proof', { password: old })).statusCode).toBe(200)
  const change = (new_password: string) => other.request('PUT', '/password', { current_password: old, new_password })
  expect((await change('ten chars!')).json().error.details).toEqual({
    new_password: [expect.stringContaining('at least 12')],
  })
  expect((await change('the one of today')).statusCode).toBe(200)
  expect((await send({ email: other.email, password: old })).statusCode).toBe(401)
  expect((await send({ email: other.email, password: 'the one of today' })).statusCode).toBe(200)
})

test('who was right and could not be let in has guessed nothing', async () => {
  const other = await createTestPerson(t, farm, 'viewer', { password })
  const request = { ip: freshAddress(), hostname: 'localhost', protocol: 'http', headers: {} } as FastifyRequest
  const failing = async () => {
    throw new AppError('SERVICE_UNAVAILABLE', { why: 'the database is away' })
  }
  for (let round = 0; round < 12; round += 1) {
    await expect(signIn(t.context, request, { email: other.email, password }, failing)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  }
})

describe('a second factor', () => {
  const failing = (code: 'CODE_REQUIRED' | 'CODE_INVALID') => async () => {
    throw new AppError(code)
  }
  const requestFrom = (ip: string) =>
    // As much of a request as signing in looks at.
    ({ ip, hostname: 'localhost', protocol: 'http', headers: {} }) as unknown as FastifyRequest

  async function sessionsOf(userId: string): Promise<number> {
    const rows = await t.db.sql`select id from sessions where account_id = ${farm.id} and user_id = ${userId}`
    return rows.length
  }

  test('that is asked for is no guess, and no one is signed in', async () => {
    const other = await createTestPerson(t, farm, 'viewer', { password })
    const request = requestFrom(freshAddress())
    for (let round = 0; round < 12; round += 1) {
      await expect(
        signIn(t.context, request, { email: other.email, password }, failing('CODE_REQUIRED')),
      ).rejects.toMatchObject({ code: 'CODE_REQUIRED' })
    }
    expect(await sessionsOf(other.userId)).toBe(1)
  })

  test('that is wrong counts as a wrong password does', async () => {
    const other = await createTestPerson(t, farm, 'viewer', { password })
    const request = requestFrom(freshAddress())
    for (let round = 0; round < 10; round += 1) {
      await expect(
        signIn(t.context, request, { email: other.email, password, code: '000000' }, failing('CODE_INVALID')),
      ).rejects.toMatchObject({ code: 'CODE_INVALID' })
    }
    await expect(signIn(t.context, request, { email: other.email, password })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect(await sessionsOf(other.userId)).toBe(1)
  })
})

test('a session that another person put into the browser is not the one that signing in opens', async () => {
  const planted = await createTestPerson(t, farm, 'viewer')
  const answer = await send({ email: person.email, password }, {}, freshAddress(), planted.cookie)
  expect(tokenIn(answer)).not.toBe('')
  expect(planted.cookie).not.toContain(tokenIn(answer))
  // The planted one stays what it was: a session of anyone who planted it.
  expect((await planted.request('GET', '/session')).json().data.user.id).toBe(planted.userId)
})

test('who signs in again in the same browser starts over, and the former cookie opens nothing', async () => {
  const former = cookieOf(tokenIn(await send({ email: person.email, password })))
  await send({ email: person.email, password }, {}, freshAddress(), former)
  const answer = await t.app.inject(pageRequest('GET', '/session', former))
  expect(answer.json().error.code).toBe('SESSION_EXPIRED')
})

test('a person of several accounts comes to the one looked at last', async () => {
  const other = await t.account({ name: 'Another farm' })
  await t.db.sql`
    insert into members (account_id, id, user_id, role) values (${other.id}, 'mem_second', ${person.userId}, 'viewer')`
  now = new Date(now.getTime() + 60_000)
  const first = await send({ email: person.email, password })
  expect(first.json().data.account.id).toBe(farm.id)
  expect(first.json().data.accounts).toHaveLength(2)
  now = new Date(now.getTime() + 60_000)
  const cookie = cookieOf(tokenIn(first))
  const moved = await t.app.inject(pageRequest('PUT', '/session/account', cookie, { account_id: other.id }))
  expect(moved.json().data).toMatchObject({ account: { id: other.id }, role: 'viewer', scopes: ['read'] })
  await t.db.sql`update sessions set last_seen_at = ${now} where account_id = ${other.id}`
  now = new Date(now.getTime() + 60_000)
  expect((await send({ email: person.email, password })).json().data.account.id).toBe(other.id)
})

test('a person who is a member of nothing is told so, only with the right password', async () => {
  const left = await createTestPerson(t, farm, 'viewer', { password })
  await t.db.sql`delete from members where account_id = ${farm.id} and user_id = ${left.userId}`
  expect((await send({ email: left.email, password })).json().error.code).toBe('FORBIDDEN')
  expect((await send({ email: left.email, password: 'a wrong password' })).json().error.code).toBe(
    'INVALID_CREDENTIALS',
  )
})

test('what is no JSON, or leaves something out, is told', async () => {
  const form = await t.app.inject({
    ...pageRequest('POST', '/sign-in', undefined, 'email=a&password=b'),
    headers: { host: 'localhost', origin: 'http://localhost', 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(form.json().error.code).toBe('UNSUPPORTED_MEDIA_TYPE')
  expect((await send({})).json().error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { email: ['is required'], password: ['is required'] },
  })
})
