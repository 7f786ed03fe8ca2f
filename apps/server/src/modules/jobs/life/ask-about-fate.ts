import type { AttemptId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'
import type { FateToAskAbout } from './farm-watch.queries.ts'
import { lockFateToAskAbout } from './farm-watch.queries.ts'

/** Asks a person what became of an attempt of unknown fate, unless it is settled by now. */
export async function askAboutFate(work: Work, attemptId: AttemptId): Promise<void> {
  const fate = await lockFateToAskAbout(work.sql, work.accountId, attemptId)
  if (!fate) return
  const { title, description } = fate.phase === 'confirmed' ? isItGood(fate) : didItPrint(fate)
  await openFarmTask(work, {
    source: 'unknown_fate',
    subjectId: fate.printer_id,
    printerId: fate.printer_id,
    attemptId: fate.id,
    task_type: 'maintenance',
    priority: 'high',
    title,
    subtitle: fate.location,
    description,
  })
}

const plateOf = (fate: FateToAskAbout) =>
  `Plate ${fate.plate_number} of ${fate.plates_total} of the job ${fate.job_id} (${fate.file_name})`

function didItPrint(fate: FateToAskAbout) {
  return {
    title: `Look at ${fate.printer_name}: did it print ${fate.product_name ?? fate.file_name}?`,
    description:
      `${plateOf(fate)} was sent to ${fate.printer_name}, and since ${fate.unknown_since?.toISOString() ?? ''} its outcome is ` +
      'unknown. Nothing else starts there until a person reports the outcome: it was printed, it failed, or it was never ' +
      'started.',
  }
}

function isItGood(fate: FateToAskAbout) {
  const seen =
    fate.progress === null
      ? ''
      : ` It was last seen at ${Math.floor(fate.progress)} %${fate.seen_at ? ` at ${fate.seen_at.toISOString()}` : ''}.`
  return {
    title: `Is the print of ${fate.product_name ?? fate.file_name} on ${fate.printer_name} good?`,
    description:
      `${plateOf(fate)} was printing on ${fate.printer_name}, and how it ended was not seen.${seen} ` +
      'Look at its plate, or at the picture on the page of the printer where it has a camera. Then say what you see: it was ' +
      'printed, or it failed. If the printer tells by itself, this task closes.',
  }
}
