import { isWhole, sampleSeed } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { findFaults, noFaults } from '../../test/farm/farm-books.ts'
import { addMaterial, addSku, itemOf, setStock } from '../../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'
import { planAccount } from './planner.ts'

/** The service dies before each of so many statements of a request, from the first of them on; other ones each day. */
const every = isWhole ? 3 : 9
const first = 1 + (sampleSeed % every)

/** How many statements may still be sent; from then on the service is dead. */
let left = Number.POSITIVE_INFINITY
let sent = 0

let t: TestApp
let account: TestAccount
let farm: TestFarm
let part: { id: string; sku: string }
let kit: { id: string; sku: string }
beforeAll(async () => {
  t = await createTestApp({
    beforeStatement() {
      sent += 1
      left -= 1
      if (left < 0) throw Object.assign(new Error('the service was killed'), { code: '08006' })
    },
  })
  farm = await createTestFarm(t)
  account = farm.account
  part = await addSku(account, { sku: 'PART' })
  await done('PATCH', `/inventory/${(await itemOf(account, part)).id}`, { bin: 'A-1' })
  kit = await addSku(account, { sku: 'KIT' })
  const print_file_id = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
  await done('POST', '/recipes', { product_sku_id: part.id, print_file_id, units_per_plate: 2 })
  const screws = await addMaterial(account, 'components', { name: 'Screw', remaining_units: 10_000 })
  const boxes = await addMaterial(account, 'packaging', { name: 'Box', remaining_units: 10_000 })
  await done('PUT', `/skus/${kit.id}/bom`, {
    children: [{ child_sku_id: part.id, quantity_required: 2 }],
    inventory: [
      { inventory_item_id: screws.id, quantity_required: 1 },
      { inventory_item_id: boxes.id, quantity_required: 1 },
    ],
  })
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

async function done(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const makeOrder = () =>
  done('POST', '/orders', {
    customer_name: 'A',
    items: [
      { product_sku_id: part.id, quantity: 2, unit_price: 100 },
      { product_sku_id: kit.id, quantity: 1, unit_price: 300 },
    ],
  })

interface Request {
  method: 'POST' | 'DELETE'
  path: string
  body?: object
}

/** Each makes what it needs, and answers the request that is killed. */
const requests: Record<string, () => Promise<Request>> = {
  'an order comes in': async () => ({
    method: 'POST',
    path: '/orders',
    body: { customer_name: 'B', items: [{ product_sku_id: kit.id, quantity: 2, unit_price: 300 }] },
  }),
  'its gap is queued': async () => {
    await setStock(account, part, 1)
    const { id } = await makeOrder()
    return { method: 'POST', path: `/orders/${id}/produce` }
  },
  'a job is completed': async () => {
    await setStock(account, part, 0)
    const { id } = await makeOrder()
    const { jobs } = await done('POST', `/orders/${id}/produce`)
    return { method: 'POST', path: `/jobs/${jobs[0].job_id}/complete` }
  },
  'a kit is put together': async () => {
    await cancelOpenOrders()
    await setStock(account, part, 10)
    const task = await done('POST', `/skus/${kit.id}/assemble`, { quantity: 2 })
    return { method: 'POST', path: `/assembly/${task.id}/complete`, body: { quantity_completed: 2 } }
  },
  'a kit turns out bad': async () => {
    await cancelOpenOrders()
    await setStock(account, part, 10)
    const task = await done('POST', `/skus/${kit.id}/assemble`, { quantity: 2 })
    const body = { quantity_completed: 1, quantity_rejected: 1 }
    return { method: 'POST', path: `/assembly/${task.id}/complete`, body }
  },
  'a plate is taken off with a bad unit': async () => {
    await cancelOpenOrders()
    await setStock(account, part, 0)
    await makeOrder()
    const fields = { product_sku_id: part.id, number_of_units: 2, quantity_per_print: 2 }
    const attempt = await farm.print(await farm.queueJob(fields))
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
    await t.written()
    const body = { action: 'clear_bed', quantity_rejected: 1 }
    return { method: 'POST', path: `/printers/${farm.printerId}/control`, body }
  },
  'what lies in a bin is picked': async () => {
    const { id } = await makeStocked()
    return { method: 'POST', path: `/orders/${id}/picks`, body: { bin: 'A-1' } }
  },
  'a part of what was picked leaves': async () => {
    const { id, items } = await makeStocked()
    await done('POST', `/orders/${id}/picks`)
    const body = { items: [{ item_id: items[0].id, quantity: 1 }] }
    return { method: 'POST', path: `/orders/${id}/fulfill`, body }
  },
  'the order leaves': async () => ({ method: 'POST', path: `/orders/${(await makeStocked()).id}/fulfill` }),
  'a unit comes back': async () => {
    const { id, items } = await makeStocked()
    await done('POST', `/orders/${id}/fulfill`)
    const body = { items: [{ item_id: items[0].id, quantity: 1, disposition: 'remake' }] }
    return { method: 'POST', path: `/orders/${id}/returns`, body }
  },
  'it is cancelled': async () => ({ method: 'DELETE', path: `/orders/${(await makeStocked()).id}` }),
}

/** An order that finds all of its units on the shelf. */
async function makeStocked() {
  await cancelOpenOrders()
  await setStock(account, part, 4)
  await setStock(account, kit, 2)
  const order = await makeOrder()
  await planAccount(t.context, account.id)
  return order
}

/** An order goes from one status to another meanwhile, so that it may stand in none of the lists. */
async function cancelOpenOrders(): Promise<void> {
  for (let rounds = 1; (await cancelListed()) > 0; rounds += 1) expect(rounds).toBeLessThan(10)
}

async function cancelListed(): Promise<number> {
  let count = 0
  for (const status of ['pending', 'processing', 'printed', 'assembled']) {
    const orders: { id: string }[] = await done('GET', `/orders?limit=100&status=${status}`)
    for (const { id } of orders) await done('DELETE', `/orders/${id}`)
    count += orders.length
  }
  return count
}

test.each(Object.entries(requests))(
  '%s: killed at any statement, the books add up, and it can be done again',
  async (_, prepare) => {
    for (let survived = first; ; survived += every) {
      const { method, path, body } = await prepare()
      sent = 0
      left = survived
      const answer = await account.request(method, path, body)
      const wasKilled = left < 0
      left = Number.POSITIVE_INFINITY
      // What was answered before the service died is done.
      if (wasKilled && answer.statusCode >= 300) {
        expect(answer.statusCode, answer.body).toBe(503)
        await planAccount(t.context, account.id)
        expect(await findFaults(t.db.sql, account.id), `killed after ${survived} statements`).toEqual(noFaults)
        await done(method, path, body)
      }
      await planAccount(t.context, account.id)
      expect(await findFaults(t.db.sql, account.id), `done again after ${survived} statements`).toEqual(noFaults)
      if (!wasKilled) {
        expect(sent).toBeGreaterThan(3)
        return
      }
    }
  },
  120_000,
)
