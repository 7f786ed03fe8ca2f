import Type, { type Static } from 'typebox'
import {
  answer,
  clearableText,
  idOf,
  nullable,
  oneOf,
  request,
  resource,
  text,
  timestamp,
} from '../../../http/schema.ts'
import { largestInteger } from '../inventory/inventory.schema.ts'
import type { SkuRow } from '../skus/skus.queries.ts'
import type { ComponentOfProduct, ExtraRow, KitRows } from './kits.queries.ts'

const mostVariants = 50
const mostParts = 50
/** As in a bill of materials. */
const mostOfOne = 500
const mostLines = 50

const perKit = (description: string) => Type.Integer({ minimum: 1, maximum: mostOfOne, description })
const hexCode = (description: string) => clearableText(7, description, { pattern: '^(#[0-9A-Fa-f]{6})?$' })

const MaterialLine = request({
  inventory_item_id: idOf('material', 'ID of a component or of packaging'),
  quantity_required: perKit('Quantity per kit'),
})

const extras = (description: string) => Type.Optional(Type.Array(MaterialLine, { maxItems: mostLines, description }))

const Variant = request({
  sku_id: Type.Optional(idOf('sku', 'A SKU of this product that stays this variant; left out: a new one')),
  sku: Type.Optional(text(1, 100, 'Code of the SKU; made of the names when it is left out')),
  color: text(1, 100, 'Colour of the variant, and of its parts that have none of their own'),
  filament_type: Type.Optional(clearableText(50, 'Filament type such as PLA; null or empty: unknown')),
  hex_code: Type.Optional(hexCode('The colour as # and six hexadecimal digits; null or empty: none')),
  low_stock_threshold: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largestInteger,
      description: 'Ready stock at or below this counts as low; 0 for a new SKU when it is left out',
    }),
  ),
  bundle_extras: extras('Components of this variant beside its parts'),
})

const Part = request({
  part_id: Type.Optional(
    text(1, 255, 'A part of this kit that stays, with its SKUs and their stock; left out: a new one'),
  ),
  name: text(1, 200, 'Name of the part, once in the kit'),
  print_file_id: Type.Optional(nullable(idOf('printFile', 'The file that prints it; null: none'))),
  quantity_per_kit: perKit('Pieces that one kit takes'),
  fixed_color: Type.Optional(clearableText(100, 'Its colour in all variants; null or empty: that of the variant')),
  fixed_hex_code: Type.Optional(hexCode('Hex code of that colour: # and six hexadecimal digits; null or empty: none')),
  requires_assembly: Type.Optional(
    Type.Boolean({
      description:
        'Whether printed pieces of it are assembled, with its components, before they go into a kit; false when left out',
    }),
  ),
  components: Type.Optional(
    Type.Array(
      request({
        inventory_item_id: idOf('material', 'ID of a component or of packaging'),
        quantity_required: perKit('Pieces that one piece of the part takes'),
        notes: Type.Optional(text(0, 500, 'Anything worth knowing')),
      }),
      { maxItems: mostLines, description: 'Components and packaging of one piece of the part, each once' },
    ),
  ),
})

const kitFields = {
  name: text(1, 200, 'Name of the product, unique in the account'),
  variants: Type.Array(Variant, { minItems: 1, maxItems: mostVariants, description: 'The kit in each of its colours' }),
  parts: Type.Array(Part, { minItems: 1, maxItems: mostParts, description: 'Parts of the kit' }),
  description: Type.Optional(clearableText(5_000, 'Description, for people; null or empty: none')),
  category: Type.Optional(clearableText(100, 'Category; null or empty: none')),
  requires_post_processing: Type.Optional(Type.Boolean({ description: 'Printed pieces need work such as sanding' })),
  wiki_id: Type.Optional(
    nullable(idOf('wikiArticle', 'The article that goes with it when it is assembled; null: none')),
  ),
  bundle_extras: extras('Components of every variant beside its parts'),
}

const kitExample = {
  name: 'Desk lamp',
  variants: [{ color: 'Red', filament_type: 'PLA' }],
  parts: [
    { name: 'Base', quantity_per_kit: 1 },
    { name: 'Bulb holder', quantity_per_kit: 1, fixed_color: 'White' },
  ],
}

export const NewKitBody = request(kitFields, { examples: [kitExample] })
export const KitBody = request(kitFields, { examples: [kitExample] })
export type KitInput = Static<typeof KitBody>

const packedKind = oneOf(['components', 'packaging'], { description: 'Kind of material that it is listed under' })

const ExtraAnswer = answer(
  {
    id: Type.String({ description: 'ID of the line' }),
    sku_id: nullable(Type.String({ description: 'The variant that it is for; null: all of them' })),
    inventory_item_id: Type.String({ description: 'ID of the component or packaging' }),
    quantity_required: Type.Integer({ description: 'Pieces that one kit takes' }),
    created_at: timestamp('Time at which the line was written'),
    kind: packedKind,
    item_name: Type.String({ description: 'Name of the component or packaging' }),
    remaining: Type.Integer({ description: 'Pieces in stock' }),
  },
  { description: 'Components of a kit beside its parts' },
)

const component = {
  id: Type.String({ description: 'ID of the line' }),
  component_name: Type.String({ description: 'Name of the component' }),
  component_type: Type.String({ description: 'Its type, such as screw' }),
  quantity_required: Type.Integer({ description: 'Pieces that one piece of the part takes' }),
  notes: Type.String({ description: 'Notes; empty for none' }),
}

