import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { formatBytes, formatCount, formatGrams, formatMinutes } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { numberWriter } from '../../lib/i18n/writers.ts'

/** What the slicer wrote into a file, with names and units; null where it wrote nothing. */
export function slicerFacts(file: PrintFile): [label: string, value: string | null][] {
  const or = <T>(value: T | null, write: (value: T) => string) => (value === null ? null : write(value))
  return [
    [t('Print time'), or(file.print_time_seconds, (seconds) => formatMinutes(seconds / 60))],
    [t('Filament'), file.filament_type],
    [t('Filament needed'), or(file.filament_weight_grams, formatGrams)],
    [
      t('Filament length'),
      or(file.filament_length_meters, (value) => `${numberWriter({ maximumFractionDigits: 1 }).format(value)} m`),
    ],
    [t('Printer model'), file.printer_model_id],
    [t('Nozzle'), or(file.nozzle_diameter, (value) => t('{value} mm', { value }))],
    [t('Layers'), or(file.layer_count, formatCount)],
    [t('Build plate'), file.curr_bed_type],
    [t('Profile'), file.default_print_profile],
    [t('Objects'), or(file.object_count, formatCount)],
    [t('Units per plate'), formatCount(file.number_of_units)],
    [t('Size'), formatBytes(file.file_size_bytes)],
  ]
}

/** The few that matter when a file is chosen, in one line. */
export function shortFacts(file: PrintFile): string {
  const facts = new Map(slicerFacts(file))
  const units =
    file.number_of_units > 1
      ? t('{number_of_units, plural, one {# unit} other {# units}}', { number_of_units: file.number_of_units })
      : null
  return [t('Print time'), t('Filament needed'), t('Filament'), t('Printer model'), t('Nozzle')]
    .map((label) => facts.get(label))
    .concat(units)
    .filter((fact) => fact !== null && fact !== undefined)
    .join(' · ')
}
