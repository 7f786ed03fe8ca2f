import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openStoredContents } from '../file-store/open-file-store.ts'
import { Memory } from '../kernel/memory.ts'
import { exportAccount } from '../modules/account-data/export/export-account.ts'
import { startNotifications } from '../modules/notifications/delivery/follow-events.ts'
import { kinds } from '../modules/notifications/rules/kinds.ts'
import { startShops } from '../modules/shops/sync/follow-shops.ts'
import { collectBundle } from '../modules/support/bundle.ts'
import { startDeliveries } from '../modules/webhooks/delivery/follow-events.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { findPlaces } from '../test/app/find-places.ts'
import { addSku, setStock } from '../test/farm/test-catalogue.ts'
import { createTestPerson } from '../test/farm/test-person.ts'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { openTestReceiver } from '../test/services/test-receiver.ts'
import { openTestWooCommerce } from '../test/services/test-woocommerce.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' }, context: { log } })

/** No text of the service has it in it. */
const marker = 'zqxmarker'

async function send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  const answer = await account.request(method, path, body, { 'idempotency-key': crypto.randomUUID() })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

/** A shop whose order tells of its customer wherever there is room, one line of which no one has mapped. */
async function openMarkedShop(sku: string) {
  const shop = await openTestWooCommerce()
  onTestFinished(() => shop.close())
  const address = {
    first_name: marker,
    last_name: marker,
    company: marker,
    email: `${marker}@example.com`,
    phone: marker,
    address_1: marker,
    address_2: marker,
    city: marker,
    state: marker,
    postcode: marker,
    country: 'CH',
  }
  const meta_data = [{ id: 1, key: 'Engraving', value: marker, display_key: 'Engraving', display_value: marker }]
  shop.addOrder({
    customer_note: marker,
    billing: address,
    shipping: address,
    meta_data: [{ id: 2, key: 'gift_message', value: marker }],
    lines: [{ sku }, { sku: 'NOT-MAPPED', meta_data }],
  })
  return shop
}

/** All files below a folder, as one text. */
const textsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

async function exported(): Promise<string> {
  const to = join(temporaryDirectory(), 'export')
  const { target } = t.db
  await exportAccount({ to, target, accountId: account.id, version: '1', files: openStoredContents(t.context.config) })
  return textsIn(to)
}

/** What a supporter would be sent, with the log of all that happened here. */
async function bundled(): Promise<string> {
  const { entries } = await collectBundle({
    at: new Date(),
    version: '1',
    config: t.context.config,
    environment: {},
    unknownSettings: [],
    findings: [],
    database: { sql: t.db.sql },
    readiness: undefined,
    logs: [{ name: 'logs/service.log', text: lines.join('') }],
  })
  return entries.map(({ text }) => text).join('\n')
}

async function keptAnswers(): Promise<string[]> {
  const kept = await t.db.sql<{ key: string; body_sealed: Buffer }[]>`
    select key, body_sealed from idempotency_keys where account_id = ${account.id} and body_sealed is not null`
  return kept.map(({ key, body_sealed }) => String(t.context.secrets.open(body_sealed, key)))
}

test('a customer who came by a shop and a file is, once erased, in no row, answer, message, log, export or bundle', async () => {
  const owner = await createTestPerson(t, account, 'owner')
  const asOwner = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await owner.request(method, path, body)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json().data
  }
  const sku = await addSku(account, { sku: 'CLIP' })
  await setStock(account, sku, 5)
  const [hook, channel] = [await openTestReceiver(), await openTestReceiver()]
  onTestFinished(async () => {
    await Promise.all([hook.close(), channel.close()])
  })
  // A receiver that asks for the order it is told of, and says for whom it is.
  hook.answer = ({ subjectId }, response) =>
    response.end(/^(?:ord|job|asm|wlt)_/.test(subjectId) ? `filed under ${marker}` : 'ok')
  await send('POST', '/webhooks', { url: hook.url })
  const { id: channelId } = await asOwner('POST', '/notification-channels', {
    ...{ kind: 'webhook', name: 'All', url: channel.url },
  })
  await asOwner('POST', '/notification-rules', { name: 'All', kinds, channel_ids: [channelId] })
  const context = () => ({ ...t.context, memory: new Memory() })
  for (const start of [startShops, startDeliveries, startNotifications]) {
    const running = start(context())
    onTestFinished(() => running.stop())
  }

  const shop = await openMarkedShop('CLIP')
  const { consumer_key, consumer_secret, url } = shop
  const { id: shopId } = await asOwner('POST', '/shops', {
    ...{ platform: 'woocommerce', name: 'Our shop', url, consumer_key, consumer_secret },
  })
  await t.settled(async () => (await asOwner('GET', `/shops/${shopId}`)).last_read_at !== null)
  const fields = 'order_number,external_id,customer_name,customer_email,shipping_street,notes,sku,quantity,unit_price'
  const row = (number: number, email: string) =>
    `F-${number},f-${number},${marker},${email},${marker},${marker},CLIP,1,1.00,${marker}`
  const csv = `${fields},personalisation: Name\n${row(1, `${marker}@example.com`)}\n${row(2, marker)}`
  for (const query of ['?dry_run=true', '']) {
    const answer = await t.app.inject({
      method: 'POST',
      url: `/public/v1/orders/import${query}`,
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'text/csv', 'idempotency-key': `i${query}` },
      payload: csv,
    })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const orders: { id: string }[] = await send('GET', '/orders?limit=100')
  expect(orders.length).toBeGreaterThanOrEqual(2)
  // Refused for what it says: the answer is kept, too.
  const refused = { customer_name: marker, notes: marker, items: [{ sku: 'CLIP', quantity: -1, notes: marker }] }
  expect((await account.request('POST', '/orders', refused, { 'idempotency-key': 'refused' })).statusCode).toBe(400)
  for (const { id } of orders) {
    await account.request(
      'POST',
      `/orders/${id}/fulfill`,
      { tracking_number: marker },
      { 'idempotency-key': `f-${id}` },
    )
  }
  await t.settled(async () => (await findPlaces(t.db.sql, marker)).includes('webhook_deliveries.answer'))
  const before = await findPlaces(t.db.sql, marker)
  expect(before).toEqual(
    expect.arrayContaining(['order_items.personalisation', 'orders.customer_name', 'webhook_deliveries.answer']),
  )
  expect(await exported()).toContain(marker)
  await t.settled(async () => {
    const [waiting] = await t.db.sql`
      select 1 from webhook_deliveries where account_id = ${account.id} and status = 'pending' limit 1`
    return waiting === undefined
  })

  hook.answer = (_message, response) => response.end('ok')
  for (const { id } of orders) await send('POST', `/orders/${id}/erase-customer`)
  await asOwner('POST', `/shops/${shopId}/read`)
  expect(await findPlaces(t.db.sql, marker)).toEqual([])
  for (const body of await keptAnswers()) expect(body).not.toContain(marker)
  for (const { body } of [...hook.received, ...channel.received]) expect(body).not.toContain(marker)
  expect(lines.filter((line) => line.includes(marker))).toEqual([])
  expect(await exported()).not.toContain(marker)
  expect(await bundled()).not.toContain(marker)
  for (const path of [
    '/orders?limit=100',
    '/worklist?limit=100',
    '/assembly?limit=100',
    '/jobs?limit=100',
    '/events',
  ]) {
    expect((await account.request('GET', path)).body).not.toContain(marker)
  }
}, 120_000)
