import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeHubKey } from '@printyard/protocol/sealed-connection'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '../kernel/actor.ts'
import { createHubWithToken } from '../modules/hubs/hubs.service.ts'
import { createApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { signInThrottle } from '../modules/people/sign-in/sign-in-throttle.ts'
import { systemWork } from '../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import { pushDevice } from '../test/app/walked-routes.ts'
import { connectTestHub } from '../test/farm/test-hub.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../test/farm/test-person.ts'

/**
 * Sequences of steps of which each is permitted and that together would take a farm over. Those that are played to their end in a
 * test of their own are named here.
 */
const playedElsewhere: readonly (readonly [takeOver: string, file: string, test: string])[] = [
  [
    'a stolen token of a hub',
    'modules/hubs/hub-key.system.test.ts',
    'a token with another key reads no credentials: it is refused, on record, until a machine joins with a new code',
  ],
  [
    'what a key may not read, sent elsewhere by a webhook',
    'modules/webhooks/settings/webhooks.system.test.ts',
    'a key that may only read sees no path of a URL, and one that may only write makes none',
  ],
  [
    'a webhook to another place, by an operator or a session that was left open',
    'modules/webhooks/settings/webhooks.system.test.ts',
    'people below admins neither see nor change webhooks, and an admin must show to be there',
  ],
  [
    'the network of the service, asked by a webhook',
    'modules/webhooks/settings/webhooks.system.test.ts',
    'a URL that is not allowed any more is refused when it is sent to',
  ],
  [
    'the network of the service, asked by the browser of a viewer',
    'modules/notifications/delivery/what-messages-say.system.test.ts',
    'a network that admins may send to is no place for browsers of everybody: those have a setting of their own',
  ],
  [
    'the token of a channel, sent to the server of an admin who did not enter it',
    'modules/notifications/delivery/notifications.system.test.ts',
    'what was entered for one server is never sent to another: who changes the server enters it again',
  ],
  [
    'the password of a broker, sent to the broker of an admin who did not enter it',
    'modules/mqtt/mqtt.system.test.ts',
    'what was entered for one broker is never sent to another: who changes the address enters the password again',
  ],
  [
    'a task taken in the name of another, by a channel that is given to them',
    'modules/notifications/delivery/notifications.system.test.ts',
    'acts in the name of whom the message was for alone, whomever the channel is given to',
  ],
  [
    'a hub that is replaced unseen',
    'modules/hubs/hub-join.routes.system.test.ts',
    'joining again voids the token before and puts its connection out',
  ],
  [
    'the first set-up, by the first caller who reaches the service',
    'modules/people/sign-in/set-up.system.test.ts',
    'from $place it takes the code that the service printed, in any spelling',
  ],
  [
    'metrics, read by a page whose name leads to this machine',
    'http/spine.system.test.ts',
    'are refused to a page whose own name leads to this machine',
  ],
  [
    'a dashboard, read by a page whose name leads to this machine',
    'http/spine.system.test.ts',
    'opens nothing to browsers at %s',
  ],
  [
    'another account, by a link to a new password that was shown in this one',
    'modules/people/password-resets/passwords.system.test.ts',
    'a link that was shown in an account is worth nothing once its person works in another one too',
  ],
  [
    'a member, by a link of before their role changed or they left',
    'modules/people/password-resets/passwords.system.test.ts',
    'a link to a new password ends with another role and with the membership',
  ],
  [
    'a person who signs in by the provider, put into a foreign farm by a page of another site',
    'modules/people/oidc/oidc.system.test.ts',
    'no page of another site begins a sign-in by the provider or says yes to an invitation, and no link does',
  ],
  [
    'a person who signs in by the provider, put into a foreign farm without being asked',
    'modules/people/oidc/oidc.system.test.ts',
    'a person who signs in and is invited is asked first, and told which farms and roles; only a yes makes a member',
  ],
  [
    'a session of before, kept open while its person adds an app',
    'modules/people/second-factor/totp.system.test.ts',
    'an app that is confirmed ends the sessions of before everywhere else',
  ],
  [
    'a session of before, kept open while its person adds a passkey',
    'modules/people/sign-in/passkeys.system.test.ts',
    'a passkey that is added ends the sessions of before everywhere else',
  ],
  [
    'an erased customer, brought back by a request that is sent again',
    'modules/orders/orders.routes.system.test.ts',
    'does not come back by a request that is sent again under its Idempotency-Key',
  ],
  [
    'an upload address, used after its hour',
    'modules/files/uploads.system.test.ts',
    'is refused after its hour also where bytes that came late may still be used',
  ],
]

test.each(playedElsewhere)('%s is played in %s', (_, file, name) => {
  const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  expect(text).toContain(`'${name}'`)
  // One that is left out shows nothing.
  expect(text).not.toMatch(/\.(?:skip|only|todo)\b/)
})

let t: TestApp
let url: string
let farm: TestAccount
let home: { id: string; token: string }
let printerId: string
const secret = 'the-secret-of-the-printer'

beforeAll(async () => {
  t = await createTestApp()
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
  home = await createHubWithToken(systemWork(t.db.sql, farm.id), 'Home')
  const connection = { address: '127.0.0.1', api_key: secret }
  const body = { name: 'Bench', model: 'MK4S', hub_id: home.id, connection_type: 'octoprint', connection }
  const made = await farm.request('POST', '/printers', body)
  expect(made.statusCode, made.body).toBe(201)
  printerId = made.json().data.id
})

type Answer = [status: number, code: string | undefined]
type Ask = (method: 'POST' | 'PATCH', path: string, body?: object) => Promise<Answer>

async function byKey(...scopes: Scope[]): Promise<Ask & { key: string }> {
  const made = { name: `with ${scopes}`, scopes, expiresAt: null }
  const { key } = await createApiKey(systemWork(t.db.sql, farm.id), made)
  const ask: Ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await t.app.inject({ method, url: `/public/v1${path}`, headers, ...(body && { payload: body }) })
    return [answer.statusCode, answer.json().error?.code]
  }
  return Object.assign(ask, { key })
}