export const ProductComponent = resource('ProductComponent', 'A component that a product needs', {
  ...component,
  id: Type.String({ description: 'ID of the component' }),
  quantity_required: Type.Integer({ description: 'The most that one of its SKUs takes' }),
})

const KitPart = resource('KitPart', 'A part of a kit', {
  part_id: Type.String({ description: 'ID of the part' }),
  name: Type.String({ description: 'Its name' }),
  print_file_id: nullable(Type.String({ description: 'The file that prints it; null: none' })),
  file_name: nullable(Type.String({ description: 'Name of that file' })),
  quantity_per_kit: Type.Integer({ description: 'Pieces that one kit takes' }),
  fixed_color: Type.String({ description: 'Its colour in all variants; empty: that of the variant' }),
  fixed_hex_code: Type.String({ description: 'Hex code of that colour: # and six hexadecimal digits; empty: none' }),
  requires_assembly: Type.Boolean({
    description: 'Whether printed pieces of it are assembled before they go into a kit',
  }),
  components: Type.Array(
    answer(
      {
        ...component,
        inventory_item_id: Type.String({ description: 'ID of the component or packaging' }),
        kind: packedKind,
      },
      { description: 'A component or packaging of one piece of the part' },
    ),
    { description: 'Components and packaging of one piece of the part' },
  ),
  variants: Type.Array(
    answer(
      {
        kit_sku_id: Type.String({ description: 'SKU of the kit' }),
        kit_color: Type.String({ description: 'Colour of that SKU' }),
        child_sku_id: Type.String({ description: 'SKU of the part that goes into it' }),
        child_sku: Type.String({ description: 'Its code' }),
        child_color: Type.String({ description: 'Its colour' }),
        child_on_hand: Type.Integer({ description: 'Its ready stock' }),
      },
      { description: 'The part in one variant of the kit' },
    ),
    { description: 'The part in each variant of the kit' },
  ),
})

const Kit = resource('Kit', 'A kit, with its parts and variants', {
  parts: Type.Array(KitPart, { description: 'Its parts in their order' }),
  bundle_extras: Type.Array(ExtraAnswer, { description: 'Components of every variant beside its parts' }),
  bundle_extras_by_variant: Type.Unsafe<Record<string, Static<typeof ExtraAnswer>[]>>({
    type: 'object',
    description: 'Components of single variants beside the parts, by the ID of their SKU',
    additionalProperties: { type: 'array', items: ExtraAnswer, description: 'Extras of this variant' },
    examples: [{}],
  }),
})

export const nullableKit = nullable(
  answer(Kit.properties, { description: 'Parts and variants of the kit; null for a product that is no kit' }),
)

/** `skus` are the variants. */
export function presentKit({ parts, components, extras, partSkus, uses }: KitRows, skus: SkuRow[]): Static<typeof Kit> {
  const kitSkus = new Map(skus.map((sku) => [sku.id, sku]))
  const usersOf = Map.groupBy(uses, (use) => use.child_sku_id)
  return {
    parts: parts.map((part) => ({
      part_id: part.id,
      name: part.name,
      print_file_id: part.print_file_id,
      file_name: part.file_name,
      quantity_per_kit: part.quantity_per_kit,
      fixed_color: part.fixed_color,
      fixed_hex_code: part.fixed_hex_code,
      requires_assembly: part.requires_assembly,
      components: components
        .filter((line) => line.kit_part_id === part.id)
        .map((line) => ({
          id: line.id,
          inventory_item_id: line.material_id,
          kind: line.kind,
          component_name: line.item_name,
          component_type: line.type,
          quantity_required: line.quantity_required,
          notes: line.notes,
        })),
      variants: partSkus
        .filter((sku) => sku.kit_part_id === part.id)
        .flatMap((child) =>
          (usersOf.get(child.id) ?? []).flatMap(({ sku_id }) => {
            const kit = kitSkus.get(sku_id)
            if (!kit) return []
            return [
              {
                kit_sku_id: kit.id,
                kit_color: kit.color,
                child_sku_id: child.id,
                child_sku: child.sku,
                child_color: child.color,
                child_on_hand: child.ready_stock,
              },
            ]
          }),
        ),
    })),
    bundle_extras: extras.filter(({ sku_id }) => sku_id === null).map(presentExtra),
    bundle_extras_by_variant: Object.fromEntries(
      [...Map.groupBy(extras, ({ sku_id }) => sku_id)].flatMap(([skuId, lines]) =>
        skuId === null ? [] : [[skuId, lines.map(presentExtra)]],
      ),
    ),
  }
}

function presentExtra(extra: ExtraRow): Static<typeof ExtraAnswer> {
  return {
    id: extra.id,
    sku_id: extra.sku_id,
    inventory_item_id: extra.material_id,
    quantity_required: extra.quantity_required,
    created_at: extra.created_at.toISOString(),
    kind: extra.kind,
    item_name: extra.item_name,
    remaining: extra.remaining,
  }
}

export function presentProductComponent(line: ComponentOfProduct): Static<typeof ProductComponent> {
  return {
    id: line.material_id,
    component_name: line.component_name,
    component_type: line.component_type,
    quantity_required: line.quantity_required,
    notes: '',
  }
}
