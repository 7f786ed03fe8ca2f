import { createHmac } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { startServiceProcess } from '../../../test/run/service-process.ts'
import { openTestEtsy } from '../../../test/services/test-etsy.ts'
import { openShop } from '../settings/open-shop.ts'
import { findShop } from '../settings/shops.queries.ts'
import { startShops } from './follow-shops.ts'

const { t, account } = accountForEachTest({
  config: { outboundNetworks: '127.0.0.1', publicUrl: 'https://farm.example.com' },
})

let owner: TestPerson
let etsy: Awaited<ReturnType<typeof openTestEtsy>>
beforeEach(async () => {
  owner = await createTestPerson(t, account, 'owner')
  etsy = await openTestEtsy()
  onTestFinished(async () => {
    await etsy.close()
  })
})

const shopOf = async (id: string) => (await owner.request('GET', `/shops/${id}`)).json().data

/** Connects the shop, whose address is the simulator's from then on, and lets Printyard in there. */
async function connect(): Promise<string> {
  const body = { platform: 'etsy', name: 'Our shop', url: 'https://openapi.etsy.com', keystring: etsy.keystring }
  const made = await owner.request('POST', '/shops', { ...body, shared_secret: etsy.sharedSecret })
  expect(made.statusCode, made.body).toBe(201)
  const { id } = made.json().data
  await t.db.sql`update shops set url = ${etsy.url} where account_id = ${account.id} and id = ${id}`
  return id
}

async function authorise(id: string): Promise<void> {
  const started = await owner.request('POST', `/shops/${id}/authorise`)
  expect(started.statusCode, started.body).toBe(200)
  const ended = await owner.request('POST', '/shops/authorised', etsy.letIn(started.json().data.url))
  expect(ended.statusCode, ended.body).toBe(200)
}

