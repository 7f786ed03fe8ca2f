import { expect, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { silentLog } from '../../db/setup/database-log.ts'
import { emptyDatabase, migrationsBefore } from '../../test/run/earlier-schema.ts'

const database = emptyDatabase()

test('orders from before shops, currencies and shipments lose nothing, and those told twice are marked', async () => {
  const { sql, target } = database
  await migrate({ target, log: silentLog, directory: migrationsBefore('orders-in') })
  await sql`insert into accounts (id, name, time_zone) values ('acc_1', 'Farm', 'UTC')`
  await sql`insert into products (account_id, id, name) values ('acc_1', 'prd_1', 'Clip')`
  await sql`insert into skus (account_id, id, product_id, sku) values ('acc_1', 'sku_1', 'prd_1', 'CLIP-R')`
  await sql`
    insert into orders
      (account_id, id, order_number, platform, status, external_id, customer_name, items_total, tracking_number, shipped_at,
       created_at)
    values ('acc_1', 'ord_1', 'W-1', 'etsy', 'fulfilled', '77', 'Ann Buyer', 500, '1Z', '2026-01-03T00:00:00Z', '2026-01-01'),
           ('acc_1', 'ord_2', 'W-2', 'etsy', 'pending', '77', 'Ann Buyer', 500, '', null, '2026-01-02'),
           ('acc_1', 'ord_3', 'W-3', 'shopify', 'processing', '77', 'Bob', 500, '', null, '2026-01-02'),
           ('acc_1', 'ord_4', 'W-4', 'etsy', 'pending', '', 'Bob', 500, '', null, '2026-01-02'),
           ('acc_1', 'ord_5', 'W-5', 'etsy', 'pending', '', 'Bob', 500, '', null, '2026-01-02')`
  await sql`
    insert into order_items
      (account_id, id, order_id, product_sku_id, sku, product_name, quantity, unit_price, quantity_fulfilled,
       fulfillment_status)
    select 'acc_1', 'itm_' || n, 'ord_' || n, 'sku_1', 'CLIP-R', 'Clip', 5, 100, case n when 1 then 5 when 3 then 2 else 0 end,
           case n when 1 then 'fulfilled' when 3 then 'partial' else 'pending' end
    from generate_series(1, 5) n`
  const before =
    await sql`select id, order_number, status, total_revenue, external_id from orders where account_id = 'acc_1' order by id`

  await migrate({ target, log: silentLog })

  expect(
    await sql`select id, order_number, status, total_revenue, external_id from orders where account_id = 'acc_1' order by id`,
  ).toEqual(before)
  expect(await sql`select id from orders where account_id = 'acc_1' and external_id_repeated`).toEqual([
    { id: 'ord_2' },
  ])
  expect(await sql`select distinct shop, currency, priority, ship_by from orders where account_id = 'acc_1'`).toEqual([
    { shop: '', currency: null, priority: 'normal', ship_by: null },
  ])
  expect(
    await sql`select distinct pack_size, units, product_sku_id, personalisation from order_items where account_id = 'acc_1'`,
  ).toEqual([{ pack_size: 1, units: 5, product_sku_id: 'sku_1', personalisation: [] }])
  expect(
    await sql`
      select s.order_id, s.tracking_number, s.shipped_at = '2026-01-03T00:00:00Z' as at_once, i.order_item_id, i.quantity, i.units
      from shipments s join shipment_items i on i.account_id = s.account_id and i.shipment_id = s.id
      where s.account_id = 'acc_1' order by s.order_id`,
  ).toEqual([
    { order_id: 'ord_1', tracking_number: '1Z', at_once: true, order_item_id: 'itm_1', quantity: 5, units: 5 },
    { order_id: 'ord_3', tracking_number: '', at_once: false, order_item_id: 'itm_3', quantity: 2, units: 2 },
  ])
  for (const [word, ids] of [
    ['buyer', ['ord_1', 'ord_2']],
    ['w-3', ['ord_3']],
    ['1z', ['ord_1']],
    ['clip', ['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5']],
  ] as const) {
    const found =
      await sql`select id from orders where account_id = 'acc_1' and search_words @@ ${`'${word}':*`}::text::tsquery order by id`
    expect(
      found.map(({ id }) => id),
      word,
    ).toEqual(ids)
  }
})
