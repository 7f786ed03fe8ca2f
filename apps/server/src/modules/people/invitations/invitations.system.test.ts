import { beforeAll, expect, test } from 'vitest'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { startTestSmtpServer, type TestSmtpServer } from '../../../test/services/test-smtp-server.ts'
import { verifyPassword } from '../accounts/password.ts'

let account: TestAccount
let owner: TestPerson
let now = Date.now()
const t = appForAllTests({ context: { clock: { now: () => new Date(now) } } })
beforeAll(async () => {
  account = await t.account({ name: 'North farm' })
  owner = await createTestPerson(t, account, 'owner')
})

const password = 'a long enough one'
let made = 0
const newEmail = () => `guest${++made}@example.com`

/** A person without a session, each from an address of their own: tries are counted by address. */
function anonymous(path: string, body: unknown, app: TestApp = t) {
  made += 1
  return app.app.inject({
    ...pageRequest('POST', path, undefined, body),
    remoteAddress: `10.1.${made >> 8}.${made & 255}`,
  })
}

async function invite(email: string, role = 'operator', by: TestPerson = owner) {
  const answer = await by.request('POST', '/invitations', { email, role })
  expect(answer.statusCode).toBe(201)
  const { id, url } = answer.json().data
  return { id: id as string, token: String(url).split('#')[1] as string }
}

const eventsOf = (type: string) =>
  t.db.sql`select subject_id, data, actor from events where account_id = ${account.id} and type = ${type}`
const membersWith = (email: string) => t.db.sql`
  select m.role from members m join users u on u.id = m.user_id where m.account_id = ${account.id} and u.email = ${email}`

test('an invited person chooses name and password and is signed in with the role they were given', async () => {
  const email = newEmail()
  const { id, token } = await invite(email, 'viewer')
  const look = await anonymous('/invitations/look', { token })
  expect(look.json().data).toEqual({ account_name: 'North farm', email, role: 'viewer', user_exists: false })

  const accepted = await anonymous('/invitations/accept', { token, name: ' New Person ', password })
  expect(accepted.statusCode).toBe(200)
  expect(accepted.json().data).toMatchObject({
    user: { name: 'New Person', email, totp_enabled: false },
    account: { id: account.id },
    role: 'viewer',
  })
  const cookie = String(accepted.headers['set-cookie']).split(';')[0]
  const session = await t.app.inject(pageRequest('GET', '/session', cookie))
  expect(session.json().data.user.email).toBe(email)
  expect((await eventsOf('invitation.created')).find((event) => event.subject_id === id)).toMatchObject({
    data: { role: 'viewer' },
    actor: `user:${owner.userId}`,
  })
  const joined = (await eventsOf('member.joined')).find((event) => event.data.invitation_id === id)
  expect(joined?.actor).toBe(`user:${accepted.json().data.user.id}`)
  const list = await owner.request('GET', '/invitations')
  expect(list.json().data.map((row: { id: string }) => row.id)).not.toContain(id)
})

test('the link is shown to its maker alone, and the database keeps only its hash', async () => {
  const { id, token } = await invite(newEmail())
  const list = await owner.request('GET', '/invitations')
  expect(list.json().data[0]).toMatchObject({ id, mailed: false, invited_by: owner.userId })
  expect(list.body).not.toContain(token)
  const everything = await t.db.sql`
    select (select json_agg(i)::text from invitations i where i.account_id = ${account.id}) as invitations,
      (select json_agg(e)::text from events e where e.account_id = ${account.id}) as events`
  expect(JSON.stringify(everything)).not.toContain(token)
  expect(JSON.stringify(everything)).toContain(id)
})

test('an invitation that is accepted twice at once makes one member', async () => {
  const email = newEmail()
  const { token } = await invite(email)
  const answers = await Promise.all([1, 2, 3].map(() => anonymous('/invitations/accept', { token, password })))
  const codes = answers.map((answer) => answer.statusCode)
  expect(codes.sort()).toEqual([200, 404, 404])
  expect(await membersWith(email)).toHaveLength(1)
  const again = await anonymous('/invitations/accept', { token, password })
  expect(again.json().error).toMatchObject({ code: 'INVITATION_INVALID' })
})

