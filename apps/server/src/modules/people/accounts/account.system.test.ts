import { beforeAll, expect, test } from 'vitest'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestApp, type TestAccount } from '../../../test/app/test-app.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'

let account: TestAccount
let owner: TestPerson
const t = appForAllTests()
beforeAll(async () => {
  account = await t.account({ name: 'North farm' })
  owner = await createTestPerson(t, account, 'owner')
})

test('what is changed is answered everywhere, and the rest stays', async () => {
  const changed = await owner.request('PATCH', '/account', { time_zone: 'Europe/Prague', requeue_rejected_units: true })
  expect(changed.json().data).toEqual({
    id: account.id,
    name: 'North farm',
    time_zone: 'Europe/Prague',
    requeue_rejected_units: true,
    require_second_factor: false,
    mail_may_go_unencrypted: false,
    created_at: expect.any(String),
  })
  expect((await owner.request('GET', '/account')).json()).toEqual(changed.json())
  expect((await owner.request('GET', '/session')).json().data.account.time_zone).toBe('Europe/Prague')
  const events = await t.db.sql`
    select data, actor from events where account_id = ${account.id} and type = 'account.updated'`
  expect(events).toEqual([{ data: { fields: ['time_zone', 'requeue_rejected_units'] }, actor: `user:${owner.userId}` }])
})

test.each([
  ['nothing', {}],
  ['an empty name', { name: '  ' }],
  ['an unknown time zone', { time_zone: 'Europe/Nowhere' }],
  ['an offset as time zone', { time_zone: '+02:00' }],
])('%s changes nothing', async (_, body) => {
  const before = (await owner.request('GET', '/account')).json()
  expect((await owner.request('PATCH', '/account', body)).json().error.code).toBe('VALIDATION_ERROR')
  expect((await owner.request('GET', '/account')).json()).toEqual(before)
})

test('a change that expects what is there no more is refused', async () => {
  const tag = String((await owner.request('GET', '/account')).headers.etag)
  expect((await owner.request('PATCH', '/account', { name: 'South farm' }, { 'if-match': tag })).statusCode).toBe(200)
  const late = await owner.request('PATCH', '/account', { name: 'East farm' }, { 'if-match': tag })
  expect(late.json().error.code).toBe('PRECONDITION_FAILED')
  expect((await owner.request('GET', '/account')).json().data.name).toBe('South farm')
})

test('everybody sees the account, owners and admins change it', async () => {
  const rows: unknown[] = []
  for (const role of ['admin', 'operator', 'viewer'] as const) {
    const person = await createTestPerson(t, account, role)
    const seen = await person.request('GET', '/account')
    const changed = await person.request('PATCH', '/account', { name: `Farm of an ${role}` })
    rows.push([role, seen.statusCode, changed.statusCode])
  }
  expect(rows).toEqual([
    ['admin', 200, 200],
    ['operator', 200, 403],
    ['viewer', 200, 403],
  ])
})

test('an owner is told that mail may go unencrypted', async () => {
  const mail = { smtpUrl: 'smtp://mail.example.com:587', mailFrom: 'farm@example.com', smtpPlainText: 'on' } as const
  const other = await createTestApp({ config: { ...mail, publicUrl: 'https://farm.example.com' } })
  try {
    const person = await createTestPerson(other, await other.account(), 'owner')
    const headers = { host: 'farm.example.com', origin: 'https://farm.example.com' }
    const answer = await person.request('GET', '/account', undefined, headers)
    expect(answer.json().data, answer.body).toMatchObject({ mail_may_go_unencrypted: true })
  } finally {
    await other.close()
  }
})
