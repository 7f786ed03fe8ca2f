import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { formatAmount, formatBytes, formatCount, formatGrams, formatMinutes } from '../../lib/format.ts'

const metres = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** What the slicer wrote into a file, with names and units; null where it wrote nothing. */
export function slicerFacts(file: PrintFile): [label: string, value: string | null][] {
  const or = <T>(value: T | null, write: (value: T) => string) => (value === null ? null : write(value))
  return [
    ['Print time', or(file.print_time_seconds, (seconds) => formatMinutes(seconds / 60))],
    ['Filament', file.filament_type],
    ['Filament needed', or(file.filament_weight_grams, formatGrams)],
    ['Filament length', or(file.filament_length_meters, (value) => `${metres.format(value)} m`)],
    ['Printer model', file.printer_model_id],
    ['Nozzle', or(file.nozzle_diameter, (value) => `${value} mm`)],
    ['Layers', or(file.layer_count, formatCount)],
    ['Build plate', file.curr_bed_type],
    ['Profile', file.default_print_profile],
    ['Objects', or(file.object_count, formatCount)],
    ['Units per plate', formatCount(file.number_of_units)],
    ['Size', formatBytes(file.file_size_bytes)],
  ]
}

/** The few that matter when a file is chosen, in one line. */
export function shortFacts(file: PrintFile): string {
  const facts = new Map(slicerFacts(file))
  const units = file.number_of_units > 1 ? formatAmount(file.number_of_units, 'unit') : null
  return ['Print time', 'Filament needed', 'Filament', 'Printer model', 'Nozzle']
    .map((label) => facts.get(label))
    .concat(units)
    .filter((fact) => fact !== null && fact !== undefined)
    .join(' · ')
}
