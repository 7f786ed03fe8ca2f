import { expect, test } from 'vitest'
import { type AccountId, newId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import type { TestAccount } from '../../../test/app/test-app.ts'
import { cookieOf, createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { workOfUser } from '../../events/work.ts'
import { insertMember } from '../accounts/accounts.queries.ts'
import { startSession } from '../sign-in/sessions.service.ts'

const t = appForAllTests()

async function farmWith(...roles: Role[]): Promise<{ account: TestAccount; people: TestPerson[] }> {
  const account = await t.account()
  const people: TestPerson[] = []
  for (const role of roles) people.push(await createTestPerson(t, account, role))
  return { account, people }
}

const first = <T>(list: T[]): T => list[0] as T
const last = <T>(list: T[]): T => list.at(-1) as T
const rolesIn = async (accountId: string) =>
  (await t.db.sql`select role from members where account_id = ${accountId} order by role`).map((row) => row.role)
const eventsOf = (accountId: string, type: string) =>
  t.db.sql`select subject_id, data, actor from events where account_id = ${accountId} and type = ${type}`

test('a new role counts for the next request, and the sessions of before are over', async () => {
  const { account, people } = await farmWith('owner', 'operator')
  const member = last(people)
  const answer = await first(people).request('PATCH', `/members/${member.memberId}`, { role: 'viewer' })
  expect(answer.json().data).toMatchObject({ id: member.memberId, user_id: member.userId, role: 'viewer' })
  expect((await member.request('GET', '/session')).json().error.code).toBe('SESSION_EXPIRED')
  expect(await eventsOf(account.id, 'member.role_changed')).toEqual([
    {
      subject_id: member.memberId,
      data: { user_id: member.userId, from: 'operator', to: 'viewer' },
      actor: `user:${first(people).userId}`,
    },
  ])
  expect((await eventsOf(account.id, 'session.ended')).map((event) => event.data.why)).toEqual(['role_changed'])
})

test('the role that a person has already changes nothing', async () => {
  const { account, people } = await farmWith('owner', 'viewer')
  const answer = await first(people).request('PATCH', `/members/${last(people).memberId}`, { role: 'viewer' })
  expect(answer.statusCode).toBe(200)
  expect((await last(people).request('GET', '/session')).statusCode).toBe(200)
  expect(await eventsOf(account.id, 'member.role_changed')).toEqual([])
})

test('a removed member is out at once, and their tasks are no one’s', async () => {
  const { account, people } = await farmWith('owner', 'operator')
  const member = last(people)
  const task = await account.request('POST', '/worklist', {
    title: 'Collect',
    task_type: 'collection',
    assigned_to: member.userId,
  })
  const answer = await first(people).request('DELETE', `/members/${member.memberId}`)
  expect(answer.json().data).toEqual({ id: member.memberId, deleted: true })
  expect((await member.request('GET', '/session')).json().error.code).toBe('SESSION_EXPIRED')
  const tasks = await t.db.sql`
    select id, assigned_to from worklist_tasks where account_id = ${account.id}`
  expect(tasks).toEqual([{ id: task.json().data.id, assigned_to: null }])
  expect((await eventsOf(account.id, 'member.removed')).map((event) => event.subject_id)).toEqual([member.memberId])
})

test.each(['viewer', 'operator', 'admin', 'owner'] as const)('an %s may leave', async (role) => {
  const { account, people } = await farmWith('owner', role)
  const answer = await last(people).request('DELETE', `/members/${last(people).memberId}`)
  expect(answer.statusCode).toBe(200)
  expect(await rolesIn(account.id)).toEqual(['owner'])
  expect(await eventsOf(account.id, 'member.left')).toHaveLength(1)
})

test('the last owner can neither leave nor become anything else', async () => {
  const { account, people } = await farmWith('owner', 'admin')
  const owner = first(people)
  const leaving = await owner.request('DELETE', `/members/${owner.memberId}`)
  expect(leaving.json().error).toMatchObject({ code: 'LAST_OWNER' })
  const sinking = await owner.request('PATCH', `/members/${owner.memberId}`, { role: 'admin' })
  expect([sinking.statusCode, sinking.json().error.code]).toEqual([409, 'LAST_OWNER'])
  expect(await rolesIn(account.id)).toEqual(['admin', 'owner'])
  expect((await owner.request('GET', '/session')).statusCode).toBe(200)
})

test('of owners who all leave at the same time one stays', async () => {
  const { account, people } = await farmWith('owner', 'owner', 'owner')
  const answers = await Promise.all(people.map((each) => each.request('DELETE', `/members/${each.memberId}`)))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 200, 409])
  expect(await rolesIn(account.id)).toEqual(['owner'])
})

