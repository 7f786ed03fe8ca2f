import Type, { type Static } from 'typebox'
import { request, resource } from '../../../http/schema.ts'
import type { MaterialSettingsRow } from './material-settings.queries.ts'

const milligramsPerGram = 1_000

const fields = {
  checks_filament: Type.Boolean({
    description:
      'Whether a plate starts only where enough filament is free on the loaded spool; where that is not known it starts anyway',
  }),
  filament_margin_grams: Type.Number({
    minimum: 0,
    maximum: 10_000,
    description: 'Margin kept back on each spool, which never counts as free, in grams to a thousandth',
    examples: [5],
  }),
}

export const MaterialSettings = resource(
  'MaterialSettings',
  'Requirements for materials before something is made',
  fields,
)

export const MaterialSettingsBody = request(
  {
    checks_filament: Type.Optional(fields.checks_filament),
    filament_margin_grams: Type.Optional(fields.filament_margin_grams),
  },
  { minProperties: 1 },
)
export type MaterialSettingsChange = Static<typeof MaterialSettingsBody>

/** The columns that a change sets. */
export function settingsColumns({
  checks_filament,
  filament_margin_grams: margin,
}: MaterialSettingsChange): Partial<MaterialSettingsRow> {
  return {
    ...(checks_filament !== undefined && { checks_filament }),
    ...(margin !== undefined && { filament_margin: Math.round(margin * milligramsPerGram) }),
  }
}

export function presentMaterialSettings(row: MaterialSettingsRow): Static<typeof MaterialSettings> {
  return { checks_filament: row.checks_filament, filament_margin_grams: row.filament_margin / milligramsPerGram }
}
