import type { AttemptRow } from '../../attempts/attempts.queries.ts'
import { findTakeBack, markSecondCopy } from '../../attempts/take-back.queries.ts'
import type { Work } from '../../events/work.ts'
import { occupyPlate } from '../../printers/plate/plate.queries.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'
import { putBackOnPrinter } from '../state/job-progress.queries.ts'

/** The reason of an attempt that never began by all accounts, and then ran beside what was printed in its place. */
const secondCopy = 'SECOND_COPY'

/**
 * Our own file was seen running although it was said that it never began. As long as its job still waits and nothing else was
 * started, the job prints on this attempt again: true. Else what runs there is a second copy: it lies on the plate, a person is
 * told, and nothing else changes.
 */
export async function takeBack(work: Work, attempt: AttemptRow): Promise<boolean> {
  const found = await findTakeBack(work.sql, work.accountId, attempt)
  if (found?.is_free) {
    await putBackOnPrinter(work, attempt)
    return true
  }
  if (!found || attempt.reason_code === secondCopy) return false
  await markSecondCopy(work, attempt.id, secondCopy)
  await occupyPlate(work, attempt.printer_id, { jobId: attempt.job_id, at: work.now, reason: 'print_started' })
  await work.record({
    type: 'job.second_copy',
    subjectId: attempt.job_id,
    data: { printer_id: attempt.printer_id, attempt_id: attempt.id, plate: attempt.plate_number },
  })
  const what = found.product_name ?? found.file_name
  await openFarmTask(work, {
    source: 'second_copy',
    subjectId: attempt.printer_id,
    printerId: attempt.printer_id,
    attemptId: attempt.id,
    task_type: 'maintenance',
    priority: 'high',
    title: `Look at ${found.printer_name}: it prints a second copy of ${what}`,
    subtitle: found.location,
    description:
      `The printer refused plate ${attempt.plate_number} of the job ${attempt.job_id} and began it anyway, after the ` +
      'job had gone on without it. Stop the printer if one copy is enough, or let it print and keep the copy: the job does ' +
      'not count it. Then clear the plate. This task closes by itself when the plate is clear.',
  })
  return false
}
