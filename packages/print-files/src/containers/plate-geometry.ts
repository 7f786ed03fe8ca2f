import type { PrintObject } from '../print-file.ts'
import { own } from '../settings/json.ts'

/** What `Metadata/plate_N.json` adds to the other sources. */
export interface PlateGeometry {
  bedType: string | null
  nozzleDiameterMm: number | null
  /** Positions of the used filaments, from 0, with their colours as written. */
  filaments: { index: number; color: string | null }[]
  objects: PrintObject[]
}

/** Reads `Metadata/plate_N.json`. Anything of another shape than expected is left out. */
export function readPlateGeometry(json: object, maxObjects: number): PlateGeometry {
  const bedType = own(json, 'bed_type')
  const nozzle = own(json, 'nozzle_diameter')
  const colors = list(own(json, 'filament_colors'))
  return {
    bedType: typeof bedType === 'string' && bedType !== '' ? bedType : null,
    // Written as a 32-bit number: 0.4 comes as 0.4000000059604645.
    nozzleDiameterMm: typeof nozzle === 'number' && nozzle > 0 ? Number(nozzle.toFixed(3)) : null,
    filaments: list(own(json, 'filament_ids'))
      .slice(0, 64)
      .flatMap((index, i) => {
        if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > 1023) return []
        const color = colors[i]
        return [{ index, color: typeof color === 'string' ? color : null }]
      }),
    objects: list(own(json, 'bbox_objects')).slice(0, maxObjects).flatMap(readObject),
  }
}

function readObject(object: unknown): PrintObject[] {
  const id = own(object, 'id')
  if (typeof id !== 'number' && typeof id !== 'string') return []
  const name = own(object, 'name')
  const found = { id: String(id), name: typeof name === 'string' ? name : String(id) }
  const box = list(own(object, 'bbox'))
  if (box.length !== 4 || !box.every((value) => typeof value === 'number' && Number.isFinite(value))) return [found]
  const [x0, y0, x1, y1] = box as number[]
  return [
    {
      ...found,
      polygon: [
        [x0!, y0!],
        [x1!, y0!],
        [x1!, y1!],
        [x0!, y1!],
      ],
    },
  ]
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
