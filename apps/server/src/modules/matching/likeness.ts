import type { Catalogue, Equipment, PlateNeed } from './farm-facts.ts'

/** Stands between the parts of a key: no text that the service takes has it. */
const end = '\0'

/** All that the rules about pairs look at of a printer, as one text: printers of one kind are told apart by nothing but their ID. */
export function kindOf({ model, nozzle_size, build_plate, places, feeding, volume_mm }: Equipment): string {
  let key = `${model}${end}${nozzle_size}${end}${build_plate}${end}${feeding}${end}${volume_mm}`
  for (const { slot, type, color, color_hex, preset_id, tool, grams, is_empty, is_active } of places) {
    key += `${end}${slot}${end}${type}${end}${color}${end}${color_hex}${end}${preset_id}${end}${tool}${end}${grams}${end}${is_empty}${is_active}`
  }
  return key
}

/** All that the rules about pairs look at of a plate, but for the printer that it is meant for. */
export function needOf(plate: PlateNeed): string {
  const { file_model, nozzle_diameter, bed_type, any_color, width_mm, depth_mm, height_mm } = plate
  let key = `${file_model}${end}${nozzle_diameter}${end}${bed_type}${end}${any_color}${width_mm}${end}${depth_mm}${end}${height_mm}`
  for (const { indexes, type, color, preset_id, tool, grams } of plate.filaments) {
    key += `${end}${indexes}${end}${type}${end}${color}${end}${preset_id}${end}${tool}${end}${grams}`
  }
  return key
}

/**
 * A question about a pair, answered once for each kind of printer and plate: a farm has a handful of each, and thousands of
 * pairs. Kinds are remembered by the object: one that changes must be another object.
 */
export function rememberKinds<Answer>(
  ask: (equipment: Equipment, plate: PlateNeed, catalogue: Catalogue) => Answer,
  catalogue: Catalogue,
): (equipment: Equipment, plate: PlateNeed) => Answer {
  const kinds = new WeakMap<Equipment, Map<string, Answer>>()
  const needs = new WeakMap<PlateNeed, string>()
  const byKind = new Map<string, Map<string, Answer>>()
  return (equipment, plate) => {
    let answers = kinds.get(equipment)
    if (!answers) {
      const kind = kindOf(equipment)
      answers = byKind.get(kind) ?? new Map<string, Answer>()
      byKind.set(kind, answers)
      kinds.set(equipment, answers)
    }
    const need = needs.get(plate) ?? needOf(plate)
    needs.set(plate, need)
    const known = answers.get(need)
    if (known !== undefined) return known
    const answer = ask(equipment, plate, catalogue)
    answers.set(need, answer)
    return answer
  }
}