test('a person who is known, in whatever case the address is written, accepts with the present password', async () => {
  const elsewhere = await t.account()
  const known = await createTestPerson(t, elsewhere, 'owner', { email: `Known${++made}@Example.com`, password })
  const { token } = await invite(known.email.toLowerCase())
  expect((await anonymous('/invitations/look', { token })).json().data.user_exists).toBe(true)

  const wrong = await anonymous('/invitations/accept', { token, password: 'not the present one' })
  expect(wrong.json().error.code).toBe('INVALID_CREDENTIALS')
  const accepted = await anonymous('/invitations/accept', { token, name: 'Another name', password })
  expect(accepted.json().data).toMatchObject({ user: { id: known.userId, name: 'A owner' }, role: 'operator' })
  expect(accepted.json().data.accounts).toHaveLength(2)
})

test('a link that others have seen does not set the password of a person who works elsewhere', async () => {
  const elsewhere = await t.account()
  const known = await createTestPerson(t, elsewhere, 'owner')
  const { token } = await invite(known.email)
  const answer = await anonymous('/invitations/accept', { token, password })
  expect(answer.json().error.code).toBe('INVALID_CREDENTIALS')
  const [user] = await t.db.sql`select password_hash from users where id = ${known.userId}`
  expect(user?.password_hash).toBeNull()
})

test('guessing the password of an invited person is slowed down', async () => {
  const elsewhere = await t.account()
  const known = await createTestPerson(t, elsewhere, 'owner', { password })
  const { token } = await invite(known.email)
  const body = { token, password: 'guessed wrong' }
  const guess = () =>
    t.app.inject({ ...pageRequest('POST', '/invitations/accept', undefined, body), remoteAddress: '10.9.9.9' })
  const codes: string[] = []
  for (let i = 0; i < 12; i++) codes.push((await guess()).json().error.code)
  expect(codes.slice(0, 10)).toEqual(Array(10).fill('INVALID_CREDENTIALS'))
  expect(codes.at(-1)).toBe('RATE_LIMITED')
})

test('inviting again replaces the link, also when the case of the address differs', async () => {
  const email = newEmail()
  const first = await invite(email)
  const second = await invite(email.toUpperCase(), 'viewer')
  expect((await anonymous('/invitations/look', { token: first.token })).json().error.code).toBe('INVITATION_INVALID')
  expect((await anonymous('/invitations/look', { token: second.token })).json().data.role).toBe('viewer')
})

test('two invitations of one address at once leave one link that works', async () => {
  const email = newEmail()
  const links = await Promise.all([invite(email), invite(email), invite(email)])
  const looks = await Promise.all(links.map(({ token }) => anonymous('/invitations/look', { token })))
  expect(looks.filter((look) => look.statusCode === 200)).toHaveLength(1)
})

test('a withdrawn invitation is good for nothing', async () => {
  const { id, token } = await invite(newEmail())
  expect((await owner.request('DELETE', `/invitations/${id}`)).json().data).toEqual({ id, deleted: true })
  expect((await anonymous('/invitations/accept', { token, password })).json().error.code).toBe('INVITATION_INVALID')
  expect((await owner.request('DELETE', `/invitations/${id}`)).statusCode).toBe(404)
})

test('an invitation ends after seven days', async () => {
  const { token } = await invite(newEmail())
  const before = now
  try {
    now = before + 7 * 24 * 3_600_000 - 1
    expect((await anonymous('/invitations/look', { token })).statusCode).toBe(200)
    now += 1
    expect((await anonymous('/invitations/accept', { token, password })).json().error.code).toBe('INVITATION_INVALID')
  } finally {
    now = before
  }
})

test('a password that is too short is told, and the invitation stays good', async () => {
  const { token } = await invite(newEmail())
  const answer = await anonymous('/invitations/accept', { token, password: 'short' })
  expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: { password: [expect.any(String)] } })
  expect((await anonymous('/invitations/look', { token })).statusCode).toBe(200)
})

test.each(['nobody', 'a b@example.com', 'a@b@c', '@', 'a,b@example.com', '<a@example.com>', 'a@example.com;'])(
  '%j cannot be invited',
  async (email) => {
    const answer = await owner.request('POST', '/invitations', { email, role: 'viewer' })
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: { email: [expect.any(String)] } })
  },
)

test('who is a member already is not invited', async () => {
  const member = await createTestPerson(t, account, 'viewer')
  const answer = await owner.request('POST', '/invitations', { email: member.email.toUpperCase(), role: 'admin' })
  expect(answer.json().error.code).toBe('ALREADY_EXISTS')
})

