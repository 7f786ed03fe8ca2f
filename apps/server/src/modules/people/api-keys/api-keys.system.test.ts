import { beforeAll, expect, test } from 'vitest'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'

let owner: TestPerson
const { t, account } = accountForAllTests()
beforeAll(async () => {
  owner = await createTestPerson(t, account, 'owner')
})

const useKey = (key: string) =>
  t.app.inject({ url: '/public/v1/printers', headers: { authorization: `Bearer ${key}` } })
const wanted = { name: 'Web shop', scopes: ['read', 'write'] }

test('a key that a person makes works until it is revoked, and is shown once', async () => {
  const made = await owner.request('POST', '/api-keys', { ...wanted, expires_in_days: 30 })
  expect(made.statusCode).toBe(201)
  const { key, ...shown } = made.json().data
  expect(shown).toMatchObject({
    ...wanted,
    prefix: key.slice(0, 23),
    last_four: key.slice(-4),
    created_by: `user:${owner.userId}`,
    created_by_name: 'A owner',
    revoked_at: null,
  })
  expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(30 * 24 * 3_600_000)
  expect((await useKey(key)).statusCode).toBe(200)

  const list = await owner.request('GET', '/api-keys')
  expect(list.json().data[0]).toMatchObject({ id: shown.id, name: 'Web shop' })
  expect(list.body).not.toContain(key)
  const revoked = await owner.request('DELETE', `/api-keys/${shown.id}`)
  expect(revoked.json().data).toEqual({ id: shown.id, name: 'Web shop', revoked_at: expect.any(String) })
  expect((await useKey(key)).json().error.code).toBe('TOKEN_REVOKED')
  expect((await owner.request('DELETE', `/api-keys/${shown.id}`)).json()).toEqual(revoked.json())
  const events = await t.db.sql`
    select type, actor from events where account_id = ${account.id} and subject_id = ${shown.id} order by id`
  expect(events).toEqual([
    { type: 'api_key.created', actor: `user:${owner.userId}` },
    { type: 'api_key.revoked', actor: `user:${owner.userId}` },
  ])
})

test('a key without an end says so, and a repeated request makes one key', async () => {
  const headers = { 'idempotency-key': 'one-key' }
  const first = await owner.request('POST', '/api-keys', wanted, headers)
  const second = await owner.request('POST', '/api-keys', wanted, headers)
  expect(first.json().data.expires_at).toBeNull()
  expect(second.json()).toEqual(first.json())
})

test.each([
  ['no scope', { name: 'x', scopes: [] }],
  ['a scope twice', { name: 'x', scopes: ['read', 'read'] }],
  ['an unknown scope', { name: 'x', scopes: ['root'] }],
  ['no name', { name: '', scopes: ['read'] }],
  ['an end in the past', { ...wanted, expires_in_days: 0 }],
])('a key with %s is refused', async (_, body) => {
  expect((await owner.request('POST', '/api-keys', body)).json().error.code).toBe('VALIDATION_ERROR')
})

test('admins make keys; operators and viewers neither make nor see nor revoke any', async () => {
  const admin = await createTestPerson(t, account, 'admin')
  const made = await admin.request('POST', '/api-keys', { name: 'x', scopes: ['control'] })
  expect(made.statusCode).toBe(201)
  for (const role of ['operator', 'viewer'] as const) {
    const person = await createTestPerson(t, account, role)
    const answers = [
      await person.request('POST', '/api-keys', wanted),
      await person.request('GET', '/api-keys'),
      await person.request('DELETE', `/api-keys/${made.json().data.id}`),
    ]
    expect(answers.map((answer) => answer.json().error.code)).toEqual(Array(3).fill('FORBIDDEN'))
  }
})

test("another account's keys are not there", async () => {
  const made = await owner.request('POST', '/api-keys', wanted)
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect((await stranger.request('DELETE', `/api-keys/${made.json().data.id}`)).statusCode).toBe(404)
  expect((await stranger.request('GET', '/api-keys')).body).not.toContain(made.json().data.id)
  expect((await useKey(made.json().data.key)).statusCode).toBe(200)
})

test('the keys of a member can be listed alone, and still name who made them when that member has gone', async () => {
  const admin = await createTestPerson(t, account, 'admin')
  const made = await admin.request('POST', '/api-keys', { name: 'Theirs', scopes: ['read'] })
  await owner.request('POST', '/api-keys', { name: 'Not theirs', scopes: ['read'] })
  const theirs = async () => {
    const answer = await owner.request('GET', `/api-keys?created_by=user:${admin.userId}`)
    return answer.json().data.map((key: { id: string; created_by_name: string }) => [key.id, key.created_by_name])
  }
  const expected = [[made.json().data.id, 'A admin']]
  expect(await theirs()).toEqual(expected)
  expect((await owner.request('DELETE', `/members/${admin.memberId}`)).statusCode).toBe(200)
  expect(await theirs()).toEqual(expected)
  expect((await useKey(made.json().data.key)).statusCode).toBe(200)
  const byMachine = await owner.request('GET', '/api-keys?created_by=system')
  expect(byMachine.json().data).toMatchObject([{ name: 'test', created_by: 'system', created_by_name: null }])
})
