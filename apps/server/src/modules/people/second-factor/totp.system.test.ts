import { expect, test } from 'vitest'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { totpCode } from '../../../test/services/authenticator-app.ts'

let now = Date.parse('2026-11-20T09:30:00Z')
const { t, account } = accountForAllTests({ context: { clock: { now: () => new Date(now) } } })

const password = 'a long enough one'
const codeNow = (secret: string, stepsAway = 0) => totpCode(secret, new Date(now + stepsAway * 30_000))
/** The next code of every app. */
const waitForNextCode = () => {
  now += 30_000
}

let asked = 0
function signIn(person: TestPerson, code?: string, typed = password) {
  asked += 1
  return t.app.inject({
    ...pageRequest('POST', '/sign-in', undefined, { email: person.email, password: typed, code }),
    remoteAddress: `10.3.${asked >> 8}.${asked & 255}`,
  })
}
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code ?? 'OK'

async function personWithApp() {
  const person = await createTestPerson(t, account, 'operator', { password })
  const started = await person.request('POST', '/totp')
  const secret = started.json().data.secret as string
  const confirmed = await person.request('POST', '/totp/confirm', { code: codeNow(secret) })
  expect(confirmed.statusCode).toBe(200)
  waitForNextCode()
  return { person, secret, backupCodes: confirmed.json().data.backup_codes as string[] }
}

test('an app counts once a code of it was confirmed, and signing in takes a code then', async () => {
  const person = await createTestPerson(t, account, 'viewer', { password })
  const started = await person.request('POST', '/totp')
  const { secret, otpauth_url } = started.json().data
  expect(new URL(otpauth_url).searchParams.get('secret')).toBe(secret)
  expect(codeOf(await signIn(person))).toBe('OK')

  expect(codeOf(await person.request('POST', '/totp/confirm', { code: '000 00' }))).toBe('CODE_INVALID')
  const typed = codeNow(secret).replace(/^(...)/, '$1 ')
  const confirmed = await person.request('POST', '/totp/confirm', { code: typed })
  expect(new Set(confirmed.json().data.backup_codes).size).toBe(10)
  expect((await person.request('GET', '/session')).json().data.user.totp_enabled).toBe(true)
  expect(codeOf(await signIn(person))).toBe('CODE_REQUIRED')
  expect(codeOf(await signIn(person, codeNow(secret, 1), 'a wrong password'))).toBe('INVALID_CREDENTIALS')
  expect(codeOf(await signIn(person, codeNow(secret, 1)))).toBe('OK')
})

test('neither secret nor codes stand readable in the database or in events', async () => {
  const { person, secret, backupCodes } = await personWithApp()
  const stored = await t.db.sql`
    select (select json_agg(f)::text from second_factors f) as factors,
      (select json_agg(b)::text from backup_codes b) as codes,
      (select json_agg(e)::text from events e where e.account_id = ${account.id}) as events`
  const text = JSON.stringify(stored)
  expect(text).toContain(person.userId)
  for (const hidden of [secret, ...backupCodes]) expect(text).not.toContain(hidden)
})

test('a code works once, and so does none that is older', async () => {
  const { person, secret } = await personWithApp()
  const code = codeNow(secret)
  expect(codeOf(await signIn(person, code))).toBe('OK')
  expect(codeOf(await signIn(person, code))).toBe('CODE_INVALID')
  expect(codeOf(await signIn(person, codeNow(secret, -1)))).toBe('CODE_INVALID')
  waitForNextCode()
  expect(codeOf(await signIn(person, codeNow(secret)))).toBe('OK')
})

test('the code by which the app was confirmed does not sign in', async () => {
  const { person, secret } = await personWithApp()
  expect(codeOf(await signIn(person, codeNow(secret, -1)))).toBe('CODE_INVALID')
})

test('a code that is used several times at once lets one in', async () => {
  const { person, secret } = await personWithApp()
  const code = codeNow(secret)
  const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(person, code)))
  expect(answers.map(codeOf).sort()).toEqual(['CODE_INVALID', 'CODE_INVALID', 'CODE_INVALID', 'OK'])
})

test('a clock that is off by one step is forgiven, by two it is not', async () => {
  const { person, secret } = await personWithApp()
  waitForNextCode()
  waitForNextCode()
  expect(codeOf(await signIn(person, codeNow(secret, 2)))).toBe('CODE_INVALID')
  expect(codeOf(await signIn(person, codeNow(secret, -1)))).toBe('OK')
  expect(codeOf(await signIn(person, codeNow(secret, 1)))).toBe('OK')
})

test('a backup code signs in once, however it is typed, also at once', async () => {
  const { person, backupCodes } = await personWithApp()
  const [first = '', second = ''] = backupCodes
  const answers = await Promise.all([1, 2, 3].map(() => signIn(person, ` ${first.toUpperCase().replace('-', ' ')} `)))
  expect(answers.map(codeOf).sort()).toEqual(['CODE_INVALID', 'CODE_INVALID', 'OK'])
  expect(codeOf(await signIn(person, first))).toBe('CODE_INVALID')
  expect(codeOf(await signIn(person, second))).toBe('OK')
  const used = await t.db.sql`
    select id from events where account_id = ${account.id} and type = 'user.backup_code_used'
      and subject_id = ${person.userId}`
  expect(used).toHaveLength(2)
})

