import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import type { LivePrinter } from '../../../live/printers.ts'
import { type Work, workIn } from '../../events/work.ts'
import { beginReported } from '../../hubs/state/begin-reported.ts'
import { findKnownPlate, lockPlateRow, recordRunMark, writePlateDoubt } from '../../printers/plate/plate.queries.ts'
import { judgePlate, type KnownPlate, type PlateDoubt, reportedMark } from '../../printers/plate/plate-judgement.ts'
import { askAboutDoubt } from './plate.ts'

/**
 * Compares what a printer shows with what is known of its plate: a clear plate on which something was, or may have been,
 * printed becomes unknown, and a person is asked to look as soon as nothing runs there. A repetition changes nothing, so
 * what a crash kept from being recorded is found by the next report.
 */
export async function followPlate(context: Context, printerId: PrinterId, reported: LivePrinter): Promise<void> {
  const { accountId, hubId } = reported
  await beginReported(context, { accountId, hubId }, async (sql) => {
    if (!(await lockPlateRow(sql, accountId, printerId))) return
    // Reports overtake one another on their way to the lock: the newest one counts.
    const { state } = context.printers.find(printerId) ?? reported
    if (state.status === 'offline') return
    const found = await findKnownPlate(sql, accountId, printerId)
    if (!found) return
    const known = await compareMark(sql, accountId, printerId, state, found)
    const doubt = judgePlate(known, state)
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() })
    const isDoubted = doubt !== undefined && (await doubtBySight(work, printerId, doubt))
    if (!state.run && (isDoubted || found.is_to_ask)) await askToLook(work, printerId, state)
  })
}

/** Keeps what the printer says of its last run; answers the plate as it is known after that. */
async function compareMark(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  state: PrinterState,
  known: KnownPlate,
): Promise<KnownPlate> {
  const mark = reportedMark(state, known.run_mark)
  const isResting = state.status === 'idle' && !state.run
  const isFirst = isResting && known.plate_state === 'clear' && known.plate_run_mark === null
  if (mark === null || (mark === known.run_mark && !isFirst)) return known
  await recordRunMark(sql, accountId, printerId, { mark, isResting })
  return { ...known, run_mark: mark, plate_run_mark: isFirst ? mark : known.plate_run_mark }
}

const eventTypes = {
  foreign_print: 'printer.foreign_print',
  unseen_time: 'printer.unseen_time',
  plate_changed: 'printer.plate_unknown',
} as const satisfies Record<PlateDoubt['reason'], string>

async function doubtBySight(work: Work, printerId: PrinterId, doubt: PlateDoubt): Promise<boolean> {
  if (!(await writePlateDoubt(work, printerId, doubt))) return false
  const { run, isRunning, sentence: reason } = doubt
  await work.record({
    type: eventTypes[doubt.reason],
    subjectId: printerId,
    data: run ? { file_name: run.file_name, run_id: run.job_id, is_running: isRunning, reason } : { reason },
  })
  return true
}

/** What lies on a plate that is in doubt, also since a time in which no one watched, is for a person to see. */
async function askToLook(work: Work, printerId: PrinterId, { last_result: last }: PrinterState): Promise<void> {
  await askAboutDoubt(work, printerId, last?.run.attempt_id === null ? last.run.file_name : '')
}
