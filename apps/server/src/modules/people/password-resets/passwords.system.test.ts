import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { totpCode } from '../../../test/services/authenticator-app.ts'
import { startTestSmtpServer, type TestSmtpServer } from '../../../test/services/test-smtp-server.ts'
import { mailResetLink } from './password-resets.service.ts'

let t: TestApp
let mailing: TestApp
let smtp: TestSmtpServer
let now = Date.now()
beforeAll(async () => {
  const context = { clock: { now: () => new Date(now) } }
  smtp = await startTestSmtpServer()
  t = await createTestApp({ context })
  mailing = await createTestApp({
    context,
    config: { smtpUrl: smtp.url, mailFrom: 'farm@example.com', publicUrl: 'https://farm.example.com' },
  })
})
afterEach(() => smtp.mails.splice(0))
afterAll(async () => {
  await t.close()
  await mailing.close()
  await smtp.close()
})

const password = 'the one of before'
/** Mails with a link; those that tell of a new password come in their own time. */
const links = () => smtp.mails.filter(({ text }) => text.includes('/reset-password#'))
let asked = 0
function anonymous(path: string, body: unknown, app: TestApp = t, headers: Record<string, string> = {}) {
  asked += 1
  return app.app.inject({
    ...pageRequest('POST', path, undefined, body, headers),
    remoteAddress: `10.2.${asked >> 8}.${asked & 255}`,
  })
}

async function farm(app: TestApp = t) {
  const account = await app.account()
  const owner = await createTestPerson(app, account, 'owner')
  const member = await createTestPerson(app, account, 'operator', { password })
  return { account, owner, member }
}

const askLink = (asking: TestPerson, member: TestPerson) =>
  asking.request('POST', `/members/${member.memberId}/reset-link`)

async function linkFor(asking: TestPerson, member: TestPerson): Promise<string> {
  const answer = await askLink(asking, member)
  expect(answer.statusCode).toBe(201)
  return answer.json().data.url.split('#')[1]
}

const signIn = (email: string, typed: string, app: TestApp = t) =>
  anonymous('/sign-in', { email, password: typed }, app)

test('a link sets a new password once, and everybody who was signed in by the old one is out', async () => {
  const { account, owner, member } = await farm()
  const token = await linkFor(owner, member)
  const answer = await anonymous('/password/reset', { token, password: 'the one of today' })
  expect(answer.json()).toEqual({ success: true, data: {} })
  expect((await member.request('GET', '/session')).json().error.code).toBe('SESSION_EXPIRED')
  expect((await signIn(member.email, password)).json().error.code).toBe('INVALID_CREDENTIALS')
  expect((await signIn(member.email, 'the one of today')).statusCode).toBe(200)

  const again = await anonymous('/password/reset', { token, password: 'the one of tomorrow' })
  expect(again.json().error).toMatchObject({ code: 'RESET_LINK_INVALID' })
  const events = await t.db.sql`select type, actor, data from events where account_id = ${account.id}`
  expect(events.map((event) => event.type)).toEqual(
    expect.arrayContaining(['user.password_link_made', 'session.ended', 'user.password_reset']),
  )
  expect(JSON.stringify(events)).not.toContain(token)
})

test('a link that is used twice at once sets one password', async () => {
  const { owner, member } = await farm()
  const token = await linkFor(owner, member)
  const chosen = ['first new password', 'second new password']
  const answers = await Promise.all(chosen.map((each) => anonymous('/password/reset', { token, password: each })))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 404])
  const winner = chosen[answers.findIndex((answer) => answer.statusCode === 200)] as string
  expect((await signIn(member.email, winner)).statusCode).toBe(200)
})

test('a link ends after an hour, and when a newer one is made', async () => {
  const { owner, member } = await farm()
  const older = await linkFor(owner, member)
  const newer = await linkFor(owner, member)
  const use = (token: string) => anonymous('/password/reset', { token, password: 'a new password' })
  expect((await use(older)).json().error.code).toBe('RESET_LINK_INVALID')
  const before = now
  try {
    now = before + 3_600_000
    expect((await use(newer)).json().error.code).toBe('RESET_LINK_INVALID')
    now -= 1
    expect((await use(newer)).statusCode).toBe(200)
  } finally {
    now = before
  }
})

test('a link is worth nothing once the password was changed in another way', async () => {
  const { owner, member } = await farm()
  const token = await linkFor(owner, member)
  const change = { current_password: password, new_password: 'chosen by myself' }
  expect((await member.request('PUT', '/password', change)).statusCode).toBe(200)
  const answer = await anonymous('/password/reset', { token, password: 'chosen by another' })
  expect(answer.json().error.code).toBe('RESET_LINK_INVALID')
})

