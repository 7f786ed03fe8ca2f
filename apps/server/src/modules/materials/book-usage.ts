import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import type { AttemptEffect } from '../attempts/attempt-state.ts'
import type { AttemptRow } from '../attempts/attempts.queries.ts'
import { hasFilament } from '../timeline/waiting-cause.ts'
import { showLoadedFilament } from './load-spool.ts'
import { moveMaterial } from './material-ledger.ts'
import { findPlateWish, lockLoadedSpools } from './materials.queries.ts'
import { usedMilligrams } from './printed-usage.ts'

const ends: readonly AttemptEffect[] = ['plate_done', 'print_failed', 'print_cancelled']

/**
 * Takes what a print used from the spool that is loaded, in the transaction in which the print ends. With several spools
 * it is the one that the job asked for, else the one that was loaded last. No more is taken than is known to be there; the
 * rest is kept as a shortage. Without a spool nothing is booked.
 */
export async function bookPrintedFilament(
  context: Pick<Context, 'hubs' | 'printers'>,
  sql: Sql,
  accountId: string,
  attempt: AttemptRow,
  effect: AttemptEffect,
  end: { actor: string; at: Date; endedAt: Date },
): Promise<void> {
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
    printedSeconds: attempt.confirmed_at ? (end.endedAt.getTime() - attempt.confirmed_at.getTime()) / 1_000 : null,
  })
  if (used === 0) return
  const spools = await lockLoadedSpools(sql, accountId, attempt.printer_id)
  const asked = spools.find((spool) =>
    hasFilament(
      {
        current_filament_type: spool.type,
        current_color: spool.color,
        current_color_hex: spool.hex_code,
      },
      wish,
    ),
  )
  const spool = asked ?? spools[0]
  if (!spool) return
  const taken = Math.min(used, spool.remaining)
  await moveMaterial(
    sql,
    accountId,
    spool,
    {
      reason: 'printed',
      change: -taken,
      shortage: used - taken,
      jobId: attempt.job_id,
      attemptId: attempt.id,
      actor: end.actor,
    },
    end.at,
  )
  await showLoadedFilament(sql, accountId, attempt.printer_id, end.at)
}
