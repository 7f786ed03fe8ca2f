import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { Product } from '../../../lib/api/api-schema.generated.ts'
import { chosenLines, type MaterialLine } from '../bom/material-lines.tsx'

interface KitVariant {
  sku_id?: string
  sku: string
  color: string
  hex_code: string
  filament_type: string
  bundle_extras: MaterialLine[]
}

interface KitPartValues {
  part_id?: string
  name: string
  quantity_per_kit: number
  fixed_color: string
  fixed_hex_code: string
  print_file_id: string | null
  requires_assembly: boolean
  components: (MaterialLine & { notes?: string })[]
}

/** A kit as the form holds it. */
export interface KitValues {
  name: string
  category: string
  description: string
  requires_post_processing: boolean
  variants: KitVariant[]
  parts: KitPartValues[]
  bundle_extras: MaterialLine[]
}

export const newVariant = (): KitVariant => ({ sku: '', color: '', hex_code: '', filament_type: '', bundle_extras: [] })
export const newPart = (): KitPartValues => ({
  name: '',
  quantity_per_kit: 1,
  fixed_color: '',
  fixed_hex_code: '',
  print_file_id: null,
  requires_assembly: false,
  components: [],
})

/** What the form begins with: of a product that is no kit yet, its SKUs are the variants. */
export function kitValuesOf(product: Product | undefined): KitValues {
  const kit = product?.kit
  return {
    name: product?.name ?? '',
    category: product?.category ?? '',
    description: product?.description ?? '',
    requires_post_processing: product?.requires_post_processing ?? false,
    variants: atLeastOne(
      (product?.skus ?? []).map(({ id, sku, color, hex_code, filament_type }) => ({
        ...{ sku_id: id, sku, color, hex_code, filament_type },
        bundle_extras: linesOf(kit?.bundle_extras_by_variant[id] ?? []),
      })),
      newVariant,
    ),
    parts: atLeastOne(
      (kit?.parts ?? []).map((part) => ({
        part_id: part.part_id,
        name: part.name,
        quantity_per_kit: part.quantity_per_kit,
        fixed_color: part.fixed_color,
        fixed_hex_code: part.fixed_hex_code,
        print_file_id: part.print_file_id,
        requires_assembly: part.requires_assembly,
        components: part.components.map(({ inventory_item_id, quantity_required, notes }) => ({
          ...{ inventory_item_id, quantity_required },
          ...(notes !== '' && { notes }),
        })),
      })),
      newPart,
    ),
    bundle_extras: linesOf(kit?.bundle_extras ?? []),
  }
}

/** What is sent: all of it, because a kit is replaced as a whole. */
export function kitBodyOf(values: KitValues): BodyOf<'POST /products/kit'> {
  return {
    name: values.name.trim(),
    category: values.category.trim(),
    description: values.description,
    requires_post_processing: values.requires_post_processing,
    variants: values.variants.map(({ sku, bundle_extras, color, ...variant }) => ({
      ...variant,
      color: color.trim(),
      ...(sku.trim() !== '' && { sku: sku.trim() }),
      bundle_extras: chosenLines(bundle_extras),
    })),
    parts: values.parts.map(({ components, name, ...part }) => ({
      ...part,
      name: name.trim(),
      components: chosenLines(components),
    })),
    bundle_extras: chosenLines(values.bundle_extras),
  }
}

function linesOf(lines: readonly { inventory_item_id: string; quantity_required: number }[]): MaterialLine[] {
  return lines.map(({ inventory_item_id, quantity_required }) => ({ inventory_item_id, quantity_required }))
}

function atLeastOne<Item>(items: Item[], make: () => Item): Item[] {
  return items.length === 0 ? [make()] : items
}
