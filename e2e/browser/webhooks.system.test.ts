import { answering, openTestReceiver, type TestReceiver } from '@printyard/server/test/services/test-receiver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const type = 'worklist_task.created'
const windows = [
  ['a desktop', desktop],
  ['a phone', phone],
] as const

let dashboard: TestDashboard
let receiver: TestReceiver
beforeAll(async () => {
  if (!hasBrowser) return
  receiver = await openTestReceiver()
  dashboard = await startDashboard({}, { settings: { PRINTYARD_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
  await dashboard.signedIn()
}, 180_000)
afterAll(async () => {
  await dashboard?.end()
  await receiver?.close()
}, 60_000)

test.runIf(hasBrowser).each(windows)(
  'what a receiver refused is sent again from the page of its webhook, on %s',
  { timeout: 120_000 },
  async (_, viewport) => {
    const { page, url, ask, faults } = dashboard
    await page.setViewportSize(viewport)
    receiver.answer = answering(500)
    const { id } = await ask<{ id: string }>('POST', '/webhooks', { url: receiver.url, event_types: [type] })
    const { id: subject } = await ask<{ id: string }>('POST', '/worklist', { title: 'Oil', task_type: 'maintenance' })
    await page.goto(`${url}/settings/webhooks/${id}`)
    const delivery = page.locator('.data-table tbody tr').filter({ hasText: subject })
    await delivery.getByText(/^500 in \d+ ms/).waitFor()
    expect(await findLayoutFaults(page)).toEqual([])

    receiver.answer = answering(200)
    await delivery.getByRole('button', { name: `Redeliver ${type} of ${subject}` }).click()
    await page.getByText(`${type} is sent again`).waitFor()
    await delivery.getByText('Delivered', { exact: true }).waitFor()
    await delivery.getByText(/^200 in \d+ ms/).waitFor()
    // Its receiver knows it again by its ID.
    expect(receiver.idsOf(subject)).toHaveLength(1)

    await page.getByText('Failed', { exact: true }).click()
    await page.getByText('None in this state').waitFor()
    expect(new URL(page.url()).search).toBe('?status=failed')
    await ask('DELETE', `/webhooks/${id}`)
    expect(faults).toEqual([])
  },
)
