import type { Sql } from '../../db/database.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { lockPrinter } from '../printers/printers.queries.ts'
import { writeLoadedFilament } from '../printers/state/printer-state.queries.ts'
import { moveReservations } from './filament-reservations.queries.ts'
import { filamentLevel } from './material-status.ts'
import { lockLoadedSpools, type MaterialRow, updateMaterial } from './materials.queries.ts'

/**
 * Puts a spool on a slot of a printer, or takes it off. What was in the slot before comes off. The printer's filament is
 * that of the spool that was loaded last. `spool` must be locked, after the printers that are
 * concerned. Their hubs are told after the commit, by the caller.
 */
export async function placeSpool(
  work: Work,
  spool: MaterialRow,
  place: { printerId: PrinterId; slot: number } | null,
): Promise<void> {
  const { sql, accountId, now } = work
  if (spool.printer_id === (place?.printerId ?? null) && (place === null || spool.slot === place.slot)) return
  const changed = new Set<PrinterId>()
  if (spool.printer_id) {
    changed.add(spool.printer_id)
    await takeOff(work, spool)
  }
  if (place) {
    changed.add(place.printerId)
    const inSlot = (await lockLoadedSpools(sql, accountId, place.printerId)).find(({ slot }) => slot === place.slot)
    if (inSlot) await takeOff(work, inSlot)
    await updateMaterial(work, spool.id, { printer_id: place.printerId, slot: place.slot, loaded_at: now })
    await moveReservations(work, spool.id, place)
    await recordLoading(work, 'loaded', spool, place.printerId, place.slot)
  }
  for (const printerId of changed) await showLoadedFilament(work, printerId)
}

async function takeOff(work: Work, spool: MaterialRow): Promise<void> {
  await updateMaterial(work, spool.id, { printer_id: null, slot: null, loaded_at: null })
  if (spool.printer_id !== null) await recordLoading(work, 'unloaded', spool, spool.printer_id, spool.slot)
}

async function recordLoading(
  work: Work,
  what: 'loaded' | 'unloaded',
  spool: MaterialRow,
  printerId: PrinterId,
  slot: number | null,
): Promise<void> {
  await work.record({
    type: `filament.${what}`,
    subjectId: spool.id,
    data: { printer_id: printerId, slot, type: spool.type, color: spool.color },
  })
}

/** Keeps printers from changing until the transaction ends. An ID that names none is PRINTER_NOT_FOUND. */
export async function lockPrintersOfSpool(sql: Sql, accountId: AccountId, printerIds: PrinterId[]): Promise<void> {
  // In one fixed order, so that two people who swap spools between two printers wait for each other.
  for (const printerId of [...new Set(printerIds)].sort()) {
    if (!(await lockPrinter(sql, accountId, printerId))) throw new AppError('PRINTER_NOT_FOUND')
  }
}

/** Brings what a printer says of its filament in line with the spool that was loaded on it last. */
export async function showLoadedFilament(work: Work, printerId: PrinterId): Promise<void> {
  const [spool] = await lockLoadedSpools(work.sql, work.accountId, printerId)
  await writeLoadedFilament(work, printerId, {
    current_filament_type: spool?.type ?? '',
    current_color: spool?.color ?? '',
    current_color_hex: spool?.hex_code ?? '',
    filament_level: spool ? filamentLevel(spool) : null,
  })
}
