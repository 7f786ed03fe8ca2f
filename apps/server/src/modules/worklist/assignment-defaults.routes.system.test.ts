import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'

let farm: TestAccount
let stranger: TestAccount
const t = appForAllTests()
beforeAll(async () => {
  stranger = await t.account({ name: 'Stranger' })
})
beforeEach(async () => {
  farm = await t.account()
})

async function addMember(accountId: string, name = ''): Promise<string> {
  const id = newId('user')
  await t.db.sql`insert into users (id, email, name) values (${id}, ${`${id}@example.com`}, ${name})`
  await t.db.sql`
    insert into members (account_id, id, user_id, role) values (${accountId}, ${newId('member')}, ${id}, 'operator')`
  return id
}

const path = '/worklist/assignment-defaults'
const set = (task_type: string | null, assigned_to: string | null, account = farm) =>
  account.request('PUT', path, { task_type, assigned_to })
const newTask = async () =>
  (await farm.request('POST', '/worklist', { title: 'Clear', task_type: 'collection' })).json().data.id
const assigneeOf = async (taskId: string) => {
  const [row] = await t.db.sql`
    select assigned_to from worklist_tasks where account_id = ${farm.id} and id = ${taskId}`
  return row?.assigned_to
}

test('200 a default per type and a fallback are set, shown and followed by new tasks', async () => {
  const [anna, ben] = [await addMember(farm.id), await addMember(farm.id)]
  expect((await farm.request('GET', path)).json().data).toEqual([])
  await set(null, anna)
  expect(await assigneeOf(await newTask())).toBe(anna)
  const answer = await set('collection', ben)
  expect([answer.statusCode, answer.json().data]).toEqual([
    200,
    [
      { task_type: null, assigned_to: anna, is_member: true },
      { task_type: 'collection', assigned_to: ben, is_member: true },
    ],
  ])
  expect(answer.headers.etag).toBe((await farm.request('GET', path)).headers.etag)
  expect(await assigneeOf(await newTask())).toBe(ben)
  await set('collection', null)
  expect(await assigneeOf(await newTask())).toBe(anna)
})

test('a default outlives the membership and says so: then no one gets these tasks', async () => {
  const anna = await addMember(farm.id)
  await set(null, anna)
  await t.db.sql`delete from members where account_id = ${farm.id} and user_id = ${anna}`
  expect((await farm.request('GET', path)).json().data).toEqual([
    { task_type: null, assigned_to: anna, is_member: false },
  ])
  expect(await assigneeOf(await newTask())).toBeNull()
})

test('404 USER_NOT_FOUND for no one and for a member of another account, and nothing changes', async () => {
  for (const userId of [newId('user'), await addMember(stranger.id)]) {
    const answer = await set(null, userId)
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'USER_NOT_FOUND'])
  }
  expect((await farm.request('GET', path)).json().data).toEqual([])
})

test('400 for an unknown type, with the field', async () => {
  const answer = await set('cleaning', null)
  expect([answer.statusCode, Object.keys(answer.json().error.details)]).toEqual([400, ['task_type']])
})

test('members are listed with what assigned_to takes, without their addresses', async () => {
  const anna = await addMember(farm.id, 'Anna')
  await addMember(stranger.id)
  const { body, json } = await farm.request('GET', '/members')
  expect(json().data).toContainEqual({
    id: expect.any(String),
    email: null,
    user_id: anna,
    name: 'Anna',
    role: 'operator',
    created_at: expect.stringMatching(/Z$/),
  })
  expect(body).not.toContain('@')
  expect(json().meta.count).toBe(json().data.length)
})