test('a link sets the password alone: signing in still takes the second factor', async () => {
  const { owner, member } = await farm()
  const { secret } = (await member.request('POST', '/totp')).json().data
  await member.request('POST', '/totp/confirm', { code: totpCode(secret, new Date(now)) })
  const token = await linkFor(owner, member)
  expect((await anonymous('/password/reset', { token, password: 'the one of today' })).statusCode).toBe(200)
  expect((await signIn(member.email, 'the one of today')).json().error.code).toBe('CODE_REQUIRED')
  const code = totpCode(secret, new Date(now + 30_000))
  const answer = await anonymous('/sign-in', { email: member.email, password: 'the one of today', code })
  expect(answer.statusCode, answer.body).toBe(200)
})

test('a password that is too short is told, and the link stays good', async () => {
  const { owner, member } = await farm()
  const token = await linkFor(owner, member)
  expect((await anonymous('/password/reset', { token, password: 'short' })).json().error.code).toBe('VALIDATION_ERROR')
  expect((await anonymous('/password/reset', { token, password: 'long enough now' })).statusCode).toBe(200)
})

test('no one gets a link for an owner unless an owner, for themselves, or for a person of other accounts too', async () => {
  const { account, owner, member } = await farm()
  const admin = await createTestPerson(t, account, 'admin')
  const shared = await createTestPerson(t, await t.account(), 'owner')
  await t.db.sql`
    insert into members (account_id, id, user_id, role) values (${account.id}, 'mem_shared', ${shared.userId}, 'viewer')`
  const codes = [
    (await askLink(admin, owner)).statusCode,
    (await askLink(owner, owner)).statusCode,
    (await askLink(member, admin)).statusCode,
    (await owner.request('POST', '/members/mem_shared/reset-link')).statusCode,
    (await askLink(admin, member)).statusCode,
  ]
  expect(codes).toEqual([403, 403, 403, 403, 201])
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect((await askLink(stranger, member)).statusCode).toBe(404)
})

/** What could be joined or changed while a link that a person has seen lies about. */
const join = async (member: TestPerson, role: 'viewer' | 'owner' = 'owner') => {
  const elsewhere = await t.account()
  const inviter = await createTestPerson(t, elsewhere, 'owner')
  const made = await inviter.request('POST', '/invitations', { email: member.email, role })
  const accepted = await anonymous('/invitations/accept', { token: made.json().data.url.split('#')[1], password })
  expect(accepted.statusCode).toBe(200)
  return elsewhere
}

test('a link that was shown in an account is worth nothing once its person works in another one too', async () => {
  const { owner, member } = await farm()
  const token = await linkFor(owner, member)
  await join(member)
  const answer = await anonymous('/password/reset', { token, password: 'chosen by another' })
  expect(answer.json().error.code).toBe('RESET_LINK_INVALID')
  expect((await signIn(member.email, password)).statusCode).toBe(200)
})

test('a link that was shown counts by where its person is when it is used, whatever became of the link', async () => {
  const { account, owner, member } = await farm()
  const other = await t.account()
  const use = (token: string) => anonymous('/password/reset', { token, password: 'chosen by another' })
  const refused = 'RESET_LINK_INVALID'
  const first = await linkFor(owner, member)
  await t.db.sql`
    insert into members (account_id, id, user_id, role) values (${other.id}, 'mem_beside', ${member.userId}, 'owner')`
  expect((await use(first)).json().error.code).toBe(refused)
  await t.db.sql`delete from members where account_id = ${account.id} and user_id = ${member.userId}`
  expect((await use(first)).json().error.code).toBe(refused)
  await t.db.sql`delete from members where account_id = ${other.id} and user_id = ${member.userId}`
  expect((await use(first)).json().error.code).toBe(refused)
})

test('a link to a new password ends with another role and with the membership', async () => {
  const { owner, member } = await farm()
  const admin = await createTestPerson(t, { id: owner.accountId }, 'admin')
  const use = (token: string) => anonymous('/password/reset', { token, password: 'chosen by another' })
  const beforeRole = await linkFor(admin, member)
  expect((await owner.request('PATCH', `/members/${member.memberId}`, { role: 'owner' })).statusCode).toBe(200)
  expect((await use(beforeRole)).json().error.code).toBe('RESET_LINK_INVALID')

  const beforeEnd = await linkFor(owner, member)
  expect((await owner.request('DELETE', `/members/${member.memberId}`)).statusCode).toBe(200)
  expect((await use(beforeEnd)).json().error.code).toBe('RESET_LINK_INVALID')
  expect(await t.db.sql`select user_id from password_resets where user_id = ${member.userId}`).toEqual([])
})

