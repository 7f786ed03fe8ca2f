import type { AttemptId, PrinterId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { Catalogue } from '../matching/farm-facts.ts'
import { colorFit, typeFit } from '../matching/filament-match.ts'
import { spoolPlace } from '../matching/places.ts'
import type { SlotOfFilament } from '../matching/slot-map.ts'
import { insertReservations } from './filament-reservations.queries.ts'
import { listLoadedSpools, listPlateWishes, type MaterialRow, type PlateWish } from './materials.queries.ts'
import { portionsOf } from './printed-usage.ts'

/** A plate that is about to be printed. */
interface PlateToPrint {
  attemptId: AttemptId
  printerId: PrinterId
  /** Which slot each filament comes from; null where the printer has one place, or chooses by itself. */
  slots: readonly SlotOfFilament[] | null
}

/**
 * Reserves what each plate takes on the spools that it will be printed from, in the transaction that reserves their printers. It counts
 * until their attempts are over, which then take what they used from the same spools. Of a file that does not say what it takes nothing
 * is reserved.
 */
export async function reserveFilament(
  work: Work,
  plates: readonly PlateToPrint[],
  catalogue: Catalogue,
): Promise<void> {
  if (plates.length === 0) return
  const { sql, accountId } = work
  const attemptIds = plates.map(({ attemptId }) => attemptId)
  const wishes = new Map((await listPlateWishes(sql, accountId, attemptIds)).map((wish) => [wish.attempt_id, wish]))
  const printerIds = plates.map(({ printerId }) => printerId)
  const loaded = Map.groupBy(await listLoadedSpools(sql, accountId, printerIds), ({ printer_id }) => printer_id)
  const reservations = plates.flatMap(({ attemptId, printerId, slots }) => {
    const wish = wishes.get(attemptId)
    if (!wish?.plate_grams) return []
    const spools = loaded.get(printerId) ?? []
    return portionsOf(Math.round(wish.plate_grams * 1_000), slots, wish.filaments).map(({ slot, milligrams }) => ({
      attempt_id: attemptId,
      slot,
      material_id: findSpoolOf(slot, spools, wish, catalogue)?.id ?? null,
      milligrams,
    }))
  })
  await insertReservations(work, reservations)
}

/** The spool in a slot; where the printer has one place, the one that the job names, else the one that was loaded last. */
export function findSpoolOf(
  slot: number | null,
  spools: readonly MaterialRow[],
  { filament_type, color }: Pick<PlateWish, 'filament_type' | 'color'>,
  catalogue: Catalogue,
): MaterialRow | undefined {
  if (slot !== null) return spools.find((spool) => spool.slot === slot)
  const [latest] = spools
  if (spools.length < 2) return latest
  const need = { indexes: [0], type: filament_type, color, preset_id: '', tool: null, grams: null }
  const asked = spools.find((spool) => {
    const place = spoolPlace({ ...spool, slot: spool.slot ?? 0, reserved: 0 }, false)
    return typeFit(place, need) === 'yes' && colorFit(place, need, catalogue) === 'yes'
  })
  return asked ?? latest
}
