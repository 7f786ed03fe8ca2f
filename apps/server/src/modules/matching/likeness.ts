import type { Catalogue, Equipment, PlateNeed } from './farm-facts.ts'

/** All that the rules about pairs look at of a printer, as one text: printers of one kind are told apart by nothing but their ID. */
export function kindOf({ model, nozzle_size, build_plate, places, feeding, volume_mm }: Equipment): string {
  return JSON.stringify([model, nozzle_size, build_plate, places, feeding, volume_mm])
}

/** All that the rules about pairs look at of a plate, but for the printer that it is meant for. */
export function needOf(plate: PlateNeed): string {
  return JSON.stringify([
    plate.file_model,
    plate.nozzle_diameter,
    plate.bed_type,
    plate.filaments,
    plate.any_color,
    plate.width_mm,
    plate.depth_mm,
    plate.height_mm,
  ])
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
