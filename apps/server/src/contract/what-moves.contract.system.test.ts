import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../test/app/app-hooks.ts'
import { addSku, itemOf } from '../test/farm/test-catalogue.ts'
import type { TestFarm } from '../test/farm/test-farm.ts'
import { dataOf, errorOf } from './expectations.ts'

/** What happens to one thing when something happens to another. */

let sku: { id: string; sku: string }
const { t, farm } = farmForEachTest()
beforeEach(async () => {
  sku = await addSku(farm.account, { low_stock_threshold: 2 })
})

const request = (...args: Parameters<TestFarm['account']['request']>) => farm.account.request(...args)
const plateState = async () => dataOf(await request('GET', `/printers/${farm.printerId}`)).plate_state
const item = () => itemOf(farm.account, sku)
const movements = async () => (await request('GET', `/inventory/${(await item()).id}/movements`)).json().data

/** Prints the next plate of a job to its end. */
async function finish(jobId: string, outcome: 'done' | 'failed' = 'done'): Promise<void> {
  const attempt = await farm.print(jobId)
  await farm.hub.report({ ...attempt, phase: 'finished', outcome })
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
}

describe('a plate finishes on the printer', () => {
  test('its plate is occupied; after the last one the job is completed and its units are ready stock', async () => {
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 3, quantity_per_print: 2 })
    await finish(jobId)
    expect(await farm.job(jobId)).toMatchObject({ status: 'queued', progress_percentage: 50, time_completed: null })
    expect([await plateState(), (await item()).ready_stock]).toEqual(['occupied', 0])
    dataOf(await request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' }))
    expect(await plateState()).toBe('clear')
    await finish(jobId)
    expect(await farm.job(jobId)).toMatchObject({ status: 'completed', progress_percentage: 100 })
    expect(await item()).toMatchObject({ ready_stock: 3, status: 'in_stock' })
    expect(await movements()).toMatchObject([{ stock: 'ready', change: 3, quantity_after: 3, job_id: jobId }])
  })

  test('units of a job that requires assembly wait for it, and are not ready', async () => {
    await finish(
      await farm.queueJob({
        product_sku_id: sku.id,
        number_of_units: 2,
        quantity_per_print: 2,
        requires_assembly: true,
      }),
    )
    expect(await item()).toMatchObject({ ready_stock: 0, status: 'needs_assembly' })
    expect(await movements()).toMatchObject([{ stock: 'needs_assembly', change: 2 }])
  })
})

describe('a print does not end well', () => {
  test('it fails: the job says why, its plate is occupied, nothing is credited', async () => {
    const jobId = await farm.queueJob({ product_sku_id: sku.id })
    await finish(jobId, 'failed')
    expect(await farm.job(jobId)).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringMatching(/\S/),
      time_completed: expect.any(String),
    })
    expect([await plateState(), await movements()]).toEqual(['occupied', []])
  })

  test('it is stopped: the job is cancelled, its plate is occupied, nothing is credited', async () => {
    const jobId = await farm.queueJob({ product_sku_id: sku.id })
    await farm.print(jobId)
    expect(dataOf(await request('POST', `/jobs/${jobId}/stop`)).status).toBe('cancelled')
    expect([await plateState(), await movements()]).toEqual(['occupied', []])
  })
})

describe('stock', () => {
  test('every change leaves a movement, and the movements add up to the stock', async () => {
    const { id } = await item()
    for (const adjustment of [5, -2, 4]) {
      dataOf(await request('POST', `/inventory/${id}/adjust`, { adjustment, reason: 'manual', notes: 'shelf' }))
    }
    errorOf(
      await request('POST', `/inventory/${id}/adjust`, { adjustment: -8, reason: 'damaged' }),
      400,
      'INSUFFICIENT_STOCK',
    )
    const rows = await movements()
    expect(rows.map((row: { change: number }) => row.change)).toEqual([4, -2, 5])
    expect(rows[0]).toMatchObject({ quantity_before: 3, quantity_after: 7, notes: 'shelf', reason: 'manual' })
    expect(await item()).toMatchObject({ ready_stock: 7, status: 'in_stock' })
  })

  test('an order takes what is ready, line by line, and is shipped when all of it was taken', async () => {
    const { id } = await item()
    await request('POST', `/inventory/${id}/adjust`, { adjustment: 2, reason: 'manual' })
    const items = [{ product_sku_id: sku.id, quantity: 3, unit_price: 100 }]
    const order = dataOf(await request('POST', '/orders', { items }), 201)
    const partly = dataOf(await request('POST', `/orders/${order.id}/fulfill`))
    expect(partly).toMatchObject({
      order: { shipped_at: null, items: [{ fulfillment_status: 'partial', quantity_fulfilled: 2 }] },
      lines: [{ needed: 3, taken: 2, missing: 1 }],
    })
    expect(await item()).toMatchObject({ ready_stock: 0, status: 'out_of_stock' })
    expect((await movements())[0]).toMatchObject({ change: -2, order_id: order.id })
    await request('POST', `/inventory/${id}/adjust`, { adjustment: 1, reason: 'manual' })
    const whole = dataOf(await request('POST', `/orders/${order.id}/fulfill`))
    expect(whole.order).toMatchObject({ status: 'fulfilled', shipped_at: expect.any(String) })
  })
})
