import type { AttemptId, JobId, PrinterId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { writePlateEjected } from '../../printers/plate/plate.queries.ts'
import { askToClearPlate, lockPlate } from './plate.ts'

/**
 * A print has pushed itself off: its plate is clear, by the word of the hub, and known by the mark of that print. No printer can see its own plate, so each time
 * that several in a row were believed the plate is not known instead, and a person is asked to look before the next start.
 */
export async function ejectPlate(
  work: Work,
  attempt: { id: AttemptId; printer_id: PrinterId; job_id: JobId },
  mark: string,
): Promise<void> {
  const { printer_id: printerId, job_id } = attempt
  await lockPlate(work.sql, work.accountId, printerId)
  const row = await writePlateEjected(work, printerId, mark)
  const ejections = row?.ejections_in_row ?? 0
  if (row?.plate_state !== 'clear') {
    await askToClearPlate(work, printerId, { kind: 'to_check', ejections })
    await work.record({
      type: 'printer.plate_to_check',
      subjectId: printerId,
      data: { job_id, attempt_id: attempt.id, ejections },
    })
    return
  }
  await work.record({
    type: 'printer.plate_cleared',
    subjectId: printerId,
    data: { how: 'ejected', job_id, attempt_id: attempt.id, quantity_rejected: 0 },
  })
}
