import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { findOwnLive, isRunByHub } from '../../../live/own-printer.ts'
import { findLiveAttemptOfPrinter } from '../../attempts/attempts.queries.ts'
import type { Work } from '../../events/work.ts'
import {
  lockPlateRow,
  type Plate,
  renewPlateMark,
  writePlateClear,
  writePlateDoubt,
} from '../../printers/plate/plate.queries.ts'
import { reportedMark } from '../../printers/plate/plate-judgement.ts'
import { closeFarmTask, openFarmTask } from '../../worklist/farm-tasks.ts'
import { hasRejects, type RejectedUnits, rejectUnits } from './rejected-units.ts'

/** What lies on a plate, for the title of the task to take it off. */
type PlateContent =
  | { kind: 'done' | 'failed'; what: string; note?: string | undefined }
  | { kind: 'foreign'; fileName: string; note?: string | undefined }
  | { kind: 'to_look'; note: string }
  | { kind: 'to_check'; ejections: number }
  /** The service was restored from a backup: `note` says what is known to have run since. */
  | { kind: 'restored'; note: string }

/** A plate, locked until the transaction ends. Anyone who also locks a task of this plate locks the plate first. */
export async function lockPlate(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<Plate> {
  const plate = await lockPlateRow(sql, accountId, printerId)
  if (!plate) throw notFound('printer')
  return plate
}

/**
 * A person says that a locked plate is empty, and how many of the units that lay on it are bad. Only while its printer is
 * seen at rest, or is out of reach and holds no print of ours: what any other printer is about to do, no one can say. Of a
 * plate that is clear already nothing changes but what it is known by. The task to clear it is done.
 */
export async function clearPlate(
  context: Context,
  work: Work,
  plate: Plate,
  cleared: { how: 'person' | 'task'; rejected: RejectedUnits; seenOver?: boolean },
): Promise<void> {
  const { sql, accountId } = work
  const status = whyNotClearable(context, accountId, plate, cleared.seenOver ?? false)
  if (status !== undefined) throw invalidState(status)
  if (await findLiveAttemptOfPrinter(sql, accountId, plate.id)) throw invalidState('reserved for a job')
  const live = findOwnLive(context, accountId, plate).live?.state
  const mark = (live && reportedMark(live, plate.run_mark)) ?? plate.run_mark
  const { rejected } = cleared
  if (hasRejects(rejected)) {
    if (plate.plate_job_id === null) {
      const field = rejected.quantity > 0 ? 'quantity_rejected' : 'rejected'
      throw validationError({ [field]: ['must be 0: no print of a job lies on this plate'] })
    }
    await rejectUnits(work, { jobId: plate.plate_job_id, printerId: plate.id }, rejected)
  }
  if (plate.plate_state !== 'clear') {
    await writePlateClear(work, plate.id, { how: cleared.how, mark })
    await work.record({
      type: 'printer.plate_cleared',
      subjectId: plate.id,
      data: { how: cleared.how, job_id: plate.plate_job_id, quantity_rejected: rejected.quantity },
    })
  } else await renewPlateMark(sql, accountId, plate.id, mark)
  await closeFarmTask(work, { source: 'plate', subjectId: plate.id })
}

/**
 * Answers what a printer is doing that keeps its plate from being cleared; undefined when nothing does. Of one in error a person who
 * looked says with `seenOver` that nothing goes on.
 */
function whyNotClearable(context: Context, accountId: AccountId, plate: Plate, seenOver: boolean): string | undefined {
  if (!isRunByHub(context.hubs, accountId, plate)) return undefined
  const { live } = findOwnLive(context, accountId, plate)
  if (!live) return 'not reported yet'
  const { status, run, run_mark: mark } = live.state
  if (status === 'offline' || (status === 'error' && seenOver && !run)) return undefined
  if (status !== 'idle') return status
  if (run) return 'printing'
  return mark === null ? 'starting up' : undefined
}

/** Something may lie on a plate that was thought to be clear: it is unknown from now on, and a person is asked to look. */
export async function doubtPlate(
  work: Work,
  printerId: PrinterId,
  doubt: { reason: 'plate_changed' | 'seen_not_started'; sentence: string },
): Promise<void> {
  await lockPlate(work.sql, work.accountId, printerId)
  if (!(await writePlateDoubt(work, printerId, { ...doubt, isOnAnything: false }))) return
  await work.record({
    type: 'printer.plate_unknown',
    subjectId: printerId,
    data: { reason: doubt.sentence },
  })
  await askAboutDoubt(work, printerId, '')
}

/** Asks for a person who looks at a plate that is unknown, with the reason. `fileName` is that of a print that was seen. */
export async function askAboutDoubt(work: Work, printerId: PrinterId, fileName: string): Promise<void> {
  const plate = await lockPlate(work.sql, work.accountId, printerId)
  if (plate.plate_state !== 'unknown') return
  const note = `${plate.plate_unknown_reason ?? 'The state of the plate is unknown'}.`
  const isForeign = plate.plate_change_reason === 'foreign_print'
  const content = isForeign ? { kind: 'foreign' as const, fileName, note } : { kind: 'to_look' as const, note }
  await askToClearPlate(work, printerId, content)
}

/** Asks for a person who takes off what lies on a plate: one task per printer, brought up to date when it is open. */
export async function askToClearPlate(work: Work, printerId: PrinterId, content: PlateContent): Promise<void> {
  const printer = await lockPlate(work.sql, work.accountId, printerId)
  const sentence = 'The printer takes no job until its plate is clear. Completing this task clears it.'
  await openFarmTask(work, {
    source: 'plate',
    subjectId: printerId,
    printerId,
    task_type: 'collection',
    priority: 'medium',
    title: titleOf(printer.name, content),
    subtitle: printer.location,
    description: [sentence, 'note' in content ? content.note : undefined].filter(Boolean).join(' '),
  })
}

function titleOf(printerName: string, content: PlateContent): string {
  switch (content.kind) {
    case 'done':
      return `Collect from ${printerName}: ${content.what}`
    case 'failed':
      return `Clear ${printerName}: unfinished print of ${content.what}`
    case 'foreign':
      return `Clear ${printerName}: ${content.fileName || 'a print'} that was started at the printer`
    case 'restored':
      return `Look at the plate of ${printerName}: the service was restored from a backup`
    case 'to_look':
      return `Look at the plate of ${printerName}: something may lie on it`
    case 'to_check':
      return `Look at the plate of ${printerName}: ${content.ejections} prints were ejected since the last look`
  }
}

function invalidState(status: string): AppError {
  return new AppError('INVALID_STATE', { action: 'be cleared', status }, { details: { status } })
}
