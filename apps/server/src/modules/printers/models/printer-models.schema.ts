import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import { answer, nullable, oneOf, pageQuery, request, resource, text } from '../../../http/schema.ts'
import { connectionTypes } from '../connection/connection-settings.ts'
import { makers } from './known-models.ts'
import { type catalogue, limitsOfKnown } from './printer-models.ts'

export const PrinterModelsQuery = request({
  search: Type.Optional(text(1, 120, 'Part of a name, a maker or a code, in any case')),
  ...pageQuery,
})
export type PrinterModelsFilter = PageFilter<Static<typeof PrinterModelsQuery>>

const mm = (what: string) => Type.Number({ description: `${what} in mm` })

export const PrinterModel = resource('PrinterModel', 'A known model of printers', {
  name: Type.String({ description: 'Values for the model of a printer', examples: ['Prusa MK4S'] }),
  manufacturer: Type.String({ description: 'Manufacturer' }),
  other_names: Type.Array(Type.String({ description: 'A spelling or code', examples: ['C12'] }), {
    description: 'Other names in slicers and announcements: files for these fit it as well',
  }),
  build_volume: nullable(
    answer(
      { width: mm('Width'), depth: mm('Depth'), height: mm('Height') },
      { description: 'Build volume; null when not known' },
    ),
  ),
  default_nozzle_size: Type.Number({ description: 'Diameter in mm of the nozzle that it comes with', examples: [0.4] }),
  max_nozzle_temp: Type.Number({ description: 'Highest nozzle temperature, in °C' }),
  max_bed_temp: Type.Number({ description: 'Highest bed temperature, in °C' }),
  max_chamber_temp: nullable(
    Type.Number({ description: 'Highest chamber temperature, in °C; null when it has no chamber heater' }),
  ),
  is_enclosed: Type.Boolean({ description: 'Whether it has a closed chamber' }),
  tool_count: Type.Integer({ description: 'Tools or nozzles that print side by side' }),
  filament_changer: nullable(
    Type.String({ description: 'Unit that changes its filaments by itself; null for none', examples: ['AMS'] }),
  ),
  can_eject: Type.Boolean({ description: 'Whether prints can push themselves off its plate without own G-code' }),
  connection_types: Type.Array(oneOf(connectionTypes, { description: 'A connection type' }), {
    description: 'Connection types by which a hub can reach it, the best first',
  }),
})

export function presentPrinterModel({ fullName, model }: (typeof catalogue)[number]): Static<typeof PrinterModel> {
  const limits = limitsOfKnown(model)
  const [width, depth, height] = model.volume ?? []
  return {
    name: fullName,
    manufacturer: makers[model.maker],
    other_names: [...(model.also ?? [])],
    build_volume: width === undefined || depth === undefined || height === undefined ? null : { width, depth, height },
    // All of them come with this one; others are bought.
    default_nozzle_size: 0.4,
    max_nozzle_temp: limits.nozzle,
    max_bed_temp: limits.bed,
    max_chamber_temp: model.heatsChamber ? limits.chamber : null,
    is_enclosed: model.isEnclosed ?? false,
    tool_count: model.tools ?? 1,
    filament_changer: model.changer ?? null,
    can_eject: model.canPush ?? false,
    connection_types: [...model.reach],
  }
}
