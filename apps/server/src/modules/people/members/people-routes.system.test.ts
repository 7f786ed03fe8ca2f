import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { isAtLeast, type Role, roles } from '../../../kernel/policy.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { walkPages } from '../../../test/app/walk-pages.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { explaining, readPlan } from '../../../test/run/query-plan.ts'
import { listKeyPage } from '../api-keys/api-keys.queries.ts'
import { listInvitations } from '../invitations/invitations.queries.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Row = readonly [method: Method, path: string, least: Role | null, body?: object | undefined]

/** The routes of people, with the least role that each is to need (null: no session either) and the smallest body. */
const inAnHour = new Date(Date.now() + 3_600_000).toISOString()

const routes: readonly Row[] = [
  ['GET', '/invitations', 'admin'],
  ['POST', '/invitations', 'admin', { email: 'walk@example.com', role: 'viewer' }],
  ['DELETE', '/invitations/:id', 'admin'],
  ['POST', '/invitations/look', null, { token: 'x' }],
  ['POST', '/invitations/accept', null, { token: 'x', password: 'x' }],
  ['GET', '/members', 'viewer'],
  ['PATCH', '/members/:id', 'admin', { role: 'viewer' }],
  ['DELETE', '/members/:id', 'viewer'],
  ['POST', '/members/:id/reset-link', 'admin'],
  ['DELETE', '/members/:id/sessions', 'admin'],
  ['PUT', '/members/:id/shifts', 'operator', { shifts: [{ day: 1, from: '08:00', to: '16:00' }] }],
  ['GET', '/shifts', 'viewer'],
  ['POST', '/shifts/switch', 'operator', { is_on: true, until: inAnHour }],
  ['DELETE', '/shifts/switch', 'operator'],
  ['GET', '/api-keys', 'admin'],
  ['POST', '/api-keys', 'admin', { name: 'Walk', scopes: ['read'] }],
  ['DELETE', '/api-keys/:id', 'admin'],
  ['GET', '/account', 'viewer'],
  ['GET', '/account/export', 'owner'],
  ['GET', '/account/usage', 'admin'],
  ['PATCH', '/account', 'admin', { requeue_rejected_units: false }],
  ['POST', '/password/forgot', null, { email: 'nobody@example.com' }],
  ['POST', '/password/reset', null, { token: 'x', password: 'x' }],
  ['POST', '/totp', 'viewer', {}],
  ['POST', '/totp/confirm', 'viewer', { code: '000000' }],
  ['POST', '/totp/remove', 'viewer', {}],
  ['POST', '/totp/backup-codes', 'viewer', {}],
  ['GET', '/oidc', null],
  ['POST', '/oidc/start', null, {}],
  ['GET', '/oidc/invitations', null],
  ['POST', '/oidc/invitations/accept', null, { invitation_id: 'x' }],
  ['GET', '/passkeys', 'viewer'],
  ['POST', '/passkeys/options', 'viewer', {}],
  ['POST', '/passkeys', 'viewer', {}],
  ['PATCH', '/passkeys/:id', 'viewer', { name: 'x' }],
  ['DELETE', '/passkeys/:id', 'viewer'],
  ['POST', '/passkeys/sign-in/options', null, {}],
  ['POST', '/passkeys/sign-in', null, {}],
  ['GET', '/proof', 'viewer'],
  ['POST', '/proof', 'viewer', { password: 'x' }],
  ['POST', '/proof/provider', 'viewer', {}],
  ['POST', '/proof/passkey/options', 'viewer', {}],
  ['POST', '/proof/passkey', 'viewer', {}],
  ['GET', '/oidc/callback', null],
]
const ours = /^\/app\/v1\/(invitations|members|shifts|api-keys|account|password\/|totp|oidc|passkeys|proof)/

const named = (rows: readonly Row[]) => rows.map((row) => ({ route: `${row[0]} ${row[1]}`, row }))
const guarded = routes.filter(([, , least]) => least !== null)
const writes = routes.filter(([method]) => method !== 'GET')

let t: TestApp
let account: TestAccount
let people: Record<Role, TestPerson>
let stranger: TestPerson
let ids: Record<string, string>
const registered: RouteOptions[] = []
beforeAll(async () => {
  // The application is whole when it is handed out; the routes are told while it is built.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void registered.push(route))
  }
  channel('fastify.initialization').subscribe(listen)
  t = await createTestApp()
  channel('fastify.initialization').unsubscribe(listen)
  account = await t.account()
  people = Object.fromEntries(
    await Promise.all(roles.map(async (role) => [role, await createTestPerson(t, account, role)])),
  )
  stranger = await createTestPerson(t, await t.account(), 'owner')
  const invitation = await people.owner.request('POST', '/invitations', { email: 'guest@example.com', role: 'owner' })
  const key = await people.owner.request('POST', '/api-keys', { name: 'Shop', scopes: ['read'] })
  ids = { invitations: invitation.json().data.id, members: people.owner.memberId, 'api-keys': key.json().data.id }
})
afterAll(() => t.close())

const pathOf = (path: string, id = ids[path.split('/')[1] ?? '']) => path.replace(':id', id ?? '')
let sent = 0
function send([method, path, , body]: Row, cookie?: string, headers: Record<string, string> = {}) {
  sent += 1
  // Tries are counted by address; this is no test of that.
  return t.app.inject({
    ...pageRequest(method, path, cookie, body, headers),
    remoteAddress: `10.5.${sent >> 8}.${sent & 255}`,
  })
}
const outcome = (answer: { statusCode: number; json(): { error?: { code: string } } }) => [
  answer.statusCode,
  answer.json().error?.code,
]

