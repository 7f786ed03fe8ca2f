import {
  demoCustomers,
  demoKitArticle,
  demoLevels,
  demoOrders,
  demoPackaging,
  demoPartKit,
  demoShelves,
  demoShipped,
  demoSpools,
} from './demo-sales.ts'
import type { FarmClient } from './farm-client.ts'

const dayMs = 86_400_000

interface Named {
  id: string
  name: string
}
interface Item {
  id: string
  sku: string
  product_sku_id: string
  ready_stock: number
}
interface Order {
  id: string
  items: { id: string }[]
}

/**
 * Gives a farm that `seedFarm` has filled what it needs to sell: spools on printers, packaging, shelves, a kit of parts with a file, and
 * more orders: one left and came back in part, one lies on the shelves, one is to be printed and put together.
 */
export async function seedSales(farm: FarmClient): Promise<void> {
  const now = new Date()
  const materials = await addMaterials(farm)
  const files = await farm.get<Named[]>('/files?limit=100')
  const [hook, plug, bag] = [
    files.find(({ name }) => name.startsWith('wall-hook')),
    materials.get('Wall plug 6'),
    materials.get('Padded bag'),
  ]
  if (hook && plug && bag) await farm.post('/products/kit', demoPartKit(hook.id, plug, bag))
  await fillShelves(farm, materials)
  await tendSkus(farm)
  await farm.patch('/orders/settings', { currency: 'EUR', handling_days: 3 })

  for (const [index, { daysAgo, daysLeft, ...order }] of demoOrders.entries()) {
    const made = await farm.post<Order>('/orders', {
      ...order,
      ...demoCustomers[index % demoCustomers.length],
      shipping_country: 'US',
      order_date: new Date(now.getTime() - daysAgo * dayMs).toISOString(),
      ship_by: new Date(now.getTime() + daysLeft * dayMs).toISOString(),
    })
    if (order.order_number === demoShipped) await shipAndReturn(farm, made)
  }
}

async function shipAndReturn(farm: FarmClient, { id, items: [line] }: Order): Promise<void> {
  await farm.post(`/orders/${id}/fulfill`, { carrier: 'Parcel service', tracking_number: 'DEMO1' })
  const back = { item_id: line?.id, quantity: 1, disposition: 'restock', notes: 'Ordered one too many' }
  await farm.post(`/orders/${id}/returns`, { items: [back] })
}

/** Spools and packaging. Answers the IDs of components and packaging by their names. */
async function addMaterials(farm: FarmClient): Promise<Map<string, string>> {
  const printers = new Map((await farm.get<Named[]>('/printers?limit=100')).map(({ id, name }) => [name, id]))
  for (const { printer, slot, ...spool } of demoSpools) {
    const onPrinter = printer === null ? undefined : printers.get(printer)
    const { id } = await farm.post<Named>('/materials/filament', {
      ...spool,
      spool_weight_grams: 1000,
      low_threshold: 200,
      location: 'Filament shelf',
    })
    if (onPrinter !== undefined) await farm.patch(`/materials/filament/${id}`, { printer_id: onPrinter, slot })
  }
  const ids = new Map<string, string>()
  for (const { id, name } of await farm.get<Named[]>('/materials/components?limit=100')) ids.set(name, id)
  for (const packaging of demoPackaging) {
    ids.set(packaging.name, (await farm.post<Named>('/materials/packaging', packaging)).id)
  }
  return ids
}

/** What is kept on the shelf, and how the kit is put together. */
async function tendSkus(farm: FarmClient): Promise<void> {
  const skus = await farm.get<{ id: string; sku: string }[]>('/skus?limit=100')
  for (const { sku, ...levels } of demoLevels) {
    const found = skus.find((each) => each.sku === sku)
    if (found) await farm.patch(`/skus/${found.id}`, levels)
  }
  const kit = skus.find(({ sku }) => sku === demoKitArticle.sku)
  if (!kit) return
  const { id } = await farm.post<{ id: string }>('/wiki', { ...demoKitArticle.article, sku_id: kit.id })
  await farm.post(`/wiki/${id}/publish`)
}

async function fillShelves(farm: FarmClient, materials: ReadonlyMap<string, string>): Promise<void> {
  const items = new Map((await farm.get<Item[]>('/inventory')).map((item) => [item.sku, item]))
  for (const { sku, bin, units, packaging } of demoShelves) {
    const item = items.get(sku)
    if (!item) continue
    await farm.patch(`/inventory/${item.id}`, { bin })
    if (item.ready_stock < units) {
      const body = { adjustment: units - item.ready_stock, reason: 'inventory_count', notes: 'Shelves were filled' }
      await farm.post(`/inventory/${item.id}/adjust`, body)
    }
    const packagingId = packaging === null ? undefined : materials.get(packaging)
    if (packagingId !== undefined) {
      await farm.put(`/skus/${item.product_sku_id}/bom`, {
        inventory: [{ inventory_item_id: packagingId, quantity_required: 1 }],
      })
    }
  }
}
