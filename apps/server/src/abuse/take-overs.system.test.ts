import { expect, test } from 'vitest'
import { createApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { appForAllTests } from '../test/app-hooks.ts'
import { systemWork } from '../test/system-work.ts'

const t = appForAllTests()

/** Sequences of steps of which each is permitted and that together would take a farm over. */

test('a key that may only write cannot move a printer and its stored credentials to a hub of its own', async () => {
  const farm = await t.account()
  const writing = await createApiKey(systemWork(t.db.sql, farm.id), {
    name: 'shop',
    scopes: ['read', 'write'],
    expiresAt: null,
  })
  const call = async (key: string, method: 'POST' | 'PATCH', url: string, payload: object) => {
    const answer = await t.app.inject({
      method,
      url: `/public/v1${url}`,
      headers: { authorization: `Bearer ${key}` },
      payload,
    })
    return { status: answer.statusCode, ...answer.json() }
  }
  const [home, other] = await Promise.all(['Home', 'Other'].map((name) => call(farm.key, 'POST', '/hubs', { name })))
  const connection = { address: '127.0.0.1', api_key: 'the-secret-of-the-printer' }
  const body = { name: 'Bench', model: 'MK4S', hub_id: home.data.id, connection_type: 'octoprint', connection }
  const printer = (await call(farm.key, 'POST', '/printers', body)).data

  const moved = await call(writing.key, 'PATCH', `/printers/${printer.id}`, { hub_id: other.data.id })
  expect([moved.status, moved.error?.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  expect((await call(writing.key, 'POST', `/hubs/${home.data.id}/join-code`, {})).status).toBe(403)

  // By way of no hub at all.
  expect((await call(writing.key, 'PATCH', `/printers/${printer.id}`, { hub_id: null })).status).toBe(200)
  expect((await call(writing.key, 'PATCH', `/printers/${printer.id}`, { hub_id: home.data.id })).status).toBe(403)

  // Who enters credentials may say which hub gets them; who may move machines may move the printer.
  const entered = { hub_id: home.data.id, connection: { address: '127.0.0.1', api_key: 'another' } }
  expect((await call(writing.key, 'PATCH', `/printers/${printer.id}`, entered)).status).toBe(200)
  expect((await call(farm.key, 'PATCH', `/printers/${printer.id}`, { hub_id: other.data.id })).status).toBe(200)
})
