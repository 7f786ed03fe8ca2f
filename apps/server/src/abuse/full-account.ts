import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { drawPng } from '@printyard/print-files/test/draw-picture'
import { newId, type PrinterId } from '../kernel/ids.ts'
import { insertMember, insertUserUnlessKnown } from '../modules/people/accounts/accounts.queries.ts'
import type { TestAccount, TestApp } from '../test/app/test-app.ts'
import { addTestFile, upload } from '../test/farm/sliced-file.ts'
import { itemOf } from '../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'
import { drawImage, postImage } from '../test/farm/test-images.ts'
import { addFleet } from './full-fleet.ts'

/** An account that holds something of every kind, with the IDs by the words of the paths. */
export interface FullAccount {
  farm: TestFarm
  ids: Record<string, string[]>
  keep(kind: string, ...ids: string[]): void
}

/** `marker` stands in every text that the account gives to its things, so that a leak of any of them shows. */
export async function fillAccount(t: TestApp, marker: string): Promise<FullAccount> {
  const farm = await createTestFarm(t)
  const { account } = farm
  const ids: Record<string, string[]> = { hubs: [farm.hubId], printers: [farm.printerId], files: [farm.fileId] }
  const keep = (kind: string, ...more: string[]) => {
    ids[kind] = [...(ids[kind] ?? []), ...more]
  }
  const full: FullAccount = { farm, ids, keep }
  const named = (name: string) => `${marker} ${name}`

  await made(account, 'PATCH', `/hubs/${farm.hubId}`, { name: named('hub') })
  await made(account, 'PATCH', `/printers/${farm.printerId}`, {
    name: named('printer'),
    location: marker,
    notes: marker,
  })
  await made(account, 'PATCH', '/scheduler/settings', {
    working_hours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' },
    heating_at_once: 50,
  })
  const userId = newId('user')
  await insertUserUnlessKnown(t.db.sql, { id: userId, email: `${userId}@example.com`, password_hash: null })
  await insertMember(t.db.sql, account.id, { id: newId('member'), user_id: userId, role: 'operator' })
  keep('members', userId)

  const sliced = buildGcode3mf({ plates: [{ thumbnail: drawPng(64, 64, [200, 100, 0]) }] })
  for (const n of [1, 2, 3, 4]) keep('files', (await addTestFile(t, account, sliced, { name: named(`file ${n}`) })).id)
  for (let n = 0; n < 8; n++) keep('upload_tokens', await upload(t, account, sliced))

  for (const n of [1, 2, 3, 4]) await fillOnce(t, full, marker, n, userId)
  await fillMaterials(full, marker)
  await fillJobs(t, full, marker)
  // What the farm asks people to do.
  keep('worklist', ...(await listed(account, '/worklist?limit=100')))
  keep('failures', ...(await account.request('GET', '/analytics/failures')).json().data.recent.map(idOf))
  await fillPictures(t, full)
  for (const kind of Object.keys(ids)) ids[kind] = [...new Set(ids[kind])]
  return full
}

/** What is there for a moment, or once a camera has looked. */
async function fillPictures(t: TestApp, { farm, ids, keep }: FullAccount): Promise<void> {
  const { account } = farm
  const going = newId('order')
  await t.db.sql`
    insert into order_import_progress (account_id, id, done_rows, total_rows, updated_at)
    values (${account.id}, ${going}, 1, 2, now())`
  keep('order-imports', going)
  const [version] = await t.db.sql<{ sha256: string }[]>`
    select sha256 from print_file_versions where account_id = ${account.id} order by id limit 1`
  for (const id of ids.failures ?? []) {
    await t.db.sql`
      insert into failure_pictures (account_id, failure_id, sha256, thumb_sha256, size_bytes, taken_at)
      values (${account.id}, ${id}, ${version?.sha256 ?? ''}, ${version?.sha256 ?? ''}, 1, now())
      on conflict do nothing`
  }
}

