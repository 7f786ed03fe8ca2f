import { wait } from '../../util/clock.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { memberOf, numberIn } from '../wire/wire-values.ts'
import type { OctoPrintApi } from './octoprint-api.ts'
import { dateOf, isBusy, type OctoPrintPicture, type RunEnd, type WatchedRun } from './octoprint-picture.ts'

/** OctoPrint writes a record a moment after it told the end. */
const TRIES = 3
const BETWEEN_TRIES_MS = 1_000

/** What the record of a file says; `unreadable` where the key may not see files. */
type RunRecord = { end: RunEnd | null; date: number | null } | 'unreadable'

/** Reads how the file was printed to its end, and asks again for a moment while OctoPrint has nothing on record. */
export async function readRunRecord(
  { readFile }: Pick<OctoPrintApi, 'readFile'>,
  { path, waitFactor, signal }: { path: string; waitFactor: number; signal: AbortSignal },
): Promise<RunRecord> {
  for (let tries = 1; ; tries += 1) {
    try {
      const file = await readFile(path, signal)
      const end = endOnRecord(file)
      if (end || file === undefined || tries === TRIES) return { end, date: numberIn(memberOf(file, 'date')) }
    } catch (error) {
      if (error instanceof ConnectionProblemError) return 'unreadable'
      if (tries === TRIES) throw error
    }
    await wait(BETWEEN_TRIES_MS * waitFactor, signal)
  }
}

/**
 * Answers how the file was printed to its end, by the counts that OctoPrint keeps with it; null when it does not say. Of a file that was
 * printed several times with different ends it cannot be told which end was whose.
 */
export function endOnRecord(file: unknown): RunEnd | null {
  const completed = numberIn(memberOf(file, 'prints', 'success')) ?? 0
  const failed = numberIn(memberOf(file, 'prints', 'failure')) ?? 0
  const endedAt = numberIn(memberOf(file, 'prints', 'last', 'date'))
  const storedAt = numberIn(memberOf(file, 'date'))
  // Counts survive the replacement of a file by another of its name.
  if (endedAt === null || (storedAt !== null && endedAt < storedAt)) return null
  if (completed > 0 && failed === 0) return { result: 'completed', reason: null }
  if (failed === 0 || completed > 0) return null
  return {
    result: 'failed',
    reason: 'OctoPrint has on record that the print failed or was cancelled while the hub was away.',
  }
}

/** The picture with what the record of our own file says of its run, unless the socket has told more meanwhile. */
export function mergeRecord(picture: OctoPrintPicture, path: string, record: RunRecord): OctoPrintPicture {
  const seen = picture.run
  const next = { ...picture, isLookingBack: false }
  if (isBusy(picture.state) || (seen?.path === path && seen.end) || (seen && seen.path !== path && !seen.end))
    return next
  if (record === 'unreadable') return isShownComplete(picture, path) ? { ...next, run: completed(seen) } : next
  const { end, date } = record
  return end ? { ...next, run: { path, date: date ?? seen?.date ?? null, isOnCard: false, seen: 'before', end } } : next
}

/** True when a run that was seen running has its file selected and printed whole. */
function isShownComplete({ run, job, progress }: OctoPrintPicture, path: string): boolean {
  if (run?.path !== path || run.date === null || dateOf(job, path) !== run.date) return false
  return (numberIn(memberOf(progress, 'completion')) ?? 0) >= 100
}

function completed(run: WatchedRun | null): WatchedRun | null {
  return run && { ...run, end: { result: 'completed', reason: null } }
}
