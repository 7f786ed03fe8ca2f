import { buildGcode3mf } from '@printyard/print-files/testing/build-gcode-3mf'
import { drawPng } from '@printyard/print-files/testing/draw-picture'
import { newId } from '../ids.ts'
import { insertMember, insertUserUnlessKnown } from '../modules/accounts/accounts.queries.ts'
import { addTestFile, upload } from '../modules/files/testing.ts'
import { drawImage, postImage } from '../modules/product-images/test-images.ts'
import { itemOf } from '../modules/skus/test-catalogue.ts'
import type { TestAccount, TestApp } from '../test/test-app.ts'
import { createTestFarm, type TestFarm } from '../test/test-farm.ts'

/** An account that holds something of every kind, with the IDs by the words of the paths. */
export interface FullAccount {
  farm: TestFarm
  ids: Record<string, string[]>
}

/** `marker` stands in every text that the account gives to its things, so that a leak of any of them shows. */
export async function fillAccount(t: TestApp, marker: string): Promise<FullAccount> {
  const farm = await createTestFarm(t)
  const { account } = farm
  const ids: Record<string, string[]> = { hubs: [farm.hubId], printers: [farm.printerId], files: [farm.fileId] }
  const keep = (kind: string, ...more: string[]) => {
    ids[kind] = [...(ids[kind] ?? []), ...more]
  }
  const named = (name: string) => `${marker} ${name}`

  await made(account, 'PATCH', `/hubs/${farm.hubId}`, { name: named('hub') })
  await made(account, 'PATCH', `/printers/${farm.printerId}`, {
    name: named('printer'),
    location: marker,
    notes: marker,
  })
  const userId = newId('user')
  await insertUserUnlessKnown(t.db.sql, { id: userId, email: `${userId}@example.com`, password_hash: null })
  await insertMember(t.db.sql, account.id, { id: newId('member'), user_id: userId, role: 'operator' })
  keep('members', userId)

  const sliced = buildGcode3mf({ plates: [{ thumbnail: drawPng(64, 64, [200, 100, 0]) }] })
  keep('files', (await addTestFile(t, account, sliced, { name: named('file') })).id)
  keep('upload_tokens', await upload(t, account, sliced), await upload(t, account, sliced))

  for (const n of [1, 2]) {
    const product = await made(account, 'POST', '/products', { name: named(`product ${n}`), description: marker })
    const sku = await made(account, 'POST', '/skus', { product_id: product.id, sku: `${marker}-${n}`, color: marker })
    const item = await itemOf(account, { sku: `${marker}-${n}` })
    await made(account, 'POST', `/inventory/${item.id}/adjust`, { adjustment: 30, reason: 'manual', notes: marker })
    const image = await postImage(t, account, product.id, await drawImage())
    const color = await made(account, 'POST', '/colors', { color_name: named(`colour ${n}`), hex_code: '#FF0000' })
    const task = await made(account, 'POST', '/worklist', {
      title: named('task'),
      description: marker,
      task_type: 'collection',
      printer_id: farm.printerId,
      assigned_to: userId,
    })
    const article = await made(account, 'POST', '/wiki', {
      title: named(`article ${n}`),
      category: marker,
      tags: [marker],
      sections: [{ type: 'step', content: marker }],
    })
    const order = await made(account, 'POST', '/orders', {
      customer_name: marker,
      notes: marker,
      items: [{ product_sku_id: sku.id, quantity: 2, unit_price: 100, notes: marker }],
    })
    keep('products', product.id)
    keep('skus', sku.id)
    keep('inventory', item.id)
    keep('images', image.json().data.id)
    keep('colors', color.id)
    keep('worklist', task.id)
    keep('wiki', article.id, article.slug)
    keep('orders', order.id)
    keep('order_items', order.items[0].id)
    keep('jobs', await farm.queueJob({ product_sku_id: sku.id, color: marker }))
  }
  const [first, second] = ids.jobs as [string, string]
  await made(account, 'POST', `/jobs/${second}/cancel`)
  await farm.print(first)
  keep('jobs', await farm.queueJob({ color: marker }))
  return { farm, ids }
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
