import type { PlannedPlate } from './calculation/plate-cost.ts'
import type { Machine } from './calculation/rates.ts'
import type { FileFacts } from './sku-facts.queries.ts'

/** What is wanted of a plate where its file leaves it open. */
interface Wanted {
  filamentType: string
  color: string
  /** Grams that a person entered for a plate; null for none. */
  grams: number | null
  machine?: Machine
}

const toMilligrams = (grams: number | null) => (grams === null ? null : Math.round(grams * 1_000))

/**
 * The plate of a file. In one filament it is printed in that which is wanted; in several, in those of the file, whose colours say
 * nothing of a spool.
 */
export function plannedPlate(facts: FileFacts, wanted: Wanted): PlannedPlate {
  const { file_id: id, file_name: name, printer_model: model, filaments } = facts
  const whole = facts.filament_weight_grams ?? wanted.grams ?? filaments[0]?.grams ?? null
  const ofFile = facts.filament_type ?? filaments[0]?.type ?? ''
  return {
    file: { id, name },
    machine: wanted.machine ?? { printer: null, model },
    seconds: facts.print_time_seconds,
    filaments:
      filaments.length > 1
        ? filaments.map(({ type, grams }) => ({ type: type ?? '', color: '', milligrams: toMilligrams(grams) }))
        : [
            {
              type: wanted.filamentType.trim() === '' ? ofFile : wanted.filamentType,
              color: wanted.color,
              milligrams: toMilligrams(whole),
            },
          ],
  }
}
