import { expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { pushDevice } from '../../../test/app/walked-routes.ts'
import { addSku, itemOf, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { openTestReceiver } from '../../../test/services/test-receiver.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'
import { sealSettings } from '../adapters/channel-settings.ts'
import { kinds } from '../rules/kinds.ts'
import { startNotifications } from './follow-events.ts'

const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

/** What a customer or a colleague wrote, wherever there is room for it. */
const personal = 'Robin Example, 5 Long Lane'

test('no message says a secret, or what was written by and about customers and colleagues', async () => {
  const receiver = await openTestReceiver()
  onTestFinished(() => receiver.close())
  const owner = await createTestPerson(t, account, 'owner')
  const url = `${receiver.url}/secret-path`
  const added = await owner.request('POST', '/notification-channels', { kind: 'webhook', name: 'All', url })
  const { id, secret } = added.json().data
  await owner.request('POST', '/notification-rules', { name: 'All', kinds, channel_ids: [id] })
  const running = startNotifications({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())

  const sku = await addSku(account, { low_stock_threshold: 5 })
  await setStock(account, sku, 10)
  const items = [{ product_sku_id: sku.id, quantity: 2, unit_price: 100, notes: personal }]
  const order = await account.request('POST', '/orders', { customer_name: personal, notes: personal, items })
  expect(order.statusCode).toBe(201)
  const item = await itemOf(account, sku)
  await account.request('POST', `/inventory/${item.id}/adjust`, { adjustment: -8, reason: 'manual', notes: personal })
  await account.request('POST', '/worklist', { title: personal, description: personal, task_type: 'maintenance' })
  for (const source of ['plate', 'pick', 'pack', 'assembly', 'unknown_fate', 'filament'] as const) {
    await t.context.db.begin((sql) =>
      openFarmTask(systemWork(sql, account.id), {
        title: `Work of ${source}`,
        subtitle: personal,
        description: personal,
        task_type: 'maintenance',
        priority: 'medium',
        source,
        subjectId: order.json().data.id,
        printerId: null,
      }),
    )
  }

  await t.settled(() => receiver.received.length >= 8)
  const told = receiver.received.map(({ body }) => body)
  expect(told.some((body) => body.includes('Stock is low'))).toBe(true)
  expect(told.filter((body) => body.includes('Work of '))).toHaveLength(6)
  for (const body of told) {
    expect(body).not.toContain(personal)
    expect(body).not.toContain('secret-path')
    expect(body).not.toContain(secret)
  }
})

test('a network that admins may send to is no place for browsers of everybody: those have a setting of their own', async () => {
  const receiver = await openTestReceiver()
  onTestFinished(() => receiver.close())
  const viewer = await createTestPerson(t, account, 'viewer')
  const keys = pushDevice.keys
  for (const endpoint of [`${receiver.url}/inner`, receiver.url.replace('http:', 'https:')]) {
    const answer = await viewer.request('POST', '/push-devices', { name: 'Firefox', endpoint, keys })
    expect([endpoint, answer.statusCode]).toEqual([endpoint, 400])
    expect(Object.keys(answer.json().error.details)).toEqual(['endpoint'])
  }
  // Nor when it turns out as it is sent to.
  const device = (await viewer.request('POST', '/push-devices', pushDevice)).json().data
  const sealed = sealSettings(t.context.secrets, device.id, { endpoint: `${receiver.url}/inner`, ...keys })
  await t.db.sql`
    update notification_channels set settings_sealed = ${sealed} where account_id = ${account.id} and id = ${device.id}`
  const test = await viewer.request('POST', `/push-devices/${device.id}/test`)
  expect(test.json().data).toMatchObject({ status: 'failed', answer: 'must begin with https://' })
  expect(receiver.received).toEqual([])
})