/** One more of what people write down. */
async function fillOnce(t: TestApp, { farm, keep }: FullAccount, marker: string, n: number, userId: string) {
  const { account } = farm
  const named = (name: string) => `${marker} ${name} ${n}`
  const hub = await made(account, 'POST', '/hubs', { name: named('hub') })
  const product = await made(account, 'POST', '/products', { name: named('product'), description: marker })
  const sku = await made(account, 'POST', '/skus', { product_id: product.id, sku: `${marker}-${n}`, color: marker })
  const item = await itemOf(account, { sku: `${marker}-${n}` })
  await made(account, 'POST', `/inventory/${item.id}/adjust`, { adjustment: 300, reason: 'manual', notes: marker })
  // Printed by hand: its units wait to be put together, and a task says so.
  const printed = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 300, requires_assembly: true })
  await made(account, 'POST', `/jobs/${printed}/complete`)
  const image = await postImage(t, account, product.id, await drawImage())
  const color = await made(account, 'POST', '/colors', { color_name: named('colour'), hex_code: '#FF0000' })
  const task = await made(account, 'POST', '/worklist', {
    title: named('task'),
    description: marker,
    task_type: 'collection',
    printer_id: farm.printerId,
    assigned_to: userId,
  })
  const assembly = await made(account, 'POST', '/assembly', { product_sku_id: sku.id, quantity: 9, notes: marker })
  const article = await made(account, 'POST', '/wiki', {
    title: named('article'),
    category: marker,
    tags: [marker],
    sections: [{ type: 'step', content: marker }],
  })
  const items = [1, 2].map(() => ({ product_sku_id: sku.id, quantity: 2, unit_price: 100, notes: marker }))
  const order = await made(account, 'POST', '/orders', { customer_name: marker, notes: marker, items })
  const listing = { platform: 'etsy', shop: marker, listing_id: `${marker} ${n}`, variation: marker }
  const listingMap = await made(account, 'POST', '/listing-maps', { ...listing, product_sku_id: sku.id })
  const unmapped = await made(account, 'POST', '/orders', {
    platform: 'etsy',
    shop: marker,
    allow_unmapped: true,
    items: [
      {
        listing_id: `${marker} unmapped ${n}`,
        quantity: 1,
        unit_price: 100,
        personalisation: [{ name: marker, value: marker }],
      },
    ],
  })
  keep('hubs', hub.id)
  keep('join_codes', hub.join_code)
  keep('products', product.id)
  keep('skus', sku.id)
  keep('inventory', item.id)
  keep('images', image.json().data.id)
  keep('colors', color.id)
  keep('worklist', task.id)
  keep('assembly', assembly.id)
  keep('jobs', printed)
  keep('wiki', article.id, article.slug)
  const shipped = await made(account, 'POST', '/orders', { customer_name: marker, items })
  const parcel = { carrier: marker, tracking_number: marker, items: [{ item_id: shipped.items[0].id, quantity: 2 }] }
  await made(account, 'POST', `/orders/${shipped.id}/fulfill`, parcel)
  const returned = { item_id: shipped.items[0].id, quantity: 1, disposition: 'scrap', notes: marker }
  await made(account, 'POST', `/orders/${shipped.id}/returns`, { items: [returned] })
  const webhook = await made(account, 'POST', '/webhooks', {
    url: `https://${marker}.invalid/`,
    description: marker,
  })
  // What is sent would change it while others are at work.
  await made(account, 'PATCH', `/webhooks/${webhook.id}`, { is_active: false })
  keep('webhooks', webhook.id)
  keep('listing-maps', listingMap.id)
  keep('orders', order.id, unmapped.id, shipped.id)
  keep('order_items', ...[order, unmapped, shipped].flatMap(({ items: lines }) => lines.map(idOf)))
}

async function fillMaterials({ farm, ids, keep }: FullAccount, marker: string): Promise<void> {
  const words = { color: marker, brand: marker, location: marker, low_threshold: 5 }
  for (const kind of ['filament', 'components', 'packaging', 'parts']) {
    for (const n of [1, 2, 3, 4]) {
      const own =
        kind === 'filament'
          ? { type: 'PETG', remaining_grams: 500_000 }
          : { name: `${marker} ${kind} ${n}`, remaining_units: 500_000 }
      const material = await made(farm.account, 'POST', `/materials/${kind}`, { ...words, ...own })
      await made(farm.account, 'POST', `/materials/${kind}/${material.id}/consume`, { quantity: 2, notes: marker })
      keep(kind, material.id)
    }
  }
  const spool = `/materials/filament/${ids.filament?.[0]}`
  await made(farm.account, 'PATCH', spool, { printer_id: farm.printerId, slot: 0 })
}

/** Jobs in every state, on printers that obey. */
async function fillJobs(t: TestApp, { farm, ids, keep }: FullAccount, marker: string): Promise<void> {
  const names = [1, 2, 3, 4, 5, 6].map((n) => `${marker} obedient ${n}`)
  const fleet = await addFleet(t, farm, names, marker)
  keep('printers', ...fleet.printerIds)
  const product_sku_id = ids.skus?.[0]
  const queue = (printer_id: string) =>
    farm.queueJob({ printer_id, product_sku_id, number_of_units: 2, color: marker, notes: marker })

  for (const outcome of ['done', 'failed', 'failed', 'failed'] as const) {
    const [printerId] = fleet.printerIds as [PrinterId]
    const job = await queue(printerId)
    await fleet.print(job, printerId)
    await fleet.end(printerId, outcome)
    await made(farm.account, 'POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    keep('jobs', job)
    keep(outcome === 'failed' ? 'failed_jobs' : 'ended_jobs', job)
  }
  for (const printerId of fleet.printerIds.slice(1, 6)) {
    const job = await queue(printerId)
    await fleet.print(job, printerId)
    keep('jobs', job)
    keep('running_jobs', job)
  }
  await made(farm.account, 'POST', `/jobs/${ids.running_jobs?.[0]}/pause`)
  const cancelled = await queue(farm.printerId)
  await made(farm.account, 'POST', `/jobs/${cancelled}/cancel`)
  keep('jobs', cancelled)
  for (const printerId of [farm.printerId, ...fleet.printerIds]) {
    const job = await queue(printerId)
    keep('jobs', job)
    keep('queued_jobs', job)
  }
}

const idOf = (thing: { id: string }) => thing.id

async function listed(account: TestAccount, path: string): Promise<string[]> {
  return (await account.request('GET', path)).json().data.map(idOf)
}

/** The data of an answer that must be a success. */
async function made(account: TestAccount, method: 'POST' | 'PATCH', path: string, body?: object) {
  const answer = await account.request(method, path, body)
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.body}`)
  return answer.json().data
}

/** A hash of everything that is stored for the account, table by table. */
export async function hashOfAccount(t: TestApp, accountId: string): Promise<Record<string, string>> {
  const tables = await t.db.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by table_name`
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await t.db.sql<{ hash: string | null }[]>`
      select md5(string_agg(each::text, '|' order by each::text)) as hash from ${t.db.sql(name)} each
      where account_id = ${accountId}`
    hashes[name] = row?.hash ?? 'empty'
  }
  return hashes
}
