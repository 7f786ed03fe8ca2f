import { isSpool, type Material, type MaterialKind, remainingOf } from './material-kinds.ts'
import type { MaterialBody } from './materials.api.ts'

/** A material as the form holds it; an empty number is not known. */
export interface MaterialValues {
  type: string
  name: string
  color: string
  hex_code: string
  brand: string
  diameter: number | ''
  size: string
  location: string
  low_threshold: number | ''
  spool_weight_grams: number | ''
  remaining: number | ''
}

/** What a tag says of its spool. */
interface SaidOfSpool {
  type: string | null
  color: string | null
  hex_code: string | null
  brand: string | null
  diameter: number | null
  spool_weight_grams: number | null
  remaining_grams: number | null
}

/** A new spool as the form holds it, with what its tag says of it in the place of what is usual. */
export function spoolValuesOf(says: SaidOfSpool): MaterialValues {
  const usual = materialValuesOf('filament', undefined)
  return {
    ...usual,
    type: says.type ?? '',
    color: says.color ?? '',
    hex_code: says.hex_code ?? '',
    brand: says.brand ?? '',
    diameter: says.diameter ?? usual.diameter,
    spool_weight_grams: says.spool_weight_grams ?? '',
    remaining: says.remaining_grams ?? says.spool_weight_grams ?? '',
  }
}

export function materialValuesOf(kind: MaterialKind, material: Material | undefined): MaterialValues {
  const spool = material && isSpool(material) ? material : undefined
  const other = material && !isSpool(material) ? material : undefined
  const isFilament = kind === 'filament'
  return {
    type: material?.type ?? (isFilament ? 'PLA' : ''),
    name: other?.name ?? '',
    color: material?.color ?? '',
    hex_code: spool?.hex_code ?? '',
    brand: material?.brand ?? '',
    diameter: material ? (material.diameter ?? '') : isFilament ? 1.75 : '',
    size: other?.size ?? '',
    location: material?.location ?? '',
    low_threshold: material?.low_threshold ?? (isFilament ? 100 : 10),
    spool_weight_grams: material ? (spool?.spool_weight_grams ?? '') : isFilament ? 1000 : '',
    remaining: material ? remainingOf(material) : isFilament ? 1000 : 0,
  }
}

/** What is sent of it. What is left is said of a new one only: later it is weighed, counted, used or restocked. */
export function materialBodyOf(kind: MaterialKind, values: MaterialValues, isNew: boolean): MaterialBody {
  const { type, name, color, hex_code, brand, diameter, size, location, low_threshold, remaining } = values
  const number = (value: number | '') => (value === '' ? null : value)
  const common = {
    ...(type.trim() !== '' && { type: type.trim() }),
    color: color.trim(),
    brand: brand.trim(),
    location: location.trim(),
    diameter: number(diameter),
    low_threshold: number(low_threshold),
  }
  if (kind === 'filament') {
    return {
      ...common,
      hex_code,
      spool_weight_grams: number(values.spool_weight_grams),
      ...(isNew && { remaining_grams: remaining === '' ? 0 : remaining }),
    }
  }
  return {
    ...common,
    ...(name.trim() !== '' && { name: name.trim() }),
    size: size.trim(),
    ...(isNew && { remaining_units: remaining === '' ? 0 : remaining }),
  }
}
