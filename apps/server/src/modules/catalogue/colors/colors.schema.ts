import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import { request, resource, text, timestamp, wholeQuery } from '../../../http/schema.ts'
import type { ColorRow } from './colors.queries.ts'

const colorName = text(1, 100, 'Name, unique in the account for its filament type')
const filamentType = text(0, 50, 'Filament type such as PLA that it is a colour of; empty for any')
const hexCode = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: 'The colour as # and six hexadecimal digits, in either case',
  examples: ['#1A2B3C'],
})
const isActive = Type.Boolean({ description: 'Whether it is offered; true unless said otherwise' })

export const NewColorBody = request({
  color_name: colorName,
  hex_code: hexCode,
  filament_type: Type.Optional(filamentType),
  is_active: Type.Optional(isActive),
})
export type NewColor = Static<typeof NewColorBody>

export const ColorChangesBody = request(
  {
    color_name: Type.Optional(colorName),
    hex_code: Type.Optional(hexCode),
    filament_type: Type.Optional(filamentType),
    is_active: Type.Optional(Type.Boolean({ description: 'Whether it is offered' })),
  },
  { minProperties: 1 },
)
export type ColorChanges = Static<typeof ColorChangesBody>

export const ColorsQuery = request({
  ...wholeQuery,
  filament_type: Type.Optional(text(1, 50, 'Only colours of exactly this filament type')),
  is_active: Type.Optional(Type.Boolean({ description: 'Only colours that are offered, or only those that are not' })),
})
export type ColorFilter = PageFilter<Static<typeof ColorsQuery>>

export const Color = resource('Color', 'A colour to choose from', {
  id: Type.String({ description: 'ID of the colour' }),
  color_name: Type.String({ description: 'Name, unique in the account for its filament type' }),
  hex_code: Type.String({ description: 'The colour as # and six hexadecimal digits in upper case' }),
  filament_type: Type.String({ description: 'Filament type that it is a colour of; empty for any' }),
  is_active: Type.Boolean({ description: 'Whether it is offered' }),
  created_at: timestamp('Time at which the colour was created'),
})

export const DeletedColor = resource('DeletedColor', 'The colour that is gone', {
  id: Type.String({ description: 'ID of the colour' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export function presentColor(color: ColorRow): Static<typeof Color> {
  return {
    id: color.id,
    color_name: color.color_name,
    hex_code: color.hex_code,
    filament_type: color.filament_type,
    is_active: color.is_active,
    created_at: color.created_at.toISOString(),
  }
}
