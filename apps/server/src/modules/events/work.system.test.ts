import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { accountForAllTests } from '../../test/app/app-hooks.ts'
import { workIn } from './work.ts'

let now = new Date('2026-03-01T12:00:00.000Z')
const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => now } } })

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) {
  const answer = await farm.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

test('what a request makes and changes has the time of its work, by one clock', async () => {
  const made = now.toISOString()
  const product = await send('POST', '/products', { name: 'Lamp' })
  const sku = await send('POST', '/skus', { product_id: product.id, sku: 'LAMP' })
  const order = await send('POST', '/orders', {
    platform: 'manual',
    items: [{ product_sku_id: sku.id, quantity: 1, unit_price: 100 }],
  })
  const [item] = await send('GET', '/inventory')
  const color = await send('POST', '/colors', { color_name: 'Red', hex_code: '#FF0000' })
  const article = await send('POST', '/wiki', { title: 'How to', content: 'So' })
  for (const each of [product, sku, order, item, color, article]) expect(each.created_at).toBe(made)
  expect(order.order_date).toBe(made)

  now = new Date('2026-03-02T12:00:00.000Z')
  const changed = now.toISOString()
  await send('POST', `/inventory/${item.id}/adjust`, { adjustment: 5, reason: 'manual' })
  expect((await send('GET', `/inventory/${item.id}`)).updated_at).toBe(changed)
  expect((await send('PATCH', `/products/${product.id}`, { name: 'Lamps' })).updated_at).toBe(changed)
  const { order: fulfilled } = await send('POST', `/orders/${order.id}/fulfill`)
  expect(fulfilled).toMatchObject({ shipped_at: changed, updated_at: changed, created_at: made })
})

test('any number of events is recorded in one transaction: more than PostgreSQL takes rows of single values, or none', async () => {
  const subjects = Array.from({ length: 14_000 }, () => newId('order'))
  const record = () =>
    t.db.begin((sql) =>
      workIn(sql, { accountId: farm.id, actor: 'system', now }).recordAll(
        subjects.map((subjectId) => ({ type: 'order.risk_ended', subjectId, data: {} })),
      ),
    )
  const countOf = async () => {
    const [row] = await t.db.sql<{ events: number; subjects: number }[]>`
      select count(*)::int4 as events, count(distinct subject_id)::int4 as subjects from events
      where account_id = ${farm.id} and type = 'order.risk_ended' and actor = 'system' and subject_id = any(${subjects})`
    return row
  }
  await record()
  expect(await countOf()).toEqual({ events: 14_000, subjects: 14_000 })
  subjects.length = 0
  await record()
  expect(await countOf()).toEqual({ events: 0, subjects: 0 })
})