/** All that is there of the account's people, to see whether anything changed. */
async function everything(): Promise<unknown> {
  const lists = ['/invitations', '/members', '/shifts', '/api-keys', '/account']
  return Promise.all(lists.map(async (path) => (await people.owner.request('GET', path)).json()))
}

test('every route of people is walked, with the role that it is to need', () => {
  const found = registered
    .filter((route) => ours.test(route.url))
    .map((route) => `${route.method} ${route.url} ${route.config?.scope ? route.config.role : null}`)
  expect(found.sort()).toEqual(routes.map(([method, path, least]) => `${method} /app/v1${path} ${least}`).sort())
})

test('no route of people is open to keys, but the list of members', () => {
  const open = registered.filter((route) => ours.test(route.url.replace('/public/', '/app/')))
  expect(open.filter((route) => route.url.startsWith('/public/')).map((route) => route.url)).toEqual([
    '/public/v1/members',
  ])
})

describe.each(named(guarded))('$route', ({ row: [method, path, least, body] }) => {
  test('without a session, and with a key, is UNAUTHORIZED', async () => {
    const row: Row = [method, pathOf(path), least, body]
    expect(outcome(await send(row))).toEqual([401, 'UNAUTHORIZED'])
    expect(outcome(await send(row, undefined, { authorization: `Bearer ${account.key}` }))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
  })

  test('with every role below its own is FORBIDDEN, whether or not the thing exists', async () => {
    const before = await everything()
    for (const role of roles.filter((each) => least !== null && !isAtLeast(each, least))) {
      for (const id of [undefined, 'unknown']) {
        const answer = await send([method, pathOf(path, id), least, body], people[role].cookie)
        expect(outcome(answer), role).toEqual([403, 'FORBIDDEN'])
      }
    }
    expect(await everything()).toEqual(before)
  })
})

test.each(named(routes.filter(([, path]) => path.includes(':id'))))(
  "$route answers the same for another account's thing as for none, and does nothing",
  async ({ row: [method, path, least, body] }) => {
    const before = await everything()
    const foreign = await send([method, pathOf(path), least, body], stranger.cookie)
    const unknown = await send([method, pathOf(path, newId('member')), least, body], stranger.cookie)
    expect(outcome(unknown)).toEqual([404, 'NOT_FOUND'])
    expect(foreign.body).toBe(unknown.body)
    expect(await everything()).toEqual(before)
  },
)

test.each(named(writes))(
  '$route takes nothing from a page of another site',
  async ({ row: [method, path, least, body] }) => {
    const before = await everything()
    const row: Row = [method, pathOf(path), least, body]
    for (const headers of [{ origin: 'https://evil.example.net' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(outcome(await send(row, people.owner.cookie, headers))).toEqual([403, 'ORIGIN_REFUSED'])
    }
    expect(await everything()).toEqual(before)
  },
)

describe('lists', () => {
  const rows = 40
  const lists = ['/invitations', '/api-keys']
  let full: TestAccount
  let reader: Pick<TestAccount, 'request'>
  beforeAll(async () => {
    full = await t.account()
    const owner = await createTestPerson(t, full, 'owner')
    reader = owner
    // Three of one time each, and the next three a microsecond younger.
    const time = t.db.sql`timestamptz '2026-03-01T00:00:00Z' + n / 3 * interval '1 microsecond'`
    await t.db.sql`
      insert into invitations (account_id, id, email, role, token_hash, invited_by, expires_at, created_at)
      select ${full.id}, 'ivn_' || n * 7919 % 100003, n || '@example.com', 'viewer', sha256(n::text::bytea),
        ${owner.userId}, now(), ${time} from generate_series(1, ${rows}::integer) n`
    await t.db.sql`
      insert into api_keys (account_id, id, name, key_hash, key_prefix, last_four, scopes, created_at)
      select ${full.id}, 'key_' || n * 7919 % 100003, 'Key', sha256(('k' || n)::bytea), 'printyard_live_', 'abcd', '{read}',
        ${time} from generate_series(1, ${rows}::integer) n`
  })

  test.each(lists)('GET %s walked by cursor gives exactly what it gives by offset', async (path) => {
    const whole = (await reader.request('GET', `${path}?limit=100&offset=0`)).json().data
    expect(whole.length).toBeGreaterThanOrEqual(rows)
    for (const limit of [1, 7, whole.length, 100]) {
      const pages = await walkPages(reader as TestAccount, path, limit)
      expect(pages.flatMap(({ data }) => data)).toEqual(whole)
    }
  })

  test('are read by their indexes', async () => {
    const bounds = { limit: 51, offset: 0, after: { key: '2026-03-01T00:00:00Z', id: 'x' } }
    await t.db.begin(async (own) => {
      await own`set local enable_seqscan = off`
      const handle = explaining(own)
      expect(readPlan(await listInvitations(handle, full.id, bounds)).indexes).toEqual(['invitations_by_age'])
      expect(readPlan(await listKeyPage(handle, full.id, bounds)).indexes).toEqual(['api_keys_by_age', 'users_pkey'])
    })
  })
})
