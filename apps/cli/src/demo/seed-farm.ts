import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  demoArticles,
  demoKit,
  demoMaterials,
  demoPrinters,
  demoProducts,
  demoTasks,
  unluckyPrinter,
} from './demo-farm.ts'
import type { FarmClient } from './farm-client.ts'
import { seedOrders } from './seed-orders.ts'

const demoFiles = new URL('../../../server/demo-files/', import.meta.url)

/** Fills an empty account through the public API: catalogue, sliced files, a little stock, orders, printers, wiki, tasks. */
export async function seedFarm(farm: FarmClient, hubId: string): Promise<void> {
  for (const item of demoProducts) {
    const product = await farm.post<{ id: string }>('/products', {
      name: item.name,
      description: item.description,
      category: item.category,
    })
    const sku = await farm.post<{ id: string }>('/skus', {
      product_id: product.id,
      sku: item.sku,
      color: item.color,
      hex_code: item.hexCode,
      filament_type: item.filamentType,
      low_stock_threshold: item.threshold,
    })
    await farm.post('/colors', {
      color_name: item.color,
      hex_code: item.hexCode,
      filament_type: item.filamentType,
    })
    const fileId = await addFile(farm, item.file, product.id, item.perPlate)
    await farm.patch(`/files/${fileId}`, { tags: [item.category, item.filamentType] })
    await farm.post('/recipes', { product_sku_id: sku.id, print_file_id: fileId, units_per_plate: item.perPlate })
  }
  await addKit(farm)
  for (const article of demoArticles) {
    const { id } = await farm.post<{ id: string }>('/wiki', article)
    await farm.post(`/wiki/${id}/publish`)
  }
  for (const task of demoTasks) await farm.post('/worklist', task)
  const stock = await farm.get<{ id: string; low_stock_threshold: number }[]>('/inventory')
  for (const [index, item] of stock.entries()) {
    // Some shelves are full, one is nearly empty: the farm has a reason to print.
    const units = item.low_stock_threshold * (index % 3)
    if (units > 0) {
      await farm.post(`/inventory/${item.id}/adjust`, {
        adjustment: units,
        reason: 'inventory_count',
        notes: 'Counted when the farm was set up',
      })
    }
  }
  await seedOrders(farm)
  for (const { name, model, manufacturer, location, filament, slots } of demoPrinters) {
    const [type, color, hex] = filament
    await farm.post('/printers', {
      name,
      model,
      manufacturer,
      location,
      hub_id: hubId,
      connection_type: 'virtual',
      auto_start: true,
      connection: { ...(name === unluckyPrinter && { faults: ['print_failure'] }), ...(slots && { slots }) },
      nozzle_size: 0.4,
      current_filament_type: type,
      current_color: color,
      current_color_hex: hex,
      current_build_plate: 'Textured PEI',
      has_ams: model === 'P1S',
    })
  }
}

/** What the farm buys, and the kit that is put together from it and from what is printed. */
async function addKit(farm: FarmClient): Promise<void> {
  const materialIds = new Map<string, string>()
  for (const { kind, tag, ...material } of demoMaterials.map((each) => ({ tag: undefined, ...each }))) {
    const { id } = await farm.post<{ id: string }>(`/materials/${kind}`, material)
    materialIds.set(material.name, id)
    if (tag !== undefined) await farm.post(`/materials/${kind}/${id}/tags`, { code: tag })
  }
  const skus = await farm.get<{ id: string; sku: string }[]>('/skus?limit=100')
  const skuIds = new Map(skus.map(({ id, sku }) => [sku, id]))
  const { name, description, category, sku, color, hexCode, threshold, children, materials } = demoKit
  const product = await farm.post<{ id: string }>('/products', { name, description, category, requires_assembly: true })
  const kit = await farm.post<{ id: string }>('/skus', {
    product_id: product.id,
    sku,
    color,
    hex_code: hexCode,
    low_stock_threshold: threshold,
  })
  await farm.put(`/skus/${kit.id}/bom`, {
    children: Object.entries(children).map(([code, quantity_required]) => ({
      child_sku_id: skuIds.get(code),
      quantity_required,
    })),
    inventory: Object.entries(materials).map(([item, quantity_required]) => ({
      inventory_item_id: materialIds.get(item),
      quantity_required,
    })),
  })
}

async function addFile(farm: FarmClient, name: string, productId: string, unitsPerPlate: number): Promise<string> {
  const bytes = await readFile(fileURLToPath(new URL(name, demoFiles)))
  const place = await farm.post<{ upload_url: string; token: string }>('/files/upload-url', { filename: name })
  await farm.upload(place.upload_url, bytes)
  const { id } = await farm.post<{ id: string }>('/files', {
    upload_token: place.token,
    name,
    product_id: productId,
    number_of_units: unitsPerPlate,
  })
  return id
}
