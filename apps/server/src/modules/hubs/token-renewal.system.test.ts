import { makeHubKey, openSealed } from '@printyard/protocol/sealed-connection'
import { TOKEN_RENEWAL_CAPABILITY } from '@printyard/protocol/version'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { renewDueTokens } from '../../gateway/token-renewals.ts'
import { hashSecret } from '../../kernel/hash-secret.ts'
import type { HubId } from '../../kernel/ids.ts'
import { systemWork } from '../../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { connectTestHub, type TestHub } from '../../test/farm/test-hub.ts'
import { offerNextToken } from './hubs.queries.ts'
import { createHubWithToken } from './hubs.service.ts'
import { tokenLifeMs } from './token-renewal.ts'

let t: TestApp
let url: string
let now: Date
let account: TestAccount
let hub: { id: HubId; token: string }
const key = makeHubKey()

beforeAll(async () => {
  t = await createTestApp({ context: { clock: { now: () => now } } })
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())
beforeEach(async () => {
  now = new Date()
  account = await t.account()
  hub = await createHubWithToken(systemWork(t.db.sql, account.id), 'Hub')
})

const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

async function connect(token: string, { keeps = true, public_key = key.publicKey as string | null } = {}) {
  const capabilities = keeps ? [TOKEN_RENEWAL_CAPABILITY] : []
  const connected = await connectTestHub(url, token, 0, 'journal_1', capabilities, [], public_key ? { public_key } : {})
  onTestFinished(() => connected.close())
  return connected
}

async function tokenGivenTo(connected: TestHub): Promise<string> {
  const { sealed_token } = await connected.waitFor('renew_token')
  return openSealed(key.privateKey, sealed_token, hub.id) as string
}

/** What the hub is sent up to now, after what it was sent before was certainly sent. */
async function givenTokens(connected: TestHub) {
  const id = connected.send('token_kept', { token_hash: '0'.repeat(64) })
  await connected.waitFor('ack', ({ ids }) => ids.includes(id))
  return connected.received.filter(({ type }) => type === 'renew_token')
}

async function keep(connected: TestHub, token: string) {
  const id = connected.send('token_kept', { token_hash: hashSecret(token).toString('hex') })
  await connected.waitFor('ack', ({ ids }) => ids.includes(id))
}

const renewals = async () =>
  (await t.db.sql`select id from events where account_id = ${account.id} and type = 'hub.token_renewed'`).length

test('a token of thirty days is replaced, and the former counts until the hub keeps the other one', async () => {
  pass(tokenLifeMs + 60_000)
  const connected = await connect(hub.token)
  const next = await tokenGivenTo(connected)
  expect(next).not.toBe(hub.token)
  expect(JSON.stringify(connected.received)).not.toContain(next)
  await connected.close()
  const again = await connect(hub.token)
  const other = await tokenGivenTo(again)
  expect(await renewals()).toBe(0)
  await keep(again, other)
  expect(await renewals()).toBe(1)
  await expect(connect(hub.token)).rejects.toThrow('401')
  await expect(connect(next)).rejects.toThrow('401')
  expect(await givenTokens(await connect(other))).toEqual([])
})

test('before that it is left alone', async () => {
  pass(tokenLifeMs - 1_000)
  const connected = await connect(hub.token)
  await renewDueTokens(t.context)
  expect(await givenTokens(connected)).toEqual([])
})

test('a hub that was killed after it kept its token, before it said so, shows it by connecting', async () => {
  pass(tokenLifeMs + 60_000)
  const connected = await connect(hub.token)
  const next = await tokenGivenTo(connected)
  await connected.close()
  expect(await givenTokens(await connect(next))).toEqual([])
  expect(await renewals()).toBe(1)
  await expect(connect(hub.token)).rejects.toThrow('401')
})

test('a service that was killed before it sent the token gives another one', async () => {
  pass(tokenLifeMs + 60_000)
  await offerNextToken(t.db.sql, account.id, hub.id, hashSecret('never sent'))
  const connected = await connect(hub.token)
  await keep(connected, await tokenGivenTo(connected))
  await expect(connect('never sent')).rejects.toThrow('401')
})

test('a connection that outlasts its token is given another one', async () => {
  const connected = await connect(hub.token)
  expect(await givenTokens(connected)).toEqual([])
  pass(tokenLifeMs + 60_000)
  await renewDueTokens(t.context)
  await keep(connected, await tokenGivenTo(connected))
  await renewDueTokens(t.context)
  expect(await givenTokens(connected)).toHaveLength(1)
})

test.each([
  ['of a version before there were renewals', { keeps: false }],
  ['that has told no key', { public_key: null }],
])('a hub %s keeps its token', async (_, how) => {
  pass(tokenLifeMs + 60_000)
  const connected = await connect(hub.token, how)
  await renewDueTokens(t.context)
  expect(await givenTokens(connected)).toEqual([])
  await connected.close()
  await connect(hub.token, how)
})

test('what a hub says of a token that it was not given counts for nothing', async () => {
  const stranger = await createHubWithToken(systemWork(t.db.sql, account.id), 'Other')
  pass(tokenLifeMs + 60_000)
  const connected = await connect(hub.token)
  const next = await tokenGivenTo(connected)
  const other = await connect(stranger.token)
  await keep(other, next)
  await keep(connected, stranger.token)
  expect(await renewals()).toBe(0)
  await connect(hub.token)
})

test('joining again ends the token that a hub was to be given', async () => {
  pass(tokenLifeMs + 60_000)
  const connected = await connect(hub.token)
  const next = await tokenGivenTo(connected)
  const made = await account.request('POST', `/hubs/${hub.id}/join-code`)
  const payload = { code: made.json().data.join_code, public_key: key.publicKey }
  const joined = await t.app.inject({ method: 'POST', url: '/hub/v1/join', payload })
  await expect(connect(next)).rejects.toThrow('401')
  await expect(connect(hub.token)).rejects.toThrow('401')
  expect(await givenTokens(await connect(joined.json().data.token))).toEqual([])
})