function byPerson(person: TestPerson): Ask {
  return async (method, path, body) => {
    const answer = await person.request(method, path, body)
    return [answer.statusCode, answer.json().error?.code]
  }
}

describe('the credentials of printers', () => {
  const callers: readonly (readonly [string, Answer, () => Promise<Ask>])[] = [
    ['a key that may write', [403, 'INSUFFICIENT_SCOPE'], () => byKey('read', 'write')],
    ['a key that may move machines', [403, 'INSUFFICIENT_SCOPE'], () => byKey('read', 'control')],
    ['an operator', [403, 'FORBIDDEN'], async () => byPerson(await createTestPerson(t, farm, 'operator'))],
    ['a viewer', [403, 'FORBIDDEN'], async () => byPerson(await createTestPerson(t, farm, 'viewer'))],
  ]

  test.each(callers)(
    'are not reached by %s that makes a hub, or a new code for the one that is there',
    async (_, refused, caller) => {
      const ask = await caller()
      expect(await ask('POST', '/hubs', { name: 'Another' })).toEqual(refused)
      expect(await ask('POST', `/hubs/${home.id}/join-code`)).toEqual(refused)
      expect(await t.db.sql`select code_hash from hub_join_codes where account_id = ${farm.id}`).toEqual([])
      const [hub, ...others] = await t.db.sql`select id, token_hash from hubs where account_id = ${farm.id}`
      expect([hub?.id, others]).toEqual([home.id, []])
    },
  )

  test('are not sent to who connects as a hub with a key', async () => {
    for (const scopes of [
      ['read', 'write'],
      ['read', 'write', 'control'],
    ] as Scope[][]) {
      const { key } = await byKey(...scopes)
      await expect(connectTestHub(url, key, 0)).rejects.toThrow(/401/)
    }
  })

  test('do not go with a printer that a key that may only write moves to another hub, nor by way of no hub', async () => {
    const other = await createHubWithToken(systemWork(t.db.sql, farm.id), 'Other')
    const stolen = await connectTestHub(url, other.token, 0, 'journal', [], [], { public_key: makeHubKey().publicKey })
    const writing = await byKey('read', 'write')
    const operating = byPerson(await createTestPerson(t, farm, 'operator'))
    const path = `/printers/${printerId}`
    const moved = { hub_id: other.id }
    expect(await writing('PATCH', path, moved)).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(await operating('PATCH', path, moved)).toEqual([403, 'FORBIDDEN'])
    expect(await writing('PATCH', path, { hub_id: null })).toEqual([200, undefined])
    expect(await writing('PATCH', path, moved)).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(await operating('PATCH', path, moved)).toEqual([403, 'FORBIDDEN'])

    // Who enters credentials may say which hub gets them: those, and not the ones of before.
    const entered = { ...moved, connection: { address: '127.0.0.1', api_key: 'another' } }
    expect(await writing('PATCH', path, entered)).toEqual([200, undefined])
    await stolen.waitFor('configure', ({ printers }) => printers.length === 1)
    expect(JSON.stringify(stolen.received)).not.toContain(secret)
    expect((await farm.request('PATCH', path, { hub_id: home.id })).statusCode).toBe(200)
    await stolen.close()
  })

  test('do not go to another address: who changes that enters them, too', async () => {
    const own = await connectTestHub(url, home.token)
    const writing = await byKey('read', 'write')
    const changed = { connection: { address: '192.0.2.66', api_key: 'unknown' } }
    expect(await writing('PATCH', `/printers/${printerId}`, changed)).toEqual([200, undefined])
    const sent = await own.waitFor('configure')
    expect(sent.printers).toMatchObject([{ connection: changed.connection }])
    await own.close()
  })
})

