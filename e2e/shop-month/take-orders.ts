import { drawAbout } from '@printyard/virtual-printers/farm/draw'
import type { KnownOrder } from './month-record.ts'
import { attempt, codeOfSku, idOfSku, type Shop } from './shop.ts'
import { daySeconds, type PlannedLine, type PlannedOrder, type PlannedUnits } from './shop-plan.ts'
import { writeShopifyCsv } from './shopify-csv.ts'

const importHour = 8
const mappingHour = 10
const roundHours = [7, 11, 15, 19]
const hour = 3_600
/** Accidents on the shelf, for each day. */
const accidentsPerDay = 0.4

/** Puts all that the owner of the shop does in a month on the agenda. */
export function planOwnersMonth(shop: Shop): void {
  const { agenda, plan } = shop
  for (const order of plan.orders) {
    if (order.from === 'api') agenda.put(order.arrivesAt, () => postOrder(shop, order))
    const { cancelAt } = order
    if (cancelAt !== null) agenda.put(cancelAt, () => cancelOrder(shop, order))
  }
  const days = plan.seconds / daySeconds
  // What came in on the last evening is imported on the morning after.
  for (let day = 0; day <= days; day += 1) {
    const startsAt = day * daySeconds
    agenda.put(startsAt + importHour * hour, () => importDay(shop, startsAt + importHour * hour))
    agenda.put(startsAt + mappingHour * hour, () => mapLines(shop))
    for (const at of roundHours) agenda.put(startsAt + at * hour, () => shop.production.round())
    const draw = drawAbout(plan.seed, `accidents ${day}`)
    if (draw.chance(accidentsPerDay)) agenda.put(startsAt + 12 * hour, () => damageOne(shop, draw.pick(plan.skus).code))
  }
}

async function postOrder(shop: Shop, order: PlannedOrder): Promise<void> {
  const { api, clock, production } = shop
  const { id } = await api.post<{ id: string }>('/orders', {
    order_number: order.number,
    external_id: order.number,
    platform: 'other',
    customer_name: `Customer ${order.number}`,
    priority: order.priority,
    ship_by: clock.dateOf(order.dueAt).toISOString(),
    items: order.lines.map((line) => ({
      sku: line.sellerCode,
      quantity: line.quantity,
      unit_price: 1_250,
      ...(line.engraving !== null &&
        (production.keepsEngravings
          ? { personalisation: [{ name: 'Engraving', value: line.engraving }] }
          : { notes: line.engraving })),
    })),
  })
  await take(shop, order, id, () => false)
}

/** The export of the shop's orders since the last one, sent twice, as shops do: the second time all of them are there. */
async function importDay(shop: Shop, now: number): Promise<void> {
  const { api, clock, plan, record } = shop
  const since = now - daySeconds
  const orders = plan.orders.filter(
    ({ from, arrivesAt }) => from === 'shopify' && since <= arrivesAt && arrivesAt < now,
  )
  if (orders.length === 0) return
  const csv = writeShopifyCsv(orders, clock.dateOf)
  const path = '/orders/import?format=shopify'
  const first = await api.postCsv<Imported>(path, csv)
  const again = await api.postCsv<Imported>(path, csv)
  if (first.orders.created !== orders.length || again.orders.exists !== orders.length) {
    record.wrong.push(
      `of ${orders.length} orders ${first.orders.created} were created and ${again.orders.exists} known`,
    )
  }
  for (const order of orders) {
    const rows = first.rows.filter(({ order_number }) => order_number === order.number)
    const id = rows.find(({ order_id }) => order_id !== null)?.order_id
    if (!id) {
      record.wrong.push(`${order.number} was not imported: ${JSON.stringify(rows)}`)
      continue
    }
    await api.patch(`/orders/${id}`, { ship_by: clock.dateOf(order.dueAt).toISOString() })
    await take(shop, order, id, (index) => rows[index]?.unmapped === true)
  }
}

interface Imported {
  orders: { created: number; exists: number }
  rows: { order_number: string; order_id: string | null; unmapped: boolean }[]
}