test('who forgot the password gets a mail, with a link to the configured address of the service', async () => {
  const { member } = await farm(mailing)
  const forged = { host: 'evil.example.net', origin: 'http://evil.example.net' }
  const email = ` ${member.email.toUpperCase()} `
  expect((await anonymous('/password/forgot', { email }, mailing, forged)).json().error.code).toBe('HOST_REFUSED')
  const other = { host: 'printserver', origin: 'http://printserver' }
  const answer = await anonymous('/password/forgot', { email }, mailing, other)
  expect(answer.json()).toEqual({ success: true, data: {} })
  await mailing.settled(() => links().length === 1)
  expect(links()[0]?.to).toBe(member.email)
  const token = /https:\/\/farm\.example\.com\/reset-password#(\S+)/.exec(links()[0]?.text ?? '')?.[1]
  expect((await anonymous('/password/reset', { token, password: 'the one of today' }, mailing)).statusCode).toBe(200)
})

test('anyone who asks in the name of another person does not take away the link that was mailed before', async () => {
  const { member } = await farm(mailing)
  for (let i = 0; i < 3; i++) await mailResetLink(mailing.context, member.email)
  const tokens = links().map(({ text }) => /reset-password#(\S+)/.exec(text)?.[1])
  expect(new Set(tokens).size).toBe(3)
  const use = (token: string | undefined) =>
    anonymous('/password/reset', { token, password: 'the one of today' }, mailing)
  expect((await use(tokens[0])).statusCode).toBe(200)
  for (const token of tokens) expect((await use(token)).json().error.code).toBe('RESET_LINK_INVALID')
})

test('a link that can only be mailed, for an address that the mail server does not know, is refused for good and withdrawn', async () => {
  const refusing = await startTestSmtpServer('refuses')
  const strict = await createTestApp({ config: { smtpUrl: refusing.url, mailFrom: 'farm@example.com' } })
  onTestFinished(async () => {
    await strict.close()
    await refusing.close()
  })
  const { owner, member } = await farm(strict)
  const other = await strict.account()
  await strict.db.sql`
    insert into members (account_id, id, user_id, role) values (${other.id}, 'mem_beside', ${member.userId}, 'viewer')`
  const answer = await askLink(owner, member)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().error).toMatchObject({ code: 'MAIL_REFUSED' })
  expect(await strict.db.sql`select user_id from password_resets where user_id = ${member.userId}`).toEqual([])
})

test('a person unknown is answered the same and gets no mail; nor does one address get many', async () => {
  const { member } = await farm(mailing)
  const unknown = await anonymous('/password/forgot', { email: 'nobody@example.net' }, mailing)
  expect(unknown.json()).toEqual({ success: true, data: {} })
  for (let i = 0; i < 5; i++) await anonymous('/password/forgot', { email: member.email }, mailing)
  const { member: last } = await farm(mailing)
  await anonymous('/password/forgot', { email: last.email }, mailing)
  await mailing.settled(() => links().some((mail) => mail.to === last.email))
  await mailing.settled(() => links().some((mail) => mail.to === member.email))
  expect(
    links()
      .map((mail) => mail.to)
      .sort(),
  ).toEqual([last.email, member.email].sort())
})

test('without mail a forgotten password makes nothing that could be used', async () => {
  const { member } = await farm()
  expect((await anonymous('/password/forgot', { email: member.email })).json()).toEqual({ success: true, data: {} })
  await t.written()
  expect(await t.db.sql`select user_id from password_resets where user_id = ${member.userId}`).toEqual([])
})

test('a link that an owner makes is mailed when mail is configured, and shown to no one', async () => {
  const { owner, member } = await farm(mailing)
  const answer = await askLink(owner, member)
  expect(answer.json().data).toEqual({ expires_at: expect.any(String), mailed: true })
  expect(links().map((mail) => mail.to)).toEqual([member.email])
})

test('asking for links is slowed down by address', async () => {
  const ask = () =>
    t.app.inject({
      ...pageRequest('POST', '/password/reset', undefined, { token: 'x', password: 'any password' }),
      remoteAddress: '10.8.8.8',
    })
  const codes: string[] = []
  for (let i = 0; i < 11; i++) codes.push((await ask()).json().error.code)
  expect(codes.slice(0, 10)).toEqual(Array(10).fill('RESET_LINK_INVALID'))
  expect(codes.at(-1)).toBe('RATE_LIMITED')
})