test('a session alone of a person who signs in by the provider gets no password, key, member, join code or second factor', async () => {
  const owner = await createTestPerson(t, farm, 'owner', { isProven: false })
  const member = await createTestPerson(t, farm, 'viewer')
  const steps: [string, 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, object?][] = [
    ['a password', 'PUT', '/password', { new_password: 'chosen by a thief' }],
    ['an API key', 'POST', '/api-keys', { name: 'x', scopes: ['read', 'write', 'control'] }],
    ['an owner', 'PATCH', `/members/${member.memberId}`, { role: 'owner' }],
    ['an admin', 'PATCH', `/members/${member.memberId}`, { role: 'admin' }],
    ['an operator', 'PATCH', `/members/${member.memberId}`, { role: 'operator' }],
    ['an invited owner', 'POST', '/invitations', { email: 'thief@example.com', role: 'owner' }],
    ['an invited admin', 'POST', '/invitations', { email: 'thief@example.com', role: 'admin' }],
    ['an invited viewer', 'POST', '/invitations', { email: 'thief@example.com', role: 'viewer' }],
    ['the link to a password', 'POST', `/members/${member.memberId}/reset-link`],
    ['a hub', 'POST', '/hubs', { name: 'Of a thief' }],
    ['a join code', 'POST', `/hubs/${home.id}/join-code`],
    ['an authenticator app', 'POST', '/totp'],
    ['backup codes', 'POST', '/totp/backup-codes'],
    ['a passkey', 'POST', '/passkeys/options'],
    ['an account without second factors', 'PATCH', '/account', { require_second_factor: false }],
  ]
  const stored = () => t.db.sql`
    select (select count(*)::int from api_keys k where k.account_id = ${farm.id}) as keys,
      (select count(*)::int from invitations i where i.account_id = ${farm.id}) as invitations,
      (select count(*)::int from hubs h where h.account_id = ${farm.id}) as hubs,
      (select count(*)::int from hub_join_codes c where c.account_id = ${farm.id}) as codes,
      (select string_agg(m.role, ' ' order by m.role) from members m where m.account_id = ${farm.id}) as roles,
      (select password_hash from users where id = ${owner.userId}) as password`
  const before = await stored()
  for (const [what, method, path, body] of steps) {
    const answer = await owner.request(method, path, body)
    expect([what, answer.statusCode, answer.json().error?.code]).toEqual([what, 403, 'PROOF_REQUIRED'])
  }
  // Nothing that anyone could type is a proof of theirs.
  for (const guess of [{ password: '' }, { password: 'x' }, { code: '000000' }]) {
    expect((await owner.request('POST', '/proof', guess)).statusCode).toBe(400)
  }
  expect(await stored()).toEqual(before)
})

