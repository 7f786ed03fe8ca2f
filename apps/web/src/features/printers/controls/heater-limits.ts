import type { PrinterModel } from '../../../lib/api/api-schema.generated.ts'
import { findModel } from '../../../lib/find-model.ts'

/** The highest targets in °C; null: there is no such heater. */
interface HeaterLimits {
  nozzle: number
  bed: number
  chamber: number | null
}

/** What the service allows for models that are not in its catalogue. */
const unknownModel: HeaterLimits = { nozzle: 300, bed: 120, chamber: 65 }

/** How hot the heaters of a printer may be made. The service has the last word. */
export function limitsOf(models: readonly PrinterModel[], text: string): HeaterLimits {
  const model = findModel(models, text)
  if (!model) return unknownModel
  return { nozzle: model.max_nozzle_temp, bed: model.max_bed_temp, chamber: model.max_chamber_temp }
}
