import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { totpCode } from '../../../test/services/authenticator-app.ts'
import { createTestAuthenticator } from '../../../test/services/test-authenticator.ts'
import { startTestSmtpServer, type TestSmtpServer } from '../../../test/services/test-smtp-server.ts'
import { finishMails } from './mail-later.ts'

const now = new Date('2026-11-20T09:30:00Z')
const password = 'a password of sixteen'

let t: TestApp
let smtp: TestSmtpServer
let farm: TestAccount
let person: TestPerson
beforeAll(async () => {
  smtp = await startTestSmtpServer()
  t = await createTestApp({
    context: { clock: { now: () => now } },
    config: { smtpUrl: smtp.url, mailFrom: 'farm@example.com', publicUrl: 'https://farm.example.com' },
  })
  farm = await t.account()
  person = await createTestPerson(t, farm, 'operator', { password })
})
afterEach(() => smtp.mails.splice(0))
afterAll(async () => {
  await t.close()
  await smtp.close()
})

const headers = { origin: 'https://farm.example.com', 'user-agent': 'Phone/1.0' }
const signIn = (cookie?: string) =>
  t.app.inject(pageRequest('POST', '/sign-in', cookie, { email: person.email, password }, headers))
const byOwnPage = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) =>
  person.request(method, path, body, headers)

const subjectOf = ({ text }: { text: string }) => /^Subject: (.+?)\r?$/m.exec(text)?.[1]

/** The subjects of what is mailed because of it, which is sent after the answer. */
async function mailsOf(
  work: Promise<{ statusCode: number; body: string }>,
  count = 1,
): Promise<(string | undefined)[]> {
  const answer = await work
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  await t.settled(() => smtp.mails.length >= count)
  await finishMails(t.context)
  for (const { to } of smtp.mails) expect(to).toBe(person.email)
  return smtp.mails.splice(0).map(subjectOf)
}

test('a sign-in by a browser that was not used before is mailed, and none after it', async () => {
  const first = await signIn()
  await finishMails(t.context)
  expect(smtp.mails).toHaveLength(1)
  expect(smtp.mails[0]?.to).toBe(person.email)
  expect(smtp.mails.map(subjectOf)).toEqual(['New sign-in to Printyard'])
  for (const told of ['2026-11-20T09:30:00.000Z', '127.0.0.1', 'Phone/1.0']) expect(smtp.mails[0]?.text).toContain(told)
  smtp.mails.splice(0)
  const device = [first.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  expect(await mailsOf(signIn(device.join('; ')), 0)).toEqual([])
  expect(await mailsOf(signIn())).toEqual(['New sign-in to Printyard'])
})

test('the browser in which another person has signed in is a new one', async () => {
  const other = await createTestPerson(t, farm, 'viewer', { password })
  const theirs = await t.app.inject(
    pageRequest('POST', '/sign-in', undefined, { email: other.email, password }, headers),
  )
  await finishMails(t.context)
  smtp.mails.splice(0)
  const cookie = [theirs.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  expect(await mailsOf(signIn(cookie.join('; ')))).toEqual(['New sign-in to Printyard'])
})

test('whatever changes how a person signs in is mailed to them', async () => {
  const change = { current_password: password, new_password: 'the one of today' }
  expect(await mailsOf(byOwnPage('PUT', '/password', change))).toEqual(['Your password was changed'])

  const { secret } = (await byOwnPage('POST', '/totp')).json().data
  const code = totpCode(secret, now)
  expect(await mailsOf(byOwnPage('POST', '/totp/confirm', { code }))).toEqual(['An authenticator app was added'])
  expect(await mailsOf(byOwnPage('POST', '/totp/backup-codes'))).toEqual(['New backup codes were made'])
  expect(await mailsOf(byOwnPage('POST', '/totp/remove'))).toEqual(['Your authenticator app was removed'])

  const authenticator = createTestAuthenticator('https://farm.example.com')
  const { options } = (await byOwnPage('POST', '/passkeys/options')).json().data
  const made = byOwnPage('POST', '/passkeys', { name: 'Laptop', response: authenticator.create(options) })
  expect(await mailsOf(made)).toEqual(['A passkey was added'])
  const removed = byOwnPage('DELETE', `/passkeys/${(await made).json().data.id}`)
  expect(await mailsOf(removed)).toEqual(['A passkey was removed'])
})

test('so is the first password of who signed in by the provider alone', async () => {
  const bySso = await createTestPerson(t, farm, 'operator')
  const set = await bySso.request('PUT', '/password', { new_password: 'the first of all' }, headers)
  expect(set.statusCode, set.body).toBe(200)
  await t.settled(() => smtp.mails.length > 0)
  expect(smtp.mails.splice(0).map((mail) => [mail.to, subjectOf(mail)])).toEqual([
    [bySso.email, 'Your password was changed'],
  ])
})

test('a password that was set by a link is mailed', async () => {
  const owner = await createTestPerson(t, farm, 'owner')
  await owner.request('POST', `/members/${person.memberId}/reset-link`, undefined, headers)
  const token = /reset-password#(\S+)/.exec(smtp.mails.map(({ text }) => text).join('\n'))?.[1]
  smtp.mails.splice(0)
  const reset = t.app.inject(pageRequest('POST', '/password/reset', undefined, { token, password }, headers))
  expect(await mailsOf(reset)).toEqual(['Your password was set'])
})