test('new backup codes take the place of the old ones', async () => {
  const { person, backupCodes } = await personWithApp()
  const renewed = await person.request('POST', '/totp/backup-codes')
  const [fresh = ''] = renewed.json().data.backup_codes
  expect(codeOf(await signIn(person, backupCodes[0]))).toBe('CODE_INVALID')
  expect(codeOf(await signIn(person, fresh))).toBe('OK')
})

test('an app that is confirmed ends the sessions of before everywhere else', async () => {
  const person = await createTestPerson(t, account, 'operator', { password })
  const elsewhere = String((await signIn(person)).headers['set-cookie']).split(';')[0]
  const { secret } = (await person.request('POST', '/totp')).json().data
  const isIn = async () => (await t.app.inject(pageRequest('GET', '/session', elsewhere))).statusCode === 200
  expect(await isIn()).toBe(true)
  expect(codeOf(await person.request('POST', '/totp/confirm', { code: codeNow(secret) }))).toBe('OK')
  expect(await isIn()).toBe(false)
  expect(codeOf(await person.request('GET', '/session'))).toBe('OK')
})

test('a person who took over a session cannot take the app away, make codes or add an app without a proof', async () => {
  const { person, secret } = await personWithApp()
  now += 10 * 60_000
  for (const path of ['/totp', '/totp/confirm', '/totp/remove', '/totp/backup-codes']) {
    expect(codeOf(await person.request('POST', path, { code: '000000' }))).toBe('PROOF_REQUIRED')
  }
  const wrong = await person.request('POST', '/proof', { password: 'a wrong password' })
  expect(wrong.json().error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { password: ['is not your password'] },
  })
  expect(codeOf(await person.request('POST', '/proof', { password }))).toBe('OK')
  expect(codeOf(await person.request('POST', '/totp'))).toBe('ALREADY_EXISTS')
  expect(codeOf(await signIn(person))).toBe('CODE_REQUIRED')
  expect(codeOf(await person.request('POST', '/totp/remove'))).toBe('OK')
  expect(codeOf(await signIn(person))).toBe('OK')
  expect(codeOf(await person.request('POST', '/totp/remove'))).toBe('NOT_FOUND')
  expect(codeOf(await signIn(person, codeNow(secret)))).toBe('OK')
})

test('nothing is confirmed or renewed where nothing was started', async () => {
  const person = await createTestPerson(t, account, 'viewer', { password })
  expect(codeOf(await person.request('POST', '/totp/confirm', { code: '123456' }))).toBe('NOT_FOUND')
  expect(codeOf(await person.request('POST', '/totp/backup-codes'))).toBe('NOT_FOUND')
  await person.request('POST', '/totp')
  expect(codeOf(await person.request('POST', '/totp/backup-codes'))).toBe('NOT_FOUND')
  expect(codeOf(await person.request('POST', '/totp/remove'))).toBe('NOT_FOUND')
})

test('of two apps that are started one after the other the later one is confirmed', async () => {
  const person = await createTestPerson(t, account, 'viewer', { password })
  const secretOf = async () => (await person.request('POST', '/totp')).json().data.secret as string
  const [older, newer] = [await secretOf(), await secretOf()]
  expect(codeOf(await person.request('POST', '/totp/confirm', { code: codeNow(older) }))).toBe('CODE_INVALID')
  const both = await Promise.all([1, 2].map(() => person.request('POST', '/totp/confirm', { code: codeNow(newer) })))
  expect(both.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
})

test('guessing codes is slowed down', async () => {
  const { person } = await personWithApp()
  const guess = () =>
    t.app.inject({
      ...pageRequest('POST', '/sign-in', undefined, { email: person.email, password, code: 'aaaaa-aaaaa' }),
      remoteAddress: '10.7.7.7',
    })
  const codes: string[] = []
  for (let i = 0; i < 11; i++) codes.push(codeOf(await guess()))
  expect(codes).toEqual([...Array(10).fill('CODE_INVALID'), 'RATE_LIMITED'])
})

test('an invitation is accepted by a person with an app only with a code', async () => {
  const { person, secret } = await personWithApp()
  const owner = await createTestPerson(t, await t.account(), 'owner')
  const made = await owner.request('POST', '/invitations', { email: person.email, role: 'viewer' })
  const token = made.json().data.url.split('#')[1]
  const accept = (code?: string) =>
    t.app.inject(pageRequest('POST', '/invitations/accept', undefined, { token, password, code }))
  expect(codeOf(await accept())).toBe('CODE_REQUIRED')
  expect(codeOf(await accept('zzzzz-zzzzz'))).toBe('CODE_INVALID')
  expect(codeOf(await accept(codeNow(secret)))).toBe('OK')
})
