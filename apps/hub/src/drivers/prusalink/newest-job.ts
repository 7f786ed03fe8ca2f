import type { NewestJob } from './prusalink-state.ts'

/** Number of jobs further that it looks for the newest one; each is a question. */
const MOST_STEPS = 20

/** Answers whether the printer's newest job has this number. */
type IsNewest = (jobId: string) => Promise<boolean>

/**
 * True when a printer tells its newest job by refusing all other numbers. Asked while `runningId` runs, because then it is known
 * which number is the newest.
 *
 * The firmware of Buddy boards has no call for the newest job while nothing prints. But before it looks at anything else of a
 * request for one job, it compares the number with its counter and answers 404 to any other (`lib/WUI/link_content/prusa_link_api_v1.cpp`).
 * The counter lies in EEPROM: it survives power cuts, and each print takes the next number, no matter who starts it.
 */
export async function tellsNewestJob(runningId: string, isNewest: IsNewest): Promise<boolean> {
  const running = Number(runningId)
  if (!Number.isSafeInteger(running)) return false
  return (await isNewest(runningId)) && !(await isNewest(String(running + 1)))
}

/** Answers which job a printer that tells it began last, compared with the newest known one. */
export async function findNewestJob(knownId: string, isNewest: IsNewest): Promise<NewestJob> {
  const known = Number(knownId)
  // One that answers two numbers alike has other firmware now.
  if (await isNewest(knownId)) return (await isNewest(String(known + 1))) ? 'unsaid' : 'the_known'
  for (let step = 1; step <= MOST_STEPS; step += 1) {
    const jobId = String(known + step)
    if (await isNewest(jobId)) return { another: { jobId } }
  }
  // Far ahead, or counted from the beginning again after a reset to factory settings.
  return { another: { jobId: null } }
}
