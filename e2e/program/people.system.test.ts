import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { createTestPerson, pageRequest, type TestPerson } from '@printyard/server/test/farm/test-person'
import { totpCode } from '@printyard/server/test/services/authenticator-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../test/run-command.ts'

let t: TestApp
let farm: TestAccount
/** Who can still look at the audit. */
let witness: TestPerson
beforeAll(async () => {
  t = await createTestApp()
  farm = await t.account()
  witness = await createTestPerson(t, farm, 'admin')
})
afterAll(() => t.close())

/** Several programs each. */
const limits = { timeout: 120_000 }

const password = 'the one of before'
const users = (...args: string[]) => runCommand(['users', ...args, '--json'], { env: { DATABASE_URL: t.db.url } })
const post = (path: string, body: unknown) => t.app.inject(pageRequest('POST', path, undefined, body))

async function doneByCommands(person: TestPerson): Promise<string[]> {
  const answer = await witness.request('GET', `/audit?subject=${person.userId}&actor=cli`)
  return answer.json().data.map(({ type }: { type: string }) => type)
}

async function ownerWithApp() {
  const owner = await createTestPerson(t, farm, 'owner', { password })
  const { secret } = (await owner.request('POST', '/totp')).json().data
  const code = totpCode(secret, new Date())
  expect((await owner.request('POST', '/totp/confirm', { code })).statusCode).toBe(200)
  return owner
}

test('an only owner who forgot the password gets a link, which works once', async () => {
  const owner = await createTestPerson(t, farm, 'owner', { password })
  const made = await users('reset-link', owner.email.toUpperCase(), '--url', 'https://farm.example.com/')
  expect(made).toMatchObject({ exitCode: 0, stderr: '' })
  const { url, ...rest } = made.document<{ url: string }>()
  expect(rest).toEqual({ email: owner.email, expires_at: expect.any(String) })
  const [, token] = /^https:\/\/farm\.example\.com\/reset-password#([\w-]{43})$/.exec(url) ?? []
  expect(await doneByCommands(owner)).toEqual(['user.password_link_made'])

  expect((await post('/password/reset', { token, password: 'the one of today' })).statusCode).toBe(200)
  expect((await owner.request('GET', '/session')).statusCode).toBe(401)
  expect((await post('/sign-in', { email: owner.email, password: 'the one of today' })).statusCode).toBe(200)
  const again = await post('/password/reset', { token, password: 'another one of today' })
  expect(again.json().error.code).toBe('RESET_LINK_INVALID')
})

test('an only owner who lost the app and the backup codes comes in by the password, and is out everywhere else', async () => {
  const owner = await ownerWithApp()
  const credentials = { email: owner.email, password }
  expect((await post('/sign-in', credentials)).json().error.code).toBe('CODE_REQUIRED')

  const removed = await users('remove-second-factor', owner.email)
  expect(removed).toMatchObject({ exitCode: 0, stderr: '' })
  expect(removed.document()).toEqual({ email: owner.email, ended_sessions: 1 })
  expect((await owner.request('GET', '/session')).statusCode).toBe(401)
  expect((await post('/sign-in', credentials)).statusCode).toBe(200)
  expect(await doneByCommands(owner)).toEqual(['user.totp_disabled'])
  const ended = await witness.request('GET', `/audit?subject=${owner.sessionId}&actor=cli`)
  expect(ended.json().data).toMatchObject([{ type: 'session.ended', data: { why: 'second_factor_removed' } }])

  const again = await users('remove-second-factor', owner.email)
  expect(again).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('second factor') })
})

test.each([
  ['reset-link', 'nobody@example.com'],
  ['remove-second-factor', 'nobody@example.com'],
])('%s for an address that no one has ends with a sentence that says so', async (...args) => {
  const result = await users(...args)
  expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('e-mail address') })
})

test('a link leads to no address that is none', async () => {
  const result = await users('reset-link', witness.email, '--url', 'farm.example.com')
  expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('https://farm.example.com') })
  expect(await doneByCommands(witness)).toEqual([])
})

test(
  'a password that is set at the machine lets its person in, ends every session at once, and is in the audit',
  limits,
  async () => {
    const owner = await createTestPerson(t, farm, 'owner', { password })
    const next = 'seven wet stones below'
    const set = await runCommand(['users', 'set-password', owner.email, '--password-stdin', '--json'], {
      env: { DATABASE_URL: t.db.url },
      input: next,
    })
    expect(set).toMatchObject({ exitCode: 0, stderr: '' })
    expect(set.document()).toEqual({ email: owner.email, ended_sessions: 1 })
    expect((await owner.request('GET', '/session')).statusCode).toBe(401)
    expect((await post('/sign-in', { email: owner.email, password })).statusCode).toBe(401)
    expect((await post('/sign-in', { email: owner.email, password: next })).statusCode).toBe(200)
    expect(await doneByCommands(owner)).toEqual(['user.password_changed'])

    const weak = await runCommand(['users', 'set-password', owner.email, '--password-stdin'], {
      env: { DATABASE_URL: t.db.url },
      input: 'short',
    })
    expect(weak).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('at least 12') })
    expect(await users('set-password', owner.email)).toMatchObject({ exitCode: 2, stdout: '' })
  },
)

test(
  'a member is made an owner only when that is confirmed, and is out of what was shown to the role of before',
  limits,
  async () => {
    const operator = await createTestPerson(t, farm, 'operator', { password })
    const makeOwner = (...more: string[]) => users('make-owner', operator.email, '--account', farm.id, ...more)
    expect(await makeOwner()).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--yes') })
    expect((await operator.request('GET', '/session')).json().data.role).toBe('operator')

    const made = await makeOwner('--yes')
    expect(made).toMatchObject({ exitCode: 0, stderr: '' })
    expect(made.document()).toMatchObject({ email: operator.email, former_role: 'operator', ended_sessions: 1 })
    expect((await operator.request('GET', '/session')).statusCode).toBe(401)
    expect((await post('/sign-in', { email: operator.email, password })).json().data.role).toBe('owner')
    const audited = await witness.request('GET', '/audit?type=member.role_changed&actor=cli')
    expect(audited.json().data).toMatchObject([{ data: { user_id: operator.userId, from: 'operator', to: 'owner' } }])
    expect(await makeOwner('--yes')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already') })

    const other = await t.account()
    const elsewhere = await users('make-owner', operator.email, '--account', other.id, '--yes')
    expect(elsewhere).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('of this account') })
  },
)

test('sessions end at once, and the list tells who can sign in how', limits, async () => {
  const viewer = await createTestPerson(t, farm, 'viewer', { password })
  const line = async () =>
    (await users('list')).document<{ email: string }[]>().find(({ email }) => email === viewer.email)
  expect(await line()).toMatchObject({
    role: 'viewer',
    account_id: farm.id,
    has_password: true,
    has_second_factor: false,
    sessions: 1,
  })
  expect((await viewer.request('GET', '/session')).statusCode).toBe(200)
  expect((await users('end-sessions', viewer.email)).document()).toEqual({ email: viewer.email, ended_sessions: 1 })
  expect((await viewer.request('GET', '/session')).statusCode).toBe(401)
  expect(await line()).toMatchObject({ sessions: 0 })
  expect(
    (await runCommand(['people', 'end-sessions', viewer.email], { env: { DATABASE_URL: t.db.url } })).stdout,
  ).toContain('no session was open')
})
