import { isFileOfAttempt } from '@printyard/protocol/attempt-file-name'
import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { AttemptId } from '../../../kernel/ids.ts'

/** Known state of a plate, with the attempt that holds its printer. */
export type KnownPlate = Pick<PrinterRow, 'plate_state' | 'plate_run_mark' | 'run_mark'> & {
  live_attempt_id: AttemptId | null
}

/** Reason why a plate is not known any more. */
export interface PlateDoubt {
  /** `plate_changed`: a run of ours that was thought to be over, which is never foreign. */
  reason: 'foreign_print' | 'unseen_time' | 'plate_changed'
  /** For people, without a full stop. */
  sentence: string
  /** The run that was seen; null when none was. */
  run: RunIdentity | null
  isRunning: boolean
  /** It counts also where something of ours is known to lie. */
  isOnAnything: boolean
}

/**
 * Answers what stands for everything that was printed on a printer; null while it does not say so reliably. Of a hub of an older
 * version it is the run that it shows; one that shows none may have forgotten it.
 */
export function reportedMark(state: PrinterState, recorded: string | null): string | null {
  if (state.run_mark !== undefined) return state.run_mark
  if (state.status !== 'idle' && state.status !== 'printing' && state.status !== 'paused') return null
  const run = state.run ?? state.last_result?.run
  return run ? `${run.job_id ?? ''} ${run.file_name}` : (recorded ?? 'none')
}

/** Answers what a picture of its printer makes of a plate; undefined when it fits what is known. */
export function judgePlate(plate: KnownPlate, state: PrinterState): PlateDoubt | undefined {
  if (state.status === 'offline') return undefined
  const isClear = plate.plate_state === 'clear'
  const isOurs = (run: RunIdentity) => isRunOf(run, plate.live_attempt_id)
  if (state.run) {
    if (isOurs(state.run)) return undefined
    // A run of ours whose attempt is over is the one that left the plate occupied, unless no one knew that it ran.
    const isForeign = state.run.attempt_id === null
    if (!isForeign && !isClear) return undefined
    const what = isForeign ? 'was started at the printer' : 'runs although its attempt is over'
    return seen(state.run, `${state.run.file_name} ${what}`, { isRunning: true, isOnAnything: isForeign })
  }
  const mark = reportedMark(state, plate.run_mark)
  if (!isClear || mark === null || plate.plate_run_mark === null || mark === plate.plate_run_mark) return undefined
  const last = state.last_result?.run
  if (last && isOurs(last)) return undefined
  if (state.run_mark_reason) return unseen(`The printer was ${state.run_mark_reason}`)
  if (!last)
    return unseen('The printer does not show the run any more that was its last one when the plate was cleared')
  const what =
    last.attempt_id === null ? 'was printed at the printer while it was out of sight' : 'ran after its attempt was over'
  return seen(last, `${last.file_name} ${what}`, { isRunning: false, isOnAnything: false })
}

/** By its name as well: a hub that has only just come back may not recognise the run of an attempt yet. */
function isRunOf(run: RunIdentity, attemptId: AttemptId | null): boolean {
  if (attemptId === null) return false
  if (run.attempt_id !== null) return run.attempt_id === attemptId
  return isFileOfAttempt(run.file_name, attemptId)
}

function seen(run: RunIdentity, sentence: string, how: Pick<PlateDoubt, 'isRunning' | 'isOnAnything'>): PlateDoubt {
  return { reason: run.attempt_id === null ? 'foreign_print' : 'plate_changed', sentence, run, ...how }
}

function unseen(sentence: string): PlateDoubt {
  return { reason: 'unseen_time', sentence, run: null, isRunning: false, isOnAnything: false }
}
