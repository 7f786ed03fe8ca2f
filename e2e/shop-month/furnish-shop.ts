import { atOnce } from '../farm-day/at-once.ts'
import { writeSlicedFile } from '../farm-day/sliced-file.ts'
import type { ShopApi } from './shop-api.ts'
import type { PlannedKit, PlannedRecipe, PlannedSku, ShopPlan } from './shop-plan.ts'

/** Where the plan is found in the account: IDs by the names of the plan. */
export interface FurnishedShop {
  printers: Map<string, { name: string; model: string }>
  skus: Map<string, string>
  recipes: Map<string, string>
}

const filament = { type: 'PLA', color: 'Black', hex: '#101010' }
const nozzle = 0.4

/** Brings what the plan has into an empty account. Nothing is ordered yet. */
export async function furnishShop(api: ShopApi, plan: ShopPlan, hubId: string): Promise<FurnishedShop> {
  const shop: FurnishedShop = { printers: new Map(), skus: new Map(), recipes: new Map() }
  await atOnce(plan.skus, async (sku) => {
    shop.skus.set(sku.code, await addSku(api, sku))
  })
  const screws = await api.post<{ id: string }>('/materials/components', { name: 'Screw', remaining_units: 100_000 })
  const boxes = await api.post<{ id: string }>('/materials/packaging', { name: 'Box', remaining_units: 100_000 })
  const supplies = { screws: screws.id, boxes: boxes.id }
  for (const kit of plan.kits) shop.skus.set(kit.code, await addKit(api, kit, shop, supplies))
  await atOnce(plan.recipes, async (recipe) => {
    shop.recipes.set(recipe.name, await addRecipe(api, recipe, shop))
  })
  await atOnce(plan.printers, async (printer) => {
    const { id } = await api.post<{ id: string }>('/printers', {
      ...printer,
      hub_id: hubId,
      connection_type: 'virtual',
      auto_start: true,
      nozzle_size: nozzle,
      current_filament_type: filament.type,
      current_color: filament.color,
      current_color_hex: filament.hex,
    })
    shop.printers.set(id, printer)
  })
  return shop
}

async function addSku(api: ShopApi, { code, isAssembled, opening }: PlannedSku): Promise<string> {
  const product = await api.post<{ id: string }>('/products', { name: code, requires_assembly: isAssembled })
  const { id } = await api.post<{ id: string }>('/skus', {
    product_id: product.id,
    sku: code,
    filament_type: filament.type,
    color: filament.color,
    hex_code: filament.hex,
  })
  if (opening > 0) {
    const [item] = await api.get<{ id: string }[]>(`/inventory?product_sku_id=${id}`)
    await api.post(`/inventory/${item?.id}/adjust`, { adjustment: opening, reason: 'inventory_count' })
  }
  return id
}

async function addKit(
  api: ShopApi,
  { code, parts, screws }: PlannedKit,
  shop: FurnishedShop,
  supplies: { screws: string; boxes: string },
): Promise<string> {
  const product = await api.post<{ id: string }>('/products', { name: code })
  const { id } = await api.post<{ id: string }>('/skus', { product_id: product.id, sku: code })
  await api.put(`/skus/${id}/bom`, {
    children: parts.map((part) => ({ child_sku_id: shop.skus.get(part.code), quantity_required: part.units })),
    inventory: [
      { inventory_item_id: supplies.screws, quantity_required: screws },
      { inventory_item_id: supplies.boxes, quantity_required: 1 },
    ],
  })
  return id
}

async function addRecipe(api: ShopApi, recipe: PlannedRecipe, shop: FurnishedShop): Promise<string> {
  const [main, ...others] = recipe.outputs
  if (!main) throw new Error(`${recipe.name} yields nothing`)
  const units = recipe.outputs.reduce((sum, output) => sum + output.units, 0)
  const filename = `${recipe.name}.gcode`
  const place = await api.post<{ upload_url: string; token: string }>('/files/upload-url', { filename })
  const sliced = {
    ...recipe,
    filament,
    nozzle,
    isColorWanted: false,
    grams: 12 * units,
    heightMm: 20,
    unitsPerPlate: units,
  }
  await api.upload(place.upload_url, writeSlicedFile(sliced))
  const file = await api.post<{ id: string }>('/files', { upload_token: place.token, name: filename })
  const { id } = await api.post<{ id: string }>('/recipes', {
    name: recipe.name,
    product_sku_id: shop.skus.get(main.code),
    print_file_id: file.id,
    units_per_plate: main.units,
    also_makes: others.map(({ code, units: each }) => ({ product_sku_id: shop.skus.get(code), units: each })),
  })
  return id
}