async function take(
  shop: Shop,
  planned: PlannedOrder,
  id: string,
  isUnmapped: (line: number) => boolean,
): Promise<void> {
  const waiting = planned.lines.filter((_, index) => isUnmapped(index))
  const order: KnownOrder = { planned, id, waiting, shippedAt: null, hasLeftInPart: false, state: 'open' }
  shop.record.orders.set(id, order)
  const known = planned.lines.filter((_, index) => !isUnmapped(index))
  if (known.length > 0) await shop.production.order(order, known.map(unitsOf))
}

export const unitsOf = ({ code, quantity, packSize }: PlannedLine): PlannedUnits => ({
  code,
  units: quantity * packSize,
})

/** A person says of each listing once which SKU it is; all lines of it follow, in every order. */
async function mapLines(shop: Shop): Promise<void> {
  const { api, record, production } = shop
  for (const { id } of await api.all<{ id: string }>('/orders?unmapped=true')) {
    if (record.orders.get(id)?.state === 'open') await mapOrder(shop, id)
  }
  for (const order of record.orders.values()) {
    const lines = order.waiting.splice(0)
    if (order.state === 'open' && lines.length > 0) await production.order(order, lines.map(unitsOf))
  }
}

async function mapOrder(shop: Shop, orderId: string): Promise<void> {
  const { api, plan } = shop
  const { items } = await api.get<{ items: { id: string; seller_sku: string; state: string }[] }>(
    `/orders/${orderId}/details`,
  )
  for (const { id, seller_sku: sellerSku } of items.filter(({ state }) => state === 'unmapped')) {
    const listing = plan.listings.find(({ sellerCode }) => sellerCode === sellerSku)
    if (!listing) throw new Error(`no listing ${sellerSku}`)
    const { code, packSize } = listing
    const sku = { product_sku_id: idOfSku(shop, code), pack_size: packSize }
    // A listing that is twice in the order is mapped with its first line.
    await attempt(shop.record, api.post(`/orders/${orderId}/items/${id}/map`, sku))
  }
}

async function cancelOrder(shop: Shop, planned: PlannedOrder): Promise<void> {
  const { api, record, production } = shop
  const order = [...record.orders.values()].find((each) => each.planned === planned)
  if (order?.state !== 'open' || order.shippedAt !== null) return
  await api.delete(`/orders/${order.id}`)
  order.state = 'cancelled'
  await production.cancel(order)
}

/** A piece falls off the shelf, if one lies there. */
async function damageOne(shop: Shop, code: string): Promise<void> {
  const { api, record, production } = shop
  const [item] = await api.get<{ id: string; ready_stock: number }[]>(
    `/inventory?product_sku_id=${idOfSku(shop, code)}`,
  )
  if (!item || item.ready_stock < 1) return
  const damaged = await attempt(record, api.post(`/inventory/${item.id}/adjust`, { adjustment: -1, reason: 'damaged' }))
  if (damaged === undefined) return
  record.damaged.add(code, 1)
  await production.lose(null, { code, units: 1 })
}

/** What comes back of an order that was shipped, if anything does. */
export function planReturn(shop: Shop, order: KnownOrder): void {
  const { comesBack, lines } = order.planned
  const [line] = lines
  if (!comesBack || !line) return
  const { disposition, afterSeconds } = comesBack
  shop.agenda.put(shop.clock.now() + afterSeconds, async () => {
    const { items } = await shop.api.get<{ items: { id: string; product_sku_id: string; pack_size: number }[] }>(
      `/orders/${order.id}/details`,
    )
    const item = items[0]
    if (!item) throw new Error(`${order.planned.number} has no lines`)
    await shop.api.post(`/orders/${order.id}/returns`, { items: [{ item_id: item.id, quantity: 1, disposition }] })
    const units = { code: codeOfSku(shop, item.product_sku_id), units: item.pack_size }
    if (disposition === 'restock') shop.record.restocked.add(units.code, units.units)
    if (disposition !== 'remake') return
    shop.record.remade.add(units.code, units.units)
    order.state = 'open'
    await shop.production.lose(order, units)
  })
}
