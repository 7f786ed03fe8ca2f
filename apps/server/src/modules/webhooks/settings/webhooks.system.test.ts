import { expect, onTestFinished, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestApp } from '../../../test/app/test-app.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { answering, isSignedBy, openTestReceiver } from '../../../test/services/test-receiver.ts'

const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

const url = 'https://erp.invalid/printyard'

async function add(body: object = { url }) {
  const answer = await account.request('POST', '/webhooks', body)
  expect(answer.statusCode).toBe(201)
  return answer.json().data
}

test('a webhook is made with a secret, which is shown only then', async () => {
  const made = await add({ url, description: 'Stock', event_types: ['job.*'], subject_ids: [] })
  expect(made).toMatchObject({
    url,
    description: 'Stock',
    event_types: ['job.*'],
    subject_ids: [],
    status: 'active',
    pause_reason: null,
    created_by: expect.stringMatching(/^key:key_/),
  })
  expect(made.secret).toMatch(/^whsec_/)
  const { secret, ...shown } = made
  const one = await account.request('GET', `/webhooks/${made.id}`)
  expect(one.json().data).toEqual(shown)
  const list = await account.request('GET', '/webhooks')
  expect(list.json().data).toEqual([shown])
  expect(one.body + list.body).not.toContain('whsec_')
  const [row] = await t.db.sql<{ secrets_sealed: Buffer }[]>`
    select secrets_sealed from webhooks where account_id = ${account.id}`
  expect(row?.secrets_sealed.includes(secret)).toBe(false)
  const events = await account.request('GET', '/events?type=webhook.*')
  expect(events.json().data).toMatchObject([{ type: 'webhook.created', data: { event_types: ['job.*'] } }])
  expect(events.body).not.toContain('erp.invalid')
})

test.each([
  ['http://erp.invalid:25/', 'url'],
  ['https://10.0.0.1/', 'url'],
  ['https://[::ffff:169.254.169.254]/', 'url'],
  ['https://user:pass@example.com/', 'url'],
  ['ftp://example.com/', 'url'],
])('%s is refused', async (bad, field) => {
  const answer = await account.request('POST', '/webhooks', { url: bad })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().error.details).toHaveProperty(field)
  const made = await add()
  expect((await account.request('PATCH', `/webhooks/${made.id}`, { url: bad })).statusCode).toBe(400)
})

test('types that do not exist or are told to admins alone are refused', async () => {
  for (const type of ['job.complete', 'session.started', 'api_key.*']) {
    const answer = await account.request('POST', '/webhooks', { url, event_types: ['job.queued', type] })
    expect(answer.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { 'event_types.1': [expect.any(String)] },
    })
  }
})

test('a change is told with its fields, and nothing is told of none', async () => {
  const made = await add()
  const change = (body: object) => account.request('PATCH', `/webhooks/${made.id}`, body)
  await change({ description: 'Shop', event_types: ['order.*'] })
  await change({ description: 'Shop', is_active: true })
  const paused = await change({ is_active: false })
  expect(paused.json().data).toMatchObject({ status: 'paused', pause_reason: 'person', paused_at: expect.any(String) })
  expect((await change({ is_active: true })).json().data).toMatchObject({ status: 'active', paused_at: null })
  const told = (await account.request('GET', '/events?type=webhook.updated')).json().data
  expect(told.map((event: { data: object }) => event.data)).toEqual([
    { fields: ['description', 'event_types'] },
    { fields: ['is_active'] },
    { fields: ['is_active'] },
  ])
})

test('one that is deleted is gone, with its log', async () => {
  const made = await add()
  expect((await account.request('DELETE', `/webhooks/${made.id}`)).json().data).toEqual({ id: made.id, deleted: true })
  for (const path of ['', '/deliveries']) {
    expect((await account.request('GET', `/webhooks/${made.id}${path}`)).statusCode).toBe(404)
  }
  expect((await account.request('POST', `/webhooks/${made.id}/test`)).statusCode).toBe(404)
  const feeds = await t.db.sql`select id from webhook_feeds where account_id = ${account.id}`
  expect(feeds).toEqual([])
})

test('a key that may only read sees no path of a URL, and one that may only write makes none', async () => {
  const made = await add({ url: `${url}/T0SECRET` })
  const keyOf = async (scope: 'read' | 'write') => {
    const key = await createTestPerson(t, account, 'owner')
    const answer = await key.request('POST', '/api-keys', { name: scope, scopes: [scope] })
    const { key: text } = answer.json().data
    return (method: 'GET' | 'POST', path: string, payload?: object) =>
      t.app.inject({
        method,
        url: `/public/v1${path}`,
        headers: { authorization: `Bearer ${text}` },
        ...(payload && { payload }),
      })
  }
  const reader = await keyOf('read')
  for (const path of ['/webhooks', `/webhooks/${made.id}`]) {
    const answer = await reader('GET', path)
    expect(answer.body).not.toContain('T0SECRET')
    expect(answer.body).toContain('https://erp.invalid/…')
  }
  const writer = await keyOf('write')
  expect((await writer('POST', '/webhooks', { url })).json().error.code).toBe('INSUFFICIENT_SCOPE')
})