test('an admin invites admins, but no owner; operators and viewers invite no one', async () => {
  const admin = await createTestPerson(t, account, 'admin')
  await invite(newEmail(), 'admin', admin)
  const asked = [
    [admin, 'owner'],
    [await createTestPerson(t, account, 'operator'), 'viewer'],
    [await createTestPerson(t, account, 'viewer'), 'viewer'],
  ] as const
  for (const [person, role] of asked) {
    const answer = await person.request('POST', '/invitations', { email: newEmail(), role })
    expect(answer.json().error.code).toBe('FORBIDDEN')
  }
  const ofOwner = await invite(newEmail(), 'owner')
  expect((await admin.request('DELETE', `/invitations/${ofOwner.id}`)).json().error.code).toBe('FORBIDDEN')
})

test("another account's invitation is not there", async () => {
  const { id } = await invite(newEmail())
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect((await stranger.request('DELETE', `/invitations/${id}`)).statusCode).toBe(404)
  expect((await stranger.request('GET', '/invitations')).json().data).toEqual([])
})

test('what a person offered who is removed or may offer it no more cannot be accepted', async () => {
  const leaving = await createTestPerson(t, account, 'admin')
  const sinking = await createTestPerson(t, account, 'owner')
  const fromLeaving = await invite(newEmail(), 'viewer', leaving)
  const asOwner = await invite(newEmail(), 'owner', sinking)
  const asViewer = await invite(newEmail(), 'viewer', sinking)
  await owner.request('DELETE', `/members/${leaving.memberId}`)
  await owner.request('PATCH', `/members/${sinking.memberId}`, { role: 'admin' })
  const status = async (token: string) => (await anonymous('/invitations/look', { token })).statusCode
  expect([await status(fromLeaving.token), await status(asOwner.token), await status(asViewer.token)]).toEqual([
    404, 404, 200,
  ])
})

test('a repeated request with one Idempotency-Key makes one invitation and shows the same link', async () => {
  const headers = { 'idempotency-key': `invite-${newEmail()}` }
  const body = { email: newEmail(), role: 'viewer' }
  const first = await owner.request('POST', '/invitations', body, headers)
  const second = await owner.request('POST', '/invitations', body, headers)
  expect(second.json()).toEqual(first.json())
  const token = first.json().data.url.split('#')[1]
  expect((await anonymous('/invitations/look', { token })).statusCode).toBe(200)
})

test('with a mail server the link goes to the mailbox alone, and to the configured address of the service', async () => {
  const smtp: TestSmtpServer = await startTestSmtpServer()
  const mailing = await createTestApp({
    config: { smtpUrl: smtp.url, mailFrom: 'farm@example.com', publicUrl: 'https://farm.example.com' },
  })
  try {
    const home = await mailing.account({ name: 'Mailing farm' })
    const inviter = await createTestPerson(mailing, home, 'owner')
    const known = await createTestPerson(mailing, await mailing.account(), 'owner')
    const answer = await inviter.request('POST', '/invitations', { email: known.email, role: 'viewer' })
    expect(answer.json().data.mailed).toBe(true)
    expect(answer.json().data).not.toHaveProperty('url')
    const token = /https:\/\/farm\.example\.com\/invitation#(\S+)/.exec(smtp.mails[0]?.text ?? '')?.[1]
    expect(smtp.mails[0]?.to).toBe(known.email)
    expect((await inviter.request('GET', '/invitations')).json().data[0].mailed).toBe(true)

    // No one but the mailbox has seen it: so it may also set the first password of a person who works elsewhere.
    const accepted = await anonymous('/invitations/accept', { token, password }, mailing)
    expect(accepted.json().data.user.id).toBe(known.userId)
    const [user] = await mailing.db.sql`select password_hash from users where id = ${known.userId}`
    expect(await verifyPassword(password, user?.password_hash)).toBe(true)
  } finally {
    await mailing.close()
    await smtp.close()
  }
})

test('a mail that is not taken is said, and the link shown instead', async () => {
  const smtp = await startTestSmtpServer('refuses')
  const mailing = await createTestApp({
    config: { smtpUrl: smtp.url, mailFrom: 'farm@example.com', publicUrl: 'https://farm.example.com' },
  })
  try {
    const inviter = await createTestPerson(mailing, await mailing.account(), 'owner')
    const answer = await inviter.request('POST', '/invitations', { email: newEmail(), role: 'viewer' })
    expect(answer.json().data).toMatchObject({
      mailed: false,
      url: expect.stringMatching(/^https:\/\/farm\.example\.com\/invitation#[\w-]{43}$/),
    })
  } finally {
    await mailing.close()
    await smtp.close()
  }
})
