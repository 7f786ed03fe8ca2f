import type { KitInput } from './kits.schema.ts'

/** A SKU of a part: one for each colour and filament type in which variants need it. */
export interface PlannedPartSku {
  /** Place of the part in the kit. */
  part: number
  color: string
  filament_type: string
  hex_code: string
  /** Places of the variants that it goes into. */
  variants: number[]
}

type PlannedKit = Pick<KitInput, 'variants' | 'parts'>

export function planPartSkus({ variants, parts }: PlannedKit): PlannedPartSku[] {
  return parts.flatMap((part, index) => {
    const planned = new Map<string, PlannedPartSku>()
    for (const [place, variant] of variants.entries()) {
      const color = part.fixed_color || variant.color
      const filament = variant.filament_type ?? ''
      const key = partSkuKey({ color, filament_type: filament })
      const hexCode = (part.fixed_color ? part.fixed_hex_code : variant.hex_code) ?? ''
      const sku = planned.get(key) ?? { part: index, color, filament_type: filament, hex_code: hexCode, variants: [] }
      sku.variants.push(place)
      planned.set(key, sku)
    }
    return [...planned.values()]
  })
}

/** Answers what tells the SKUs of one part apart. */
export function partSkuKey({ color, filament_type }: { color: string; filament_type: string }): string {
  return JSON.stringify([color, filament_type])
}

interface PlannedLine<Id> {
  material_id: Id
  quantity_required: number
}

/** Lines of one material together. */
export function sumLines<Id>(lines: readonly PlannedLine<Id>[]): PlannedLine<Id>[] {
  const sums = new Map<Id, number>()
  for (const { material_id: id, quantity_required: quantity } of lines) sums.set(id, (sums.get(id) ?? 0) + quantity)
  return [...sums].map(([material_id, quantity_required]) => ({ material_id, quantity_required }))
}

const longestCode = 90

/** A code made of names: upper-case words joined by hyphens. */
export function codeOf(...names: string[]): string {
  const code = names
    .join('-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return Array.from(code).slice(0, longestCode).join('').replace(/-+$/, '') || 'KIT'
}

/** The code, or with the first number behind it that is not taken; takes it. */
export function takeCode(code: string, taken: Set<string>): string {
  let free = code
  for (let n = 2; taken.has(free); n++) free = `${code}-${n}`
  taken.add(free)
  return free
}
