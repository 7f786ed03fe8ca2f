import { expect, test } from 'vitest'
import type { Product } from '../../../lib/api/api-schema.generated.ts'
import { kitBodyOf, kitValuesOf } from './kit-values.ts'

const line = (id: string, quantity: number) => ({
  ...{ id: `line_${id}`, inventory_item_id: id, quantity_required: quantity },
  ...{ created_at: '2026-01-01T00:00:00.000Z', item_name: id, remaining: 5, sku_id: null },
  kind: 'packaging' as const,
})
const sku = (id: string, color: string) => ({
  ...{ id, sku: `LAMP-${color}`, color, hex_code: '', filament_type: 'PLA', product_id: 'prd_1' },
  ...{ quantity: 1, stock_level: 0, finished_goods_stock: 0, low_stock_threshold: 0 },
  ...{ is_active: true, is_composite: true, created_at: '', updated_at: '' },
})
const lamp: Product = {
  ...{ id: 'prd_1', name: 'Lamp', category: 'Lamps', description: 'A lamp', image_url: null, images: [] },
  ...{ is_active: true, requires_assembly: true, requires_post_processing: true, created_at: '', updated_at: '' },
  wiki_id: null,
  components: [],
  skus: [sku('sku_red', 'Red'), sku('sku_blue', 'Blue')],
  kit: {
    bundle_extras: [line('mat_box', 1)],
    bundle_extras_by_variant: { sku_blue: [line('mat_card', 2)] },
    parts: [
      {
        ...{ part_id: 'part_1', name: 'Base', quantity_per_kit: 2, fixed_color: 'White', fixed_hex_code: '#FFFFFF' },
        ...{ print_file_id: 'fil_1', file_name: 'base.gcode', requires_assembly: true, variants: [] },
        components: [
          {
            ...{ id: 'line_1', inventory_item_id: 'mat_screw', component_name: 'Screw', component_type: 'screw' },
            ...{ quantity_required: 4, notes: 'short ones', kind: 'components' },
          },
        ],
      },
    ],
  },
}

test('a kit that is saved as it was loaded says the same again: nothing of it is lost', () => {
  expect(kitBodyOf(kitValuesOf(lamp))).toEqual({
    ...{ name: 'Lamp', category: 'Lamps', description: 'A lamp', requires_post_processing: true },
    variants: [
      {
        ...{ sku_id: 'sku_red', sku: 'LAMP-Red', color: 'Red', hex_code: '', filament_type: 'PLA' },
        bundle_extras: [],
      },
      {
        ...{ sku_id: 'sku_blue', sku: 'LAMP-Blue', color: 'Blue', hex_code: '', filament_type: 'PLA' },
        bundle_extras: [{ inventory_item_id: 'mat_card', quantity_required: 2 }],
      },
    ],
    parts: [
      {
        ...{ part_id: 'part_1', name: 'Base', quantity_per_kit: 2, fixed_color: 'White', fixed_hex_code: '#FFFFFF' },
        ...{ print_file_id: 'fil_1', requires_assembly: true },
        components: [{ inventory_item_id: 'mat_screw', quantity_required: 4, notes: 'short ones' }],
      },
    ],
    bundle_extras: [{ inventory_item_id: 'mat_box', quantity_required: 1 }],
  })
})

test('a new kit begins with one variant and one part, and lines in which nothing is chosen are not sent', () => {
  const values = kitValuesOf(undefined)
  expect([values.variants.length, values.parts.length]).toEqual([1, 1])
  const body = kitBodyOf({ ...values, bundle_extras: [{ inventory_item_id: null, quantity_required: 1 }] })
  expect(body.bundle_extras).toEqual([])
  expect(body.variants[0]).not.toHaveProperty('sku')
})