test('of two owners who make each other viewers at the same time one stays', async () => {
  const { account, people } = await farmWith('owner', 'owner')
  const answers = await Promise.all([
    first(people).request('PATCH', `/members/${last(people).memberId}`, { role: 'viewer' }),
    last(people).request('PATCH', `/members/${first(people).memberId}`, { role: 'viewer' }),
  ])
  // The second asks as a person who is an owner no more, or whose session is over.
  const codes = answers.map((answer) => answer.statusCode).sort()
  expect(codes[0]).toBe(200)
  expect([401, 403, 409]).toContain(codes[1])
  expect(await rolesIn(account.id)).toEqual(['owner', 'viewer'])
})

test('an admin manages everybody but owners, and makes none', async () => {
  const { people } = await farmWith('owner', 'viewer', 'admin', 'admin')
  const [owner, viewer, other, admin] = people as [TestPerson, TestPerson, TestPerson, TestPerson]
  const set = (member: TestPerson, role: Role) => admin.request('PATCH', `/members/${member.memberId}`, { role })
  const codes = [
    (await set(viewer, 'admin')).statusCode,
    (await set(other, 'viewer')).statusCode,
    (await set(viewer, 'owner')).statusCode,
    (await set(admin, 'owner')).statusCode,
    (await set(owner, 'admin')).statusCode,
    (await admin.request('DELETE', `/members/${owner.memberId}`)).statusCode,
    (await admin.request('DELETE', `/members/${other.memberId}`)).statusCode,
  ]
  expect(codes).toEqual([200, 200, 403, 403, 403, 403, 200])
})

test.each(['operator', 'viewer'] as const)('an %s changes and removes no one', async (role) => {
  const { people } = await farmWith('owner', 'viewer', role)
  const path = `/members/${people[1]?.memberId}`
  expect((await last(people).request('PATCH', path, { role: 'viewer' })).json().error.code).toBe('FORBIDDEN')
  expect((await last(people).request('DELETE', path)).json().error.code).toBe('FORBIDDEN')
})

/** A further session of a member, and requests from its browser. */
async function signInElsewhere({ userId }: TestPerson, accountId: AccountId) {
  const session = await t.context.db.begin((sql) =>
    startSession(
      workOfUser(t.context, sql, accountId, userId),
      { ip: '127.0.0.1', headers: {} },
      { userId, provenAt: null },
    ),
  )
  const cookie = cookieOf(session.token)
  return async (method: 'GET' | 'PUT', path: string, body?: unknown) => {
    const answer = await t.app.inject(pageRequest(method, path, cookie, body))
    return answer.json().error?.code ?? answer.statusCode
  }
}

test('the sessions of a member end when those who run the account say so, and others can be started', async () => {
  const { account, people } = await farmWith('owner', 'admin', 'operator')
  const [owner, admin, member] = people as [TestPerson, TestPerson, TestPerson]
  const elsewhere = await signInElsewhere(member, account.id)
  const answer = await admin.request('DELETE', `/members/${member.memberId}/sessions`)
  expect(answer.json().data).toEqual({ ended_sessions: 2 })
  expect((await member.request('GET', '/session')).json().error.code).toBe('SESSION_EXPIRED')
  expect(await elsewhere('GET', '/session')).toBe('SESSION_EXPIRED')
  expect((await owner.request('GET', '/session')).statusCode).toBe(200)
  expect(await eventsOf(account.id, 'user.sessions_ended')).toEqual([
    {
      subject_id: member.userId,
      data: { ended_sessions: 2 },
      actor: `user:${admin.userId}`,
    },
  ])
  const whys = (await eventsOf(account.id, 'session.ended')).map((event) => event.data.why)
  expect(whys).toEqual(['ended_by_others', 'ended_by_others'])
  expect(await (await signInElsewhere(member, account.id))('GET', '/session')).toBe(200)
})

