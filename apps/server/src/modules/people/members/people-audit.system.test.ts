import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { insertMember } from '../accounts/accounts.queries.ts'
import { failedSignIns } from '../sign-in/failed-sign-ins.ts'

let owner: TestPerson
const { t, account: farm } = accountForAllTests()
beforeAll(async () => {
  owner = await createTestPerson(t, farm, 'owner')
})

interface Told {
  type: string
  subject_id: string
  data: Record<string, unknown>
  actor: string
}

/** What the audit tells of these subjects, the oldest first. */
async function audit(...subjects: string[]): Promise<Told[]> {
  const told: Told[] = []
  for (const subject of subjects) {
    const answer = await owner.request('GET', `/audit?subject=${subject}`)
    told.push(...answer.json().data.reverse())
  }
  return told.map(({ type, subject_id, data, actor }) => ({ type, subject_id, data, actor }))
}

async function invite(by: TestPerson, email: string, role: string) {
  const { id, url } = (await by.request('POST', '/invitations', { email, role })).json().data
  return { id, token: url.split('#')[1] }
}

test('every way in which an invitation ends stands in the audit, with who ended it and why', async () => {
  const admin = await createTestPerson(t, farm, 'admin')
  const first = await invite(owner, 'one@example.com', 'viewer')
  const again = await invite(admin, 'ONE@example.com', 'admin')
  const lost = await invite(admin, 'two@example.com', 'operator')
  const kept = await invite(owner, 'three@example.com', 'viewer')
  await owner.request('PATCH', `/members/${admin.memberId}`, { role: 'operator' })
  await owner.request('DELETE', `/invitations/${kept.id}`)
  const ends = (await audit(first.id, again.id, lost.id, kept.id)).filter(({ type }) => type !== 'invitation.created')
  const withdrawn = (id: string, role: string, why: string, actor: TestPerson) => ({
    type: 'invitation.withdrawn',
    subject_id: id,
    data: { role, why },
    actor: `user:${actor.userId}`,
  })
  expect(ends).toEqual([
    withdrawn(first.id, 'viewer', 'invited_again', admin),
    withdrawn(again.id, 'admin', 'inviter_may_not', owner),
    withdrawn(lost.id, 'operator', 'inviter_may_not', owner),
    withdrawn(kept.id, 'viewer', 'withdrawn', owner),
  ])
})

test('an invitation that is accepted by a person who became a member meanwhile stands in the audit too', async () => {
  const { id, token } = await invite(owner, 'late@example.com', 'admin')
  const elsewhere = await t.account()
  const person = await createTestPerson(t, elsewhere, 'owner', {
    email: 'late@example.com',
    password: 'a long enough one',
  })
  await insertMember(t.db.sql, farm.id, { id: newId('member'), user_id: person.userId, role: 'viewer' })
  const answer = await t.app.inject(
    pageRequest('POST', '/invitations/accept', undefined, { token, password: 'a long enough one' }),
  )
  expect(answer.json().data.role).toBe('viewer')
  expect((await audit(id)).at(-1)).toEqual({
    type: 'invitation.accepted',
    subject_id: id,
    data: { user_id: person.userId, was_member: true },
    actor: `user:${person.userId}`,
  })
})

test('what a person changes of themselves stands in the audit of every account of theirs', async () => {
  const password = 'a long enough one'
  const person = await createTestPerson(t, await t.account(), 'viewer', { password })
  await insertMember(t.db.sql, farm.id, { id: newId('member'), user_id: person.userId, role: 'viewer' })
  expect((await person.request('PUT', '/profile', { name: 'Another' })).statusCode).toBe(200)
  const changed = await person.request('PUT', '/password', { current_password: password, new_password: `${password}!` })
  expect(changed.statusCode).toBe(200)
  expect(await audit(person.userId)).toMatchObject([
    { type: 'user.updated', actor: `user:${person.userId}` },
    { type: 'user.password_changed', actor: `user:${person.userId}` },
  ])
})

test('wrong passwords stand in the audit as one event with their number, for those who run the account and for the person', async () => {
  const service = await createTestApp()
  const account = await service.account()
  const admin = await createTestPerson(service, account, 'admin')
  const other = await createTestPerson(service, account, 'viewer')
  const person = await createTestPerson(service, account, 'operator', { password: 'a long enough one' })
  const eventsFor = async (reader: TestPerson): Promise<Told[]> => {
    const { data } = (await reader.request('GET', '/events?limit=100')).json()
    return data.filter(({ type }: Told) => type === 'user.sign_in_failed')
  }
  try {
    for (let guess = 0; guess < 5; guess += 1) {
      const wrong = { email: person.email, password: `a wrong one ${guess}` }
      expect((await service.app.inject(pageRequest('POST', '/sign-in', undefined, wrong))).statusCode).toBe(401)
    }
    await service.app.inject(
      pageRequest('POST', '/sign-in', undefined, { email: 'nobody@example.com', password: 'a wrong one' }),
    )
    await service.settled(async () => (await eventsFor(admin)).length > 0)
    const expected = [{ subject_id: person.userId, data: { attempts: 1 }, actor: 'system' }]
    expect(await eventsFor(admin)).toMatchObject(expected)
    expect(await eventsFor(person)).toMatchObject(expected)
    expect(await eventsFor(other)).toEqual([])
    const listed = await admin.request('GET', `/audit?subject=${person.userId}&type=user.sign_in_failed`)
    expect(listed.json().data).toMatchObject(expected)

    // A service that stops writes what it has counted since.
    await failedSignIns(service.context).close()
    expect(await eventsFor(admin)).toMatchObject([...expected, { ...expected[0], data: { attempts: 4 } }])
  } finally {
    await service.close()
  }
})
