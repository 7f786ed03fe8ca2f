import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { cookieOf, pageRequest } from '../../../test/farm/test-person.ts'
import { createAccountWithOwner } from '../accounts/accounts.service.ts'
import { findSetUpCode } from './set-up.service.ts'
import { setUpCode } from './set-up-code.ts'

let t: TestApp
beforeEach(async () => {
  t = await createTestApp()
})
afterEach(() => t.close())

const body = {
  account_name: 'North farm',
  name: 'An owner',
  email: 'owner@example.com',
  password: 'a password of sixteen',
  time_zone: 'Europe/Berlin',
}

const fromNetwork = { host: '192.168.1.20:4400', origin: 'http://192.168.1.20:4400' }

/** With the code that was printed, unless `more` has another. */
function send(more: object = {}, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  return t.app.inject({
    ...pageRequest('POST', '/setup', undefined, { ...body, code: setUpCode(t.context.secrets), ...more }, headers),
    remoteAddress,
  })
}

async function look(headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  const answer = await t.app.inject({ ...pageRequest('GET', '/setup', undefined, undefined, headers), remoteAddress })
  return answer.json().data
}

async function countUsers(): Promise<number> {
  return (await t.db.sql`select id from users`).length
}

test('the first person sets the service up and is signed in; there is no second time', async () => {
  expect(await look()).toEqual({ needed: true, code_needed: true })
  const answer = await send()
  expect(answer.statusCode, answer.body).toBe(201)
  expect(answer.json().data).toMatchObject({
    user: { name: 'An owner', email: 'owner@example.com' },
    account: { name: 'North farm', time_zone: 'Europe/Berlin' },
    role: 'owner',
    may_make_keys: true,
  })
  const [, token = ''] = /=([^;]+);/.exec(String(answer.headers['set-cookie'])) ?? []
  const session = await t.app.inject(pageRequest('GET', '/session', cookieOf(token)))
  expect(session.json()).toEqual(answer.json())

  expect(await look()).toEqual({ needed: false, code_needed: false })
  const second = await send({ email: 'other@example.com' })
  expect([second.statusCode, second.json().error]).toEqual([
    409,
    { code: 'ALREADY_SET_UP', message: expect.any(String) },
  ])
  expect(second.json().error).toMatchObject({ code: 'ALREADY_SET_UP' })
  expect(await countUsers()).toBe(1)
})

test('of ten who set up at once, one wins', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => send({ email: `owner${n}@example.com`, account_name: `Farm ${n}` })),
  )
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...Array(9).fill(409)])
  expect(await countUsers()).toBe(1)
  expect(await t.db.sql`select id from accounts`).toHaveLength(1)
})

test('set-up and the command line beside it never both make the first person', async () => {
  const byCommand = createAccountWithOwner(
    t.db,
    { name: 'By command', ownerEmail: 'cli@example.com', createdBy: 'cli' },
    new Date(),
  )
  const [answer] = await Promise.all([send(), byCommand])
  // Either set-up came first and the command added another, or it found a person.
  expect(await countUsers()).toBe(answer.statusCode === 201 ? 2 : 1)
  expect([201, 409]).toContain(answer.statusCode)
})

test.each([
  { place: 'the machine itself', headers: {}, address: '127.0.0.1' },
  { place: 'a proxy on the machine', headers: { 'x-forwarded-for': '198.51.100.7' }, address: '127.0.0.1' },
  { place: 'another computer', headers: fromNetwork, address: '192.168.1.30' },
])('from $place it takes the code that the service printed, in any spelling', async ({ headers, address }) => {
  const code = (await findSetUpCode(t.context)) ?? ''
  expect(await look(headers, address)).toEqual({ needed: true, code_needed: true })
  for (const wrong of [{ code: undefined }, { code: '' }, { code: 'ABCDEFGH' }]) {
    const refusal = await send(wrong, headers, address)
    expect(refusal.statusCode).toBe(403)
    expect(refusal.json().error).toMatchObject({ code: 'SETUP_CODE_INVALID' })
  }
  expect(await countUsers()).toBe(0)
  const spelled = `${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`
  expect((await send({ code: spelled }, headers, address)).statusCode).toBe(201)
  expect(await findSetUpCode(t.context)).toBeUndefined()
})

test('another page cannot set the service up, nor a foreign name that points at it', async () => {
  const rebound = await send({}, { host: 'elsewhere.example', origin: 'http://elsewhere.example' })
  expect(rebound.statusCode).toBe(421)
  const otherPage = await send({}, { origin: 'http://elsewhere.example' })
  expect(otherPage.json().error.code).toBe('ORIGIN_REFUSED')
  expect(await countUsers()).toBe(0)
})

test('anyone who guesses codes is soon held up', async () => {
  const guesses = []
  for (let n = 0; n < 12; n += 1)
    guesses.push((await send({ code: `ABCDEFG${n}` }, fromNetwork, '192.168.1.31')).statusCode)
  expect(guesses).toEqual([...Array(10).fill(403), 429, 429])
})

test('all that is wrong is told at once by the names of the fields, and nothing is made', async () => {
  const answer = await send({ account_name: ' ', email: 'nobody', password: 'short', time_zone: 'Mars' })
  expect(answer.json().error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: {
      account_name: [expect.any(String)],
      email: [expect.any(String)],
      password: [expect.any(String)],
      time_zone: [expect.any(String)],
    },
  })
  expect(await countUsers()).toBe(0)
})
