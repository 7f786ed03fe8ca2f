import type { Context } from '../../context/context.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import type { AttemptEffect } from '../attempts/attempt-state.ts'
import type { AttemptRow } from '../attempts/attempts.queries.ts'
import type { Work } from '../events/work.ts'
import { loadCatalogue } from '../matching/load-farm.ts'
import { listReservations } from './filament-reservations.queries.ts'
import { showLoadedFilament } from './load-spool.ts'
import { moveMaterial } from './material-ledger.ts'
import {
  listPlateWishes,
  lockLoadedSpools,
  lockMaterials,
  type MaterialRow,
  type PlateWish,
} from './materials.queries.ts'
import { portionsOf, spread, usedMilligrams } from './printed-usage.ts'
import { findSpoolOf } from './reserve-filament.ts'

interface PrintEnd {
  effect: AttemptEffect
  endedAt: Date
  /** The same where the service learned of it later, else null. */
  happenedAt: Date | null
}

const ends: readonly AttemptEffect[] = ['plate_done', 'print_failed', 'print_cancelled']

/**
 * Takes what a print used from the spools on which it was reserved, in the transaction in which the print ends, which ends the
 * reservation. Of a slot without a known spool it is taken from the one that is loaded there now. No more is taken than is known to be
 * there; the rest is kept as a shortage. Without a spool nothing is booked.
 */
export async function bookPrintedFilament(
  context: Pick<Context, 'hubs' | 'printers'>,
  work: Work,
  attempt: AttemptRow,
  { effect, endedAt, happenedAt }: PrintEnd,
): Promise<void> {
  const { sql, accountId } = work
  if (!ends.includes(effect)) return
  const [wish] = await listPlateWishes(sql, accountId, [attempt.id])
  if (!wish) return
  const live = findOwnLive(context, accountId, { id: attempt.printer_id, hub_id: attempt.hub_id }).live?.state
  const used = usedMilligrams({
    isDone: effect === 'plate_done',
    plateGrams: wish.plate_grams,
    plateSeconds: wish.plate_seconds,
    // The progress of another run says nothing about this one.
    progress: live?.run?.attempt_id === attempt.id ? live.progress : null,
    printedSeconds: attempt.confirmed_at ? (endedAt.getTime() - attempt.confirmed_at.getTime()) / 1_000 : null,
  })
  if (used === 0) return
  // A printer with one slot has one spool, whatever number people gave its place.
  const isOnlySlot = (live?.slots?.length ?? 0) <= 1
  const amounts = await listTaken(work, attempt, wish, used, isOnlySlot)
  for (const { spool, milligrams } of amounts) {
    const taken = Math.min(milligrams, spool.remaining)
    await moveMaterial(work, spool, {
      reason: 'printed',
      change: -taken,
      shortage: milligrams - taken,
      jobId: attempt.job_id,
      attemptId: attempt.id,
      happenedAt,
    })
  }
  // Of a printer without a spool, what a person entered stays as it is.
  if (amounts.some(({ spool }) => spool.printer_id === attempt.printer_id)) {
    await showLoadedFilament(work, attempt.printer_id)
  }
}

/** Answers what was taken of each spool, each once; locked until the transaction ends. */
async function listTaken(
  { sql, accountId }: Work,
  attempt: AttemptRow,
  wish: PlateWish,
  used: number,
  isOnlySlot: boolean,
): Promise<{ spool: MaterialRow; milligrams: number }[]> {
  const reserved = await listReservations(sql, accountId, attempt.id)
  const loaded = await lockLoadedSpools(sql, accountId, attempt.printer_id)
  const elsewhere = reserved.flatMap(({ material_id: id }) =>
    id === null || loaded.some((spool) => spool.id === id) ? [] : [id],
  )
  const spools = [...loaded, ...(await lockMaterials(sql, accountId, 'filament', elsewhere))]
  const amounts = spread(
    used,
    reserved.map(({ milligrams }) => milligrams),
  )
  // An attempt from before there were reservations, or of a job that was given its weight meanwhile, has none.
  const portions =
    reserved.length > 0
      ? reserved.map(({ slot, material_id }, at) => ({ slot, material_id, milligrams: amounts[at] ?? 0 }))
      : portionsOf(used, isOnlySlot ? null : attempt.filament_map, wish.filaments).map((portion) => ({
          ...portion,
          material_id: null,
        }))
  const catalogue = await loadCatalogue(sql, accountId)
  const taken = new Map<MaterialRow, number>()
  for (const { slot, material_id, milligrams } of portions) {
    const spool =
      material_id === null ? findSpoolOf(slot, loaded, wish, catalogue) : spools.find((each) => each.id === material_id)
    if (spool && milligrams > 0) taken.set(spool, (taken.get(spool) ?? 0) + milligrams)
  }
  return [...taken].map(([spool, milligrams]) => ({ spool, milligrams }))
}
