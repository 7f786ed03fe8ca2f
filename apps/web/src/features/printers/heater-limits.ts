import type { PrinterModel } from '../../lib/api/api-schema.generated.ts'

/** The highest targets in °C; null: there is no such heater. */
export interface HeaterLimits {
  nozzle: number
  bed: number
  chamber: number | null
}

/** What the service allows for models that are not in its catalogue. */
const unknownModel: HeaterLimits = { nozzle: 300, bed: 120, chamber: 65 }

const spelling = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, '')

/** The model of the catalogue that a printer's own words name, with or without its maker. */
export function findModel(models: readonly PrinterModel[], text: string): PrinterModel | undefined {
  const wanted = spelling(text)
  return models.find(
    ({ name, manufacturer, other_names }) =>
      [name, ...other_names].some(
        (each) => spelling(each) === wanted || spelling(`${manufacturer} ${each}`) === wanted,
      ) || spelling(name).replace(spelling(manufacturer.split(' ')[0] ?? ''), '') === wanted,
  )
}

/** How hot the heaters of a printer may be made. The service has the last word. */
export function limitsOf(models: readonly PrinterModel[], text: string): HeaterLimits {
  const model = findModel(models, text)
  if (!model) return unknownModel
  return { nozzle: model.max_nozzle_temp, bed: model.max_bed_temp, chamber: model.max_chamber_temp }
}