test('a session that was left open has nothing sent, read or switched at a place that it names', async () => {
  const owner = await createTestPerson(t, farm, 'owner')
  const made = async (path: string, body: object) => {
    const answer = await owner.request('POST', path, body)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data.id as string
  }
  const url = 'https://stranger.example.com'
  const broker = { url: 'mqtts://stranger.example.com' }
  const channel = { kind: 'slack', name: 'Chat', url }
  const shop = { platform: 'woocommerce', name: 'Shop', url, consumer_key: 'ck_one', consumer_secret: 'cs_one' }
  const plug = { printer_id: printerId, command_topic: 'door/set', state_topic: 'door' }
  const webhookId = await made('/webhooks', { url })
  const channelId = await made('/notification-channels', channel)
  const shopId = await made('/shops', shop)
  await made('/spoolman', { url })
  const plugId = await made('/smart-plugs', plug)
  const events = async () => (await t.db.sql`select id from events where account_id = ${farm.id}`).length

  const leftOpen = byPerson(await createTestPerson(t, farm, 'owner', { isProven: false }))
  const before = await events()
  const steps: readonly (readonly ['POST' | 'PATCH', string, object])[] = [
    ['POST', '/webhooks', { url }],
    ['PATCH', `/webhooks/${webhookId}`, { url: `${url}/other` }],
    ['POST', '/notification-channels', channel],
    ['PATCH', `/notification-channels/${channelId}`, { url: `${url}/other` }],
    ['POST', '/push-devices', pushDevice],
    ['POST', '/shops', shop],
    ['PATCH', `/shops/${shopId}`, { consumer_key: 'ck_other' }],
    ['PATCH', '/mqtt/broker', broker],
    ['PATCH', '/mqtt/broker', { allowed_commands: ['stop'] }],
    ['POST', '/spoolman', { url }],
    ['PATCH', '/spoolman', { url: `${url}/other` }],
    ['POST', '/smart-plugs', plug],
    ['PATCH', `/smart-plugs/${plugId}`, { command_topic: 'other/set' }],
    ['PATCH', `/smart-plugs/${plugId}`, { payload_on: 'OPEN' }],
  ]
  for (const [method, path, body] of steps) {
    expect([method, path, ...(await leftOpen(method, path, body))]).toEqual([method, path, 403, 'PROOF_REQUIRED'])
  }
  expect(await events()).toBe(before)
})

test('neither strangers at 260 addresses nor a colleague in the same network lock an owner out', async () => {
  const password = 'a password of sixteen'
  const owner = await createTestPerson(t, farm, 'owner', { password })
  const office = '198.51.100.7'
  const signIn = (remoteAddress: string, cookie?: string) =>
    t.app.inject({
      ...pageRequest('POST', '/sign-in', cookie, { email: owner.email, password }),
      remoteAddress,
    })
  const first = await signIn(office)
  expect(first.statusCode, first.body).toBe(200)
  // What stays in the browser when the session has ended.
  const device = [first.headers['set-cookie'] ?? []]
    .flat()
    .find((line) => line.includes('_device_'))
    ?.split(';')[0]
  expect(device).toBeDefined()

  const throttle = signInThrottle(t.context)
  const guess = (from: string) => throttle.begin(owner.email, from)
  await Promise.allSettled(Array.from({ length: 12 }, () => guess(office)))
  expect((await signIn(office)).json().error.code).toBe('RATE_LIMITED')
  expect((await signIn(office, device)).statusCode).toBe(200)

  const guesses = Array.from({ length: 260 }, (_, n) => guess(`203.0.${n >> 8}.${n & 255}`))
  const refused = (await Promise.allSettled(guesses)).filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(200)
  // From a place that is not known, without the browser that is, one waits.
  expect((await signIn('192.0.2.8')).json().error.code).toBe('RATE_LIMITED')
  expect((await signIn('192.0.2.9', device)).statusCode).toBe(200)
})