test('a session that looked at another account stays there, and comes into this one only when it starts again', async () => {
  const { account, people } = await farmWith('owner', 'viewer')
  const [owner, member] = people as [TestPerson, TestPerson]
  const other = await t.account()
  await insertMember(t.db.sql, other.id, { id: newId('member'), user_id: member.userId, role: 'owner' })
  const there = await signInElsewhere(member, other.id)
  await owner.request('DELETE', `/members/${member.memberId}/sessions`)
  expect(await there('GET', '/session')).toBe(200)
  expect(await there('PUT', '/session/account', { account_id: account.id })).toBe('SESSION_EXPIRED')
  expect(await eventsOf(other.id, 'session.ended')).toEqual([])
  const later = await signInElsewhere(member, other.id)
  expect(await later('PUT', '/session/account', { account_id: account.id })).toBe(200)
})

test('an admin ends the sessions of no owner, an owner only after a proof, and others those of no one', async () => {
  const { account, people } = await farmWith('owner', 'owner', 'admin', 'operator', 'viewer')
  const [owner, other, admin, operator, viewer] = people as [TestPerson, TestPerson, TestPerson, TestPerson, TestPerson]
  const unproven = await createTestPerson(t, account, 'owner', { isProven: false })
  const end = async (by: TestPerson, of: TestPerson) =>
    (await by.request('DELETE', `/members/${of.memberId}/sessions`)).json().error?.code ?? 'ended'
  expect(await end(admin, owner)).toBe('FORBIDDEN')
  expect(await end(operator, viewer)).toBe('FORBIDDEN')
  expect(await end(viewer, viewer)).toBe('FORBIDDEN')
  expect(await end(unproven, other)).toBe('PROOF_REQUIRED')
  for (const each of people) expect((await each.request('GET', '/session')).statusCode).toBe(200)
  expect(await eventsOf(account.id, 'user.sessions_ended')).toEqual([])
  expect(await end(owner, other)).toBe('ended')
  expect((await other.request('GET', '/session')).json().error.code).toBe('SESSION_EXPIRED')
})

test("another account's member is not there", async () => {
  const [here, there] = [await farmWith('owner'), await farmWith('owner', 'viewer')]
  const asking = first(here.people)
  for (const id of [last(there.people).memberId, newId('member')]) {
    expect((await asking.request('PATCH', `/members/${id}`, { role: 'viewer' })).statusCode).toBe(404)
    expect((await asking.request('DELETE', `/members/${id}`)).statusCode).toBe(404)
    expect((await asking.request('DELETE', `/members/${id}/sessions`)).statusCode).toBe(404)
  }
  expect(await rolesIn(there.account.id)).toEqual(['owner', 'viewer'])
})

test('who changes a member that was changed meanwhile is told so', async () => {
  const { people } = await farmWith('owner', 'viewer')
  const path = `/members/${last(people).memberId}`
  const now = await first(people).request('PATCH', path, { role: 'operator' })
  const tag = String(now.headers.etag)
  expect((await first(people).request('PATCH', path, { role: 'admin' }, { 'if-match': tag })).statusCode).toBe(200)
  const late = await first(people).request('PATCH', path, { role: 'viewer' }, { 'if-match': tag })
  expect(late.json().error.code).toBe('PRECONDITION_FAILED')
})

test('addresses are listed for those who run the account, and for no key', async () => {
  const { account, people } = await farmWith('owner', 'operator')
  const emailsFor = async (list: Promise<{ json(): { data: { email: string | null }[] } }>) =>
    (await list).json().data.map((row) => row.email)
  expect(await emailsFor(first(people).request('GET', '/members'))).toEqual(people.map((each) => each.email))
  expect(await emailsFor(last(people).request('GET', '/members'))).toEqual([null, null])
  expect(await emailsFor(account.request('GET', '/members'))).toEqual([null, null])
})