test('people below admins neither see nor change webhooks, and an admin must show to be there', async () => {
  const made = await add()
  for (const role of ['viewer', 'operator'] as const) {
    const person = await createTestPerson(t, account, role)
    expect((await person.request('GET', '/webhooks')).statusCode).toBe(403)
    expect((await person.request('GET', `/webhooks/${made.id}/deliveries`)).statusCode).toBe(403)
    expect((await person.request('POST', '/webhooks', { url })).statusCode).toBe(403)
    expect((await person.request('POST', `/webhooks/${made.id}/test`)).statusCode).toBe(403)
  }
  const unproven = await createTestPerson(t, account, 'admin', { isProven: false })
  const refused = [
    await unproven.request('POST', '/webhooks', { url }),
    await unproven.request('PATCH', `/webhooks/${made.id}`, { url: 'https://other.invalid/' }),
    await unproven.request('POST', `/webhooks/${made.id}/rotate-secret`),
  ]
  expect(refused.map((answer) => answer.json().error.code)).toEqual(Array(3).fill('PROOF_REQUIRED'))
  expect((await unproven.request('PATCH', `/webhooks/${made.id}`, { is_active: false })).statusCode).toBe(200)
})

test('a test call tells at once what the receiver answered, by a message that verifies', async () => {
  const receiver = await openTestReceiver()
  onTestFinished(() => receiver.close())
  const made = await add({ url: receiver.url, event_types: ['order.created'] })
  await account.request('PATCH', `/webhooks/${made.id}`, { is_active: false })
  const good = (await account.request('POST', `/webhooks/${made.id}/test`)).json().data
  expect(good).toMatchObject({
    is_test: true,
    event_type: 'webhook.tested',
    status: 'delivered',
    status_code: 200,
    answer: 'ok',
    failure: null,
    attempts: 1,
  })
  const [message] = receiver.received
  expect(message && isSignedBy(message, made.secret)).toBe(true)
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    type: 'webhook.tested',
    timestamp: expect.any(String),
    data: { id: good.event_id, type: 'webhook.tested', subject_id: made.id, data: {} },
  })
  receiver.answer = answering(500)
  const bad = (await account.request('POST', `/webhooks/${made.id}/test`)).json().data
  expect(bad).toMatchObject({ status: 'failed', failure: 'status', status_code: 500, answer: 'status 500' })
  const log = (await account.request('GET', `/webhooks/${made.id}/deliveries`)).json().data
  expect(log).toEqual([bad, good])
  const again = await account.request('POST', `/webhooks/${made.id}/deliveries/${good.id}/redeliver`)
  expect(again.statusCode).toBe(404)
})

test('after a rotation messages verify by both secrets, and by the new one alone without overlap', async () => {
  const receiver = await openTestReceiver()
  onTestFinished(() => receiver.close())
  const made = await add({ url: receiver.url })
  const rotate = async (body?: object) =>
    (await account.request('POST', `/webhooks/${made.id}/rotate-secret`, body)).json().data
  const second = await rotate()
  expect(Date.parse(second.former_valid_until) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  await account.request('POST', `/webhooks/${made.id}/test`)
  const third = await rotate({ overlap_hours: 0 })
  await account.request('POST', `/webhooks/${made.id}/test`)
  const [during, after] = receiver.received.map((message) =>
    [made, second, third].map(({ secret }) => isSignedBy(message, secret)),
  )
  expect(during).toEqual([true, true, false])
  // What the first rotation left valid stays so until its end.
  expect(after).toEqual([true, false, true])
})

test('a URL that is not allowed any more is refused when it is sent to', async () => {
  const receiver = await openTestReceiver()
  onTestFinished(() => receiver.close())
  const strict = await createTestApp()
  onTestFinished(() => strict.close())
  const other = await strict.account()
  const made = (await other.request('POST', '/webhooks', { url })).json().data
  await strict.db.sql`update webhooks set url = ${receiver.url} where account_id = ${other.id}`
  const call = (await other.request('POST', `/webhooks/${made.id}/test`)).json().data
  expect(call).toMatchObject({ status: 'failed', failure: 'address_refused', status_code: null })
  expect(receiver.received).toEqual([])
})
