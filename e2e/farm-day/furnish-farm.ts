import type { FarmPlan, PlannedFile, PlannedPrinter } from '@printyard/virtual-printers/farm/farm-plan'
import type { FarmClient } from 'printyard/demo/farm-client'
import { atOnce } from './at-once.ts'
import { writeSlicedFile } from './sliced-file.ts'

/** Where the plan is found in the farm: the IDs by the names of the plan. */
export interface FurnishedFarm {
  printers: Map<string, PlannedPrinter>
  files: Map<string, { fileId: string; skuId: string }>
}

/** Brings what the plan has into an empty account through the public API. Nothing is ordered yet. */
export async function furnishFarm(farm: FarmClient, plan: FarmPlan, hubIds: readonly string[]): Promise<FurnishedFarm> {
  const furnished: FurnishedFarm = { printers: new Map(), files: new Map() }
  await atOnce(plan.files, async (file) => {
    furnished.files.set(file.name, await addFile(farm, file))
  })
  await atOnce(plan.printers, async (printer) => {
    const { id } = await farm.post<{ id: string }>('/printers', {
      name: printer.name,
      model: printer.model,
      hub_id: hubIds[printer.hub],
      connection_type: 'virtual',
      auto_start: true,
      nozzle_size: printer.nozzle,
      current_filament_type: printer.loaded.type,
      current_color: printer.loaded.color,
      current_color_hex: printer.loaded.hex,
    })
    furnished.printers.set(id, printer)
  })
  return furnished
}

async function addFile(farm: FarmClient, file: PlannedFile): Promise<{ fileId: string; skuId: string }> {
  const product = await farm.post<{ id: string }>('/products', { name: file.name })
  const sku = await farm.post<{ id: string }>('/skus', {
    product_id: product.id,
    sku: file.name.toUpperCase(),
    color: file.filament.color,
    hex_code: file.filament.hex,
    filament_type: file.filament.type,
  })
  const name = `${file.name}.gcode`
  const place = await farm.post<{ upload_url: string; token: string }>('/files/upload-url', { filename: name })
  await farm.upload(place.upload_url, writeSlicedFile(file))
  const { id } = await farm.post<{ id: string }>('/files', {
    upload_token: place.token,
    name,
    product_id: product.id,
    number_of_units: file.unitsPerPlate,
  })
  return { fileId: id, skuId: sku.id }
}
