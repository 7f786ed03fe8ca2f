import { createFarmClient } from 'printyard/demo/farm-client'
import { seedWebhooks } from 'printyard/demo/seed-connections'
import { seedFarm } from 'printyard/demo/seed-farm'
import { eventually } from '../../test/farm-processes.ts'
import type { TestDashboard } from './test-dashboard.ts'

/** Slow enough that what prints goes on printing while a test looks at it. */
const speed = 20
const queuedJobs = 4

/** A thing of each kind that has a page, under the name of its parameter in the router. */
export type FarmIds = Record<string, string>

/**
 * The farm of the demo: catalogue, files, stock, orders, tasks, eight printers. One of them prints, others wait for their plates
 * to be cleared, and jobs are queued. Needs the owner signed in.
 */
export async function fillFarm({ ask, addHub, url }: TestDashboard): Promise<FarmIds> {
  const scopes = ['read', 'write', 'control']
  const { key } = await ask<{ key: string }>('POST', '/api-keys', { name: 'Shop', scopes })
  const hub = await addHub({ speed })
  const farm = createFarmClient(url, key, AbortSignal.timeout(120_000))
  await seedFarm(farm, hub.id)
  await seedWebhooks(farm, 'https://shop.demo.invalid')
  await ask('POST', '/invitations', { email: 'colleague@example.com', role: 'operator' })

  const printers = await ask<{ id: string; name: string }[]>('GET', '/printers')
  const files = await ask<{ id: string; name: string }[]>('GET', '/files')
  const printerId = idOf(printers, 'North 1')
  const fileId = idOf(files, 'shelf-bracket_mk4s_pla.gcode')
  for (let count = 0; count < queuedJobs; count += 1) await ask('POST', '/jobs', { print_file_id: fileId })
  await ask('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
  await eventually(
    'North 1 printing',
    () => ask<{ status: string | null }>('GET', `/printers/${printerId}/status`),
    ({ status }) => status === 'printing',
    90_000,
  )
  // The job is told of what the printer does a moment later.
  const [job] = await eventually(
    'a job printing',
    () => ask<{ id: string }[]>('GET', '/jobs?status=printing'),
    (jobs) => jobs.length > 0,
    60_000,
  )
  if (!job) throw new Error('North 1 prints, but no job does')
  // Of this one a parcel has left, a line is open, and a line stands for no SKU.
  const [order] = await ask<{ id: string }[]>('GET', '/orders?search=2041')
  if (!order) throw new Error('the farm has no order 2041')
  const skus = await ask<{ id: string; product_id: string; is_composite: boolean }[]>('GET', '/skus')
  const kit = skus.find(({ is_composite }) => is_composite)
  const [printed] = skus.filter(({ is_composite }) => !is_composite)
  const [item] = await ask<{ id: string }[]>('GET', '/inventory')
  const [spool] = await ask<{ id: string }[]>('GET', '/materials/filament')
  const toAssemble = { product_sku_id: printed?.id, quantity: 2 }
  const { id: assemblyId } = await ask<{ id: string }>('POST', '/assembly', toAssemble)
  const [article] = await ask<{ id: string }[]>('GET', '/wiki')
  const [webhook] = await ask<{ id: string }[]>('GET', '/webhooks')
  const sold = { productId: printed?.product_id ?? '', skuId: kit?.id ?? '', itemId: item?.id ?? '' }
  // What a scanned label opens is a thing of any kind.
  return {
    ...{ printerId, fileId, hubId: hub.id, jobId: job.id, orderId: order.id, id: printerId },
    ...{ ...sold, webhookId: webhook?.id ?? '' },
    ...{ assemblyId, articleId: article?.id ?? '', kind: 'filament', materialId: spool?.id ?? '' },
  }
}

function idOf(rows: { id: string; name: string }[], name: string): string {
  const row = rows.find((each) => each.name === name)
  if (!row) throw new Error(`the farm has no ${name}, only ${rows.map((each) => each.name).join(', ')}`)
  return row.id
}
