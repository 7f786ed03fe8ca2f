import type { FilamentNeed, PlateNeed } from './farm-facts.ts'
import { fold } from './filament-match.ts'
import type { FilamentOfFile, PlateForRules } from './matching.queries.ts'

/** Answers what the next plate of a job needs of a printer. */
export function plateNeedOf(row: PlateForRules): PlateNeed {
  return {
    assigned_printer_id: row.assigned_printer_id,
    file_model: row.printer_model,
    nozzle_diameter: row.nozzle_diameter,
    bed_type: row.bed_type,
    filaments: filamentsOf(row),
    any_color: row.any_color,
    width_mm: row.width_mm,
    depth_mm: row.depth_mm,
    height_mm: row.max_z_mm,
  }
}

/**
 * The filaments of the plate. Of a file with one, the job says type and colour, and the amount. Of a file with several, the
 * file does: the one text of a job cannot say which of them it means.
 */
function filamentsOf(row: PlateForRules): FilamentNeed[] {
  const kinds = [...Map.groupBy(row.filaments, likenessOf).values()]
  const indexes = row.filaments.map(({ index }) => index)
  if (kinds.length > 1) return kinds.map(needOfKind)
  const type = row.filament_type.trim()
  const [file] = row.filaments
  return [
    {
      indexes: indexes.length === 0 ? [0] : indexes,
      type,
      color: row.color.trim(),
      // The preset of a file that is printed in another material says nothing.
      preset_id: file?.preset_id && fold(file.type ?? '') === fold(type) ? file.preset_id : '',
      tool: file?.tool ?? null,
      grams: row.filament_needed_grams === null ? null : hundredths(row.filament_needed_grams / row.plates_total),
    },
  ]
}

/** The same filament on two tools needs a place for each. */
const likenessOf = ({ type, color, preset_id, tool = null }: FilamentOfFile) =>
  JSON.stringify([fold(type ?? ''), fold(color ?? ''), preset_id, tool])

function needOfKind(filaments: readonly FilamentOfFile[]): FilamentNeed {
  const [first] = filaments
  const grams = filaments.map((filament) => filament.grams)
  return {
    indexes: filaments.map(({ index }) => index),
    type: first?.type?.trim() ?? '',
    color: first?.color?.trim() ?? '',
    preset_id: first?.preset_id ?? '',
    tool: first?.tool ?? null,
    grams: grams.some((each) => each === null)
      ? null
      : hundredths(grams.reduce((sum, each) => (sum ?? 0) + (each ?? 0), 0) ?? 0),
  }
}

const hundredths = (value: number) => Math.round(value * 100) / 100
