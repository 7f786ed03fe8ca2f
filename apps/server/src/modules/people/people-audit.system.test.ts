import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../ids.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/test-app.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../test/test-person.ts'
import { insertMember } from '../accounts/accounts.queries.ts'

let t: TestApp
let farm: TestAccount
let owner: TestPerson
beforeAll(async () => {
  t = await createTestApp()
  farm = await t.account()
  owner = await createTestPerson(t, farm, 'owner')
})
afterAll(() => t.close())

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

test('an invitation that is accepted by somebody who became a member meanwhile stands in the audit too', async () => {
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
    { type: 'user.renamed', actor: `user:${person.userId}` },
    { type: 'user.password_changed', actor: `user:${person.userId}` },
  ])
})
