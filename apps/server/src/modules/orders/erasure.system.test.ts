import { beforeEach, expect, test } from 'vitest'
import type { AttemptId } from '../../kernel/ids.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { findPlaces } from '../../test/app/find-places.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { addSku, setStock } from '../../test/farm/test-catalogue.ts'
import { followPicksOf } from './pick/follow-picks.ts'

const { t, farm } = farmForEachTest()
let account: TestAccount
beforeEach(() => {
  account = farm.account
})

/** No text of the service has it in it, nor has any word that is cut off it. */
const marker = 'zqxmarker'

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await account.request(method, path, body, { 'idempotency-key': crypto.randomUUID() })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const findMarked = () => findPlaces(t.db.sql, marker)

/** Answers kept for an Idempotency-Key that hold the marker, by their keys. */
async function findMarkedAnswers(): Promise<string[]> {
  const kept = await t.db.sql<{ key: string; body_sealed: Buffer }[]>`
    select key, body_sealed from idempotency_keys where account_id = ${account.id} and body_sealed is not null`
  expect(kept.length).toBeGreaterThan(1)
  return kept.flatMap(({ key, body_sealed }) =>
    String(t.context.secrets.open(body_sealed, key)).includes(marker) ? [key] : [],
  )
}

const personal = (what: string) => `${marker} ${what}`

async function addMarkedOrder() {
  const sku = await addSku(account)
  await setStock(account, sku, 9)
  const texts = [
    'customer_name',
    'customer_phone',
    'shipping_street',
    'shipping_city',
    'shipping_state',
    'shipping_country',
  ]
  const order = await send('POST', '/orders', {
    ...Object.fromEntries(texts.map((field) => [field, personal(field)])),
    customer_email: `${marker}@example.com`,
    shipping_zip: marker,
    notes: personal('notes'),
    items: [
      {
        product_sku_id: sku.id,
        quantity: 3,
        unit_price: 100,
        notes: personal('line'),
        personalisation: [{ name: personal('name'), value: personal('value') }],
      },
    ],
  })
  // What is personalised leaves only as what was made for it.
  await send('POST', `/orders/${order.id}/items/${order.items[0].id}/hold`, { units: 3 })
  return { order, sku }
}

test('what was personal about an order is in no text of the database after its customer was erased', async () => {
  const { order } = await addMarkedOrder()
  const path = `/orders/${order.id}`
  const [line] = order.items
  await send('POST', `${path}/picks`, {})
  await send('PATCH', path, {
    tracking_number: marker,
    tracking_url: `https://example.com/${marker}`,
    customer_name: marker,
  })
  await send('POST', `${path}/fulfill`, {
    tracking_number: `${marker}-2`,
    tracking_url: `https://example.com/${marker}`,
    items: [{ item_id: line.id, quantity: 2 }],
  })
  await send('POST', `${path}/returns`, {
    items: [
      { item_id: line.id, quantity: 1, disposition: 'restock', notes: personal('return') },
      { item_id: line.id, quantity: 1, disposition: 'remake', notes: personal('again') },
    ],
  })
  const [task] = await t.db.sql`
    select id from worklist_tasks where account_id = ${account.id} and subject_id = ${order.id}`
  const words = { title: personal('title'), subtitle: personal('subtitle'), description: personal('how') }
  await send('PATCH', `/worklist/${task?.id}`, words)
  expect(await findMarked()).toEqual([
    'order_items.notes',
    'order_items.personalisation',
    'order_returns.notes',
    'orders.customer_email',
    'orders.customer_name',
    'orders.customer_phone',
    'orders.notes',
    'orders.search_words',
    'orders.shipping_city',
    'orders.shipping_country',
    'orders.shipping_state',
    'orders.shipping_street',
    'orders.shipping_zip',
    'orders.tracking_number',
    'orders.tracking_url',
    'shipments.tracking_number',
    'shipments.tracking_url',
    'worklist_tasks.description',
    'worklist_tasks.subtitle',
    'worklist_tasks.title',
  ])

  await send('POST', `${path}/erase-customer`)
  expect(await findMarked()).toEqual([])
  expect(await findMarkedAnswers()).toEqual([])
  expect((await send('GET', `/orders?search=${marker}`)) as unknown[]).toEqual([])
})