function start() {
  const running = startShops({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
}

test('a person lets Printyard in, and no other person or answer can end it', async () => {
  const id = await connect()
  expect(await shopOf(id)).toMatchObject({ needs_authorisation: true, status: 'paused' })
  const started = (await owner.request('POST', `/shops/${id}/authorise`)).json().data.url
  expect(new URL(started).searchParams.get('redirect_uri')).toBe('https://farm.example.com/settings/shops')
  const given = etsy.letIn(started)
  const admin = await createTestPerson(t, account, 'admin')
  expect((await admin.request('POST', '/shops/authorised', given)).statusCode).toBe(400)
  expect((await owner.request('POST', '/shops/authorised', { ...given, state: `${given.state}x` })).statusCode).toBe(
    400,
  )
  expect((await owner.request('POST', '/shops/authorised', { ...given, code: 'other' })).statusCode).toBe(400)
  expect(await shopOf(id)).toMatchObject({ needs_authorisation: true })
  const ended = await owner.request('POST', '/shops/authorised', given)
  expect(ended.statusCode, ended.body).toBe(200)
  expect(await shopOf(id)).toMatchObject({ needs_authorisation: false, status: 'active' })
  expect((await owner.request('POST', `/shops/${id}/test`)).json().data).toMatchObject({
    ok: true,
    shop_name: 'OakSigns',
  })
  const answers = ended.body + JSON.stringify(await shopOf(id))
  for (const secret of [etsy.sharedSecret, etsy.keystring, 'access-1', 'refresh-1'])
    expect(answers).not.toContain(secret)
})

test('webhooks are let in by the signing secret of the shop alone, which is changed and never answered', async () => {
  const keys = ['first-secret-of-the-shop', 'second-secret-of-the-shop'].map((text) => Buffer.from(text))
  const secretOf = (key: Buffer | undefined) => `whsec_${key?.toString('base64')}`
  const body = { platform: 'etsy', name: 'Our shop', url: 'https://openapi.etsy.com', keystring: etsy.keystring }
  const made = await owner.request('POST', '/shops', {
    ...body,
    shared_secret: etsy.sharedSecret,
    signing_secret: secretOf(keys[0]),
  })
  const { id, webhook_path } = made.json().data
  const knock = async (key: Buffer | undefined) => {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const payload = '{"resource_url":"https://api.etsy.com/v3/application/shops/1/receipts/77"}'
    const signature = createHmac('sha256', key ?? '')
      .update(`msg_1.${timestamp}.${payload}`)
      .digest('base64')
    const { statusCode } = await t.app.inject({
      method: 'POST',
      url: webhook_path,
      headers: {
        ...{ 'content-type': 'application/json', 'webhook-id': 'msg_1' },
        ...{ 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      },
      payload,
    })
    return statusCode
  }
  expect([await knock(keys[0]), await knock(keys[1]), await knock(undefined)]).toEqual([200, 401, 401])

  const refused = await owner.request('PATCH', `/shops/${id}`, { signing_secret: 'whsec_short' })
  expect(refused.statusCode).toBe(400)
  expect(refused.json().error.details).toHaveProperty('signing_secret')
  const changed = await owner.request('PATCH', `/shops/${id}`, { signing_secret: secretOf(keys[1]) })
  expect(changed.statusCode, changed.body).toBe(200)
  expect([await knock(keys[0]), await knock(keys[1])]).toEqual([401, 200])
  const answers = made.body + changed.body + JSON.stringify(await shopOf(id))
  for (const key of keys) expect(answers).not.toContain(key.toString('base64'))
})

test('every order arrives once, while the list changes under the reader and Etsy stumbles', {
  timeout: 90_000,
}, async () => {
  for (let n = 0; n < 75; n += 1) {
    etsy.now += 10
    etsy.addReceipt()
  }
  // More in one second than a page has.
  for (let n = 0; n < 130; n += 1) etsy.addReceipt()
  const ids = [...etsy.receipts.keys()]
  let pages = 0
  let calls = 0
  etsy.interfere = ({ path }) => {
    if (!path.endsWith('/receipts')) return undefined
    calls += 1
    if (calls === 2) return { status: 500 }
    return calls === 4 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
  }
  etsy.afterPage = () => {
    pages += 1
    if (pages > 4) return
    etsy.now += 60
    for (const id of [ids[pages * 7], ids[80 + pages], ids[150 + pages]]) {
      if (id !== undefined) etsy.change(id, { message_from_buyer: `changed ${pages}` })
    }
  }
  start()
  const id = await connect()
  await authorise(id)
  const deadline = Date.now() + 60_000
  while ((await shopOf(id)).last_read_at === null && Date.now() < deadline) {
    // No one waits for its next turn.
    if ((await shopOf(id)).problem !== null) await owner.request('POST', `/shops/${id}/read`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const rows = await t.db.sql<{ external_id: string; notes: string }[]>`
    select external_id, notes from orders where account_id = ${account.id}`
  expect(rows.map((row) => Number(row.external_id)).toSorted((a, b) => a - b)).toEqual(ids)
  for (const row of rows) {
    expect(row.notes).toBe(etsy.receipts.get(Number(row.external_id))?.message_from_buyer ?? '')
  }
})

test('two processes whose token ends at once renew it once', async () => {
  const id = await connect()
  await authorise(id)
  const given = etsy.tokensGiven
  etsy.accessToken = 'ended'
  const row = await findShop(t.db.sql, account.id, id as never)
  if (!row) throw new Error('the shop is gone')
  const processes = [1, 2, 3].map(() => openShop({ ...t.context, memory: new Memory() }, row))
  const outcomes = await Promise.allSettled(
    processes.map(({ connector, client, shop }) => connector.test(client, shop)),
  )
  expect(etsy.tokensGiven).toBe(given + 1)
  for (const outcome of outcomes) {
    // One that came in between is told to look again.
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'busy' })
  }
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (const { connector, client, shop } of processes) expect(await connector.test(client, shop)).toBe('OakSigns')
  expect(etsy.tokensGiven).toBe(given + 1)
})

test('of two services one is killed while it renews the token: the other renews it, once, and reads on', {
  timeout: 240_000,
}, async () => {
  const id = await connect()
  await authorise(id)
  const left = await startServiceProcess(t)
  await left.does(async () => (await shopOf(id)).last_read_at !== null)
  const given = etsy.tokensGiven
  etsy.accessToken = 'ended'
  etsy.addReceipt()
  const renewals = () => etsy.asked.filter(({ path }) => path.endsWith('/oauth/token')).length
  const before = renewals()
  etsy.interfere = ({ path }) => (path.endsWith('/oauth/token') ? 'hang' : undefined)
  expect((await owner.request('POST', `/shops/${id}/read`)).statusCode).toBe(200)
  await left.does(() => renewals() === before + 1)
  const right = await startServiceProcess(t)
  await left.kill()
  etsy.interfere = () => undefined
  // Its lease and its claim end at once, instead of minutes later.
  await t.db.sql`
    update shops set lease_id = null, leased_until = null, renewing_until = null, retry_at = null
    where account_id = ${account.id}`
  const orders = async () => (await account.request('GET', '/orders?limit=100')).json().data.length
  await right.does(async () => (await orders()) === 1)
  expect(etsy.tokensGiven).toBe(given + 1)
  expect(await shopOf(id)).toMatchObject({ status: 'active', failing_since: null, needs_authorisation: false })

  // Two that share the work, and a person who tests the connection, at the moment at which it ends.
  const third = await startServiceProcess(t)
  etsy.accessToken = 'ended again'
  etsy.addReceipt()
  await Promise.all([
    owner.request('POST', `/shops/${id}/read`),
    owner.request('POST', `/shops/${id}/test`),
    owner.request('POST', `/shops/${id}/test`),
  ])
  await third.does(async () => {
    if ((await shopOf(id)).retry_at !== null) await owner.request('POST', `/shops/${id}/read`)
    return (await orders()) === 2
  })
  expect(etsy.tokensGiven).toBe(given + 2)
})
