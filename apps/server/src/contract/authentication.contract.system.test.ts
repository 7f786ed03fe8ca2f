import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../kernel/actor.ts'
import { createApiKey, revokeApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { systemWork } from '../test/app/system-work.ts'
import { errorOf, keyWith } from './expectations.ts'

let now = new Date()
beforeEach(() => {
  now = new Date('2026-11-20T09:30:00.000Z')
})
const { t, account } = accountForEachTest({ context: { clock: { now: () => now } } })

let requests = 0

function send(authorization: string | undefined, method: 'GET' | 'POST' | 'PUT' = 'GET', path = '/jobs/history') {
  requests += 1
  return t.app.inject({
    method,
    url: `/public/v1${path}`,
    headers: authorization === undefined ? {} : { authorization },
    // Refusals are counted by address; this is no test of that.
    remoteAddress: `10.1.${requests >> 8}.${requests & 255}`,
  })
}

const addKey = (expiresAt: Date | null = null) =>
  createApiKey(systemWork(t.db.sql, account.id, now), { name: 'Shop', scopes, expiresAt })

describe('a key', () => {
  test('has the form <service>_live_<64 hex>, and is let pass as Bearer', async () => {
    const { key } = await addKey()
    expect(key).toMatch(/^[a-z]+_live_[0-9a-f]{64}$/)
    expect((await send(`Bearer ${key}`)).statusCode).toBe(200)
    expect((await send(`bearer ${key}`)).statusCode).toBe(200)
  })

  test('is stored as its SHA-256 and nowhere else', async () => {
    const { key, id } = await addKey()
    await send(`Bearer ${key}`)
    const [row] = await t.db.sql`select * from api_keys where account_id = ${account.id} and id = ${id}`
    expect(Buffer.from(row?.key_hash).toString('hex')).toBe(createHash('sha256').update(key).digest('hex'))
    const events = await t.db.sql`select * from events where account_id = ${account.id}`
    expect(JSON.stringify([row, ...events])).not.toContain(key.slice(-40))
  })

  test('sees and changes nothing of another account', async () => {
    const stranger = await t.account()
    await stranger.request('POST', '/hubs', { name: 'Theirs' })
    expect((await account.request('GET', '/hubs')).json().data).toEqual([])
  })
})

describe('401', () => {
  test('UNAUTHORIZED when the header is missing or empty', async () => {
    errorOf(await send(undefined), 401, 'UNAUTHORIZED')
    errorOf(await send(''), 401, 'UNAUTHORIZED')
  })

  test('TOKEN_INVALID for a wrong prefix, a wrong form, another scheme and an unknown key', async () => {
    const { key } = await addKey()
    const secret = key.slice(-64)
    for (const header of [
      key,
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      `Bearer ${secret}`,
      `Bearer other_live_${secret}`,
      `Bearer printyard_test_${secret}`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}0`,
      `Bearer ${key.slice(0, -1)}g`,
      `Bearer ${key} ${key}`,
      `Bearer printyard_live_${'0'.repeat(64)}`,
    ]) {
      errorOf(await send(header), 401, 'TOKEN_INVALID')
    }
  })

  test('TOKEN_REVOKED from the next request on, for good', async () => {
    const { key, id } = await addKey()
    expect((await send(`Bearer ${key}`)).statusCode).toBe(200)
    await t.db.begin((sql) => revokeApiKey(systemWork(sql, account.id, now), id))
    errorOf(await send(`Bearer ${key}`), 401, 'TOKEN_REVOKED')
    now = new Date(now.getTime() + 86_400_000)
    errorOf(await send(`Bearer ${key}`), 401, 'TOKEN_REVOKED')
  })

  test('TOKEN_EXPIRED from the moment of its expiry on, not before; without one never', async () => {
    const { key } = await addKey(new Date(now.getTime() + 1000))
    const lasting = (await addKey()).key
    now = new Date(now.getTime() + 999)
    expect((await send(`Bearer ${key}`)).statusCode).toBe(200)
    now = new Date(now.getTime() + 1)
    errorOf(await send(`Bearer ${key}`), 401, 'TOKEN_EXPIRED')
    now = new Date('2099-01-01T00:00:00Z')
    expect((await send(`Bearer ${lasting}`)).statusCode).toBe(200)
  })
})

describe('a key holds any combination of the scopes', () => {
  const endpoints: ['GET' | 'POST' | 'PUT', string, Scope][] = [
    ['POST', '/jobs', 'write'],
    ['GET', '/jobs/x', 'read'],
    ['GET', '/jobs/history', 'read'],
    ['POST', '/jobs/x/resume', 'control'],
    ['POST', '/worklist', 'write'],
    ['PUT', '/inventory/x/threshold', 'write'],
    ['GET', '/orders/x', 'read'],
    ['POST', '/wiki/x/publish', 'write'],
    ['GET', '/printers/x/status', 'read'],
    ['GET', '/hubs/x', 'read'],
    ['GET', '/products/x/images', 'read'],
    ['GET', '/analytics/overview', 'read'],
  ]
  const combinations: Scope[][] = [
    [],
    ['read'],
    ['write'],
    ['control'],
    ['read', 'write'],
    ['read', 'control'],
    ['write', 'control'],
    ['read', 'write', 'control'],
  ]

  test.each(combinations.map((granted) => ({ granted })))(
    '$granted: each endpoint lets pass who has its scope, and answers 403 INSUFFICIENT_SCOPE to all others',
    async ({ granted }) => {
      // A key without scopes cannot be made by people; what is in the table is what counts.
      const key = await keyWith(t, account, granted.length > 0 ? granted : ['read'])
      if (granted.length === 0) await t.db.sql`update api_keys set scopes = '{}' where account_id = ${account.id}`
      for (const [method, path, scope] of endpoints) {
        const answer = await send(`Bearer ${key}`, method, path)
        if (granted.includes(scope)) expect([401, 403], `${method} ${path}`).not.toContain(answer.statusCode)
        else errorOf(answer, 403, 'INSUFFICIENT_SCOPE')
      }
    },
  )
})