test('a task that a person wrote into is emptied also when the order itself has nothing personal any more', async () => {
  const { order } = await addMarkedOrder()
  await send('POST', `/orders/${order.id}/erase-customer`)
  await followPicksOf(t.context, account.id)
  const [task] = await t.db.sql`
    select id from worklist_tasks where account_id = ${account.id} and subject_id = ${order.id}`
  await send('PATCH', `/worklist/${task?.id}`, { title: personal('title'), description: personal('how') })
  await send('POST', `/orders/${order.id}/erase-customer`)
  expect(await findMarkedAnswers()).toEqual([])
  expect(await findMarked()).toEqual([])
  // The picker may have written the task again meanwhile, with what there is to pick.
  const { title } = await send('GET', `/worklist/${task?.id}`)
  expect([`Order ${order.order_number}`, `Pick order ${order.order_number}`]).toContain(title)
})

async function queueFor(lineId: string, skuId: string): Promise<string> {
  const jobId = await farm.queueJob({ product_sku_id: skuId, requires_assembly: true })
  await t.db.sql`update jobs set order_item_id = ${lineId} where account_id = ${account.id} and id = ${jobId}`
  return jobId
}

test('what people noted on assembly and failures of what was made for an order alone goes with its customer', async () => {
  const { order, sku } = await addMarkedOrder()
  const [line] = order.items
  const jobId = await queueFor(line.id, sku.id)
  await farm.hub.report({ ...(await farm.print(jobId)), phase: 'finished', outcome: 'failed' })
  await t.settled(async () => (await farm.job(jobId)).status === 'failed')
  const [failure] = (await send('GET', '/analytics/failures')).recent
  await send('PATCH', `/analytics/failures/${failure.id}`, { notes: personal('failure') })
  await send('POST', `/jobs/${jobId}/complete`)
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  await send('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
  const doubtfulId = await queueFor(line.id, sku.id)
  await send('POST', `/jobs/${doubtfulId}/start`)
  const command = farm.hub.commands().at(-1)
  await farm.hub.report({
    attempt_id: String(command?.args.attempt_id) as AttemptId,
    printer_id: farm.printerId,
    fence: Number(command?.fence),
    phase: 'starting',
    outcome: 'unknown',
  })
  const seen = { outcome: 'not_started', notes: personal('seen'), plate_is_clear: true }
  expect(await send('POST', `/jobs/${doubtfulId}/resolve`, seen)).toMatchObject({
    failure_reason: expect.stringContaining(marker),
  })
  const [assembly] = await send('GET', '/assembly')
  await send('PATCH', `/assembly/${assembly.id}`, { notes: personal('assembly') })
  await send('POST', `/assembly/${assembly.id}/complete`, { notes: personal('done') })
  const [task] = await t.db.sql`
    select id from worklist_tasks where account_id = ${account.id} and subject_id = ${assembly.id}`
  await send('PATCH', `/worklist/${task?.id}`, { description: personal('how') })
  // What serves other customers as well keeps its notes.
  const other = await send('POST', '/assembly', { product_sku_id: sku.id, quantity: 1, notes: 'Glue first' })
  expect(await findMarked()).toEqual(
    expect.arrayContaining([
      'assembly_tasks.notes',
      'attempts.evidence',
      'jobs.failure_reason',
      'print_failures.notes',
      'worklist_tasks.description',
    ]),
  )

  await send('POST', `/orders/${order.id}/erase-customer`)
  expect(await findMarked()).toEqual([])
  expect(await findMarkedAnswers()).toEqual([])
  expect(await send('GET', `/assembly/${other.id}`)).toMatchObject({ notes: 'Glue first' })
})
