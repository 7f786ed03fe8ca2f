import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import type { AttemptEffect } from '../attempts/attempt-state.ts'
import type { AttemptRow } from '../attempts/attempts.queries.ts'
import type { Work } from '../events/work.ts'
import { colorFit, typeFit } from '../matching/filament-match.ts'
import { loadCatalogue } from '../matching/load-farm.ts'
import { spoolPlace } from '../matching/places.ts'
import { showLoadedFilament } from './load-spool.ts'
import { moveMaterial } from './material-ledger.ts'
import { findPlateWish, lockLoadedSpools, type MaterialRow, type PlateWish } from './materials.queries.ts'
import { portionsOf, usedMilligrams } from './printed-usage.ts'

const ends: readonly AttemptEffect[] = ['plate_done', 'print_failed', 'print_cancelled']

/**
 * Takes what a print used from the spools that are loaded, in the transaction in which the print ends: from the slots that the
 * printer was told. Where it was told none, the one spool that the job asked for, else the one that was loaded last. No more is taken than is known to be there; the
 * rest is kept as a shortage. Without a spool nothing is booked.
 */
export async function bookPrintedFilament(
  context: Pick<Context, 'hubs' | 'printers'>,
  work: Work,
  attempt: AttemptRow,
  effect: AttemptEffect,
  endedAt: Date,
): Promise<void> {
  const { sql, accountId } = work
  if (!ends.includes(effect)) return
  const wish = await findPlateWish(sql, accountId, attempt.id)
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
  const spools = await lockLoadedSpools(sql, accountId, attempt.printer_id)
  if (spools.length === 0) return
  // A printer with one slot has one spool, whatever number people gave its place.
  const isOnlySlot = (live?.slots?.length ?? 0) <= 1
  for (const { slot, milligrams } of portionsOf(used, attempt.filament_map, wish.filaments)) {
    const spool =
      slot === null || isOnlySlot
        ? await findAsked(sql, accountId, spools, wish)
        : spools.find((each) => each.slot === slot)
    if (!spool) continue
    const taken = Math.min(milligrams, spool.remaining)
    await moveMaterial(work, spool, {
      reason: 'printed',
      change: -taken,
      shortage: milligrams - taken,
      jobId: attempt.job_id,
      attemptId: attempt.id,
    })
  }
  await showLoadedFilament(work, attempt.printer_id)
}

/** The spool that is what a job names, else the one that was loaded last. */
async function findAsked(
  sql: Sql,
  accountId: AccountId,
  spools: readonly MaterialRow[],
  { filament_type, color }: PlateWish,
): Promise<MaterialRow | undefined> {
  const [latest] = spools
  if (spools.length < 2) return latest
  const catalogue = await loadCatalogue(sql, accountId)
  const need = { indexes: [0], type: filament_type, color, preset_id: '', tool: null, grams: null }
  const asked = spools.find((spool) => {
    const place = spoolPlace({ ...spool, slot: spool.slot ?? 0 }, false)
    return typeFit(place, need) === 'yes' && colorFit(place, need, catalogue) === 'yes'
  })
  return asked ?? latest
}
