import type { LastResult, PrintResult, RunIdentity } from '@printyard/protocol/printer-state'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { type HistoryJob, klipperState, type LoadedRun, loadedRun, type MoonrakerPicture } from './moonraker-picture.ts'

/**
 * What Moonraker writes of a job that it lost sight of: it was restarted, or Klipper broke the connection. Seen on Moonraker
 * 0.10: the print may go on, and whatever becomes of it the history is not told.
 */
const lostSight = new Set(['interrupted', 'server_exit', 'klippy_disconnect'])

/** The history names a run within milliseconds of its begin, so for so long an older job of its file is another run. */
const YOUNG_SECONDS = 5
/** Two counts of the time of one run differ by the interval between Klipper's reports. */
const SAME_COUNT_SECONDS = 5
/** Between the begin of a run and the time at which Moonraker writes it down. */
const SAME_START_SECONDS = 3

/** True when a run goes on whose number the history does not show yet. */
export function lacksItsJob(picture: MoonrakerPicture): boolean {
  const run = loadedRun(picture)
  if (klipperState(picture) !== 'ready') return false
  return run?.isActive === true && jobOf(run, picture, { isWaitOver: false }) === null
}

/**
 * The run that `print_stats` speaks of. Its number is that of its first job in the history: a run that Moonraker lost sight of
 * and found again may have several. Null for a run that the history does not know.
 */
export function identityOf(picture: MoonrakerPicture): RunIdentity | null {
  const run = loadedRun(picture)
  if (run === null) return null
  const job = jobOf(run, picture, { isWaitOver: picture.historyWait === 'over' })
  return { file_name: run.fileName, job_id: job && firstOf(job, picture.history ?? []).jobId, attempt_id: null }
}

function jobOf(run: LoadedRun, { history }: MoonrakerPicture, { isWaitOver }: { isWaitOver: boolean }) {
  const [newest] = history ?? []
  if (newest?.fileName !== run.fileName) return null
  if (newest.status === 'in_progress') return newest
  const differenceSeconds =
    run.totalSeconds === null || newest.totalSeconds === null ? 0 : run.totalSeconds - newest.totalSeconds
  if (lostSight.has(newest.status)) {
    const isOld = !run.isActive || isWaitOver || run.totalSeconds === null || run.totalSeconds >= YOUNG_SECONDS
    return isOld && differenceSeconds > -SAME_COUNT_SECONDS ? newest : null
  }
  return !run.isActive && Math.abs(differenceSeconds) < SAME_COUNT_SECONDS ? newest : null
}

/** The job under which a run was written down first, before Moonraker lost sight of it. */
function firstOf(job: HistoryJob, history: readonly HistoryJob[]): HistoryJob {
  let first = job
  for (const earlier of history.slice(history.indexOf(job) + 1)) {
    if (earlier.fileName !== job.fileName || !lostSight.has(earlier.status)) break
    const began = (first.endTime ?? first.startTime ?? Number.NaN) - (first.totalSeconds ?? Number.NaN)
    if (!(Math.abs(began - (earlier.startTime ?? Number.NaN)) < SAME_START_SECONDS)) break
    first = earlier
  }
  return first
}

const statsResults: Record<string, PrintResult> = { complete: 'completed', cancelled: 'cancelled', error: 'failed' }

/**
 * What the history proves of a job that is over. `interrupted` and `server_exit` are not among them: Moonraker itself was away,
 * and the print may have gone on to its end.
 */
const historyResults: Record<string, PrintResult> = {
  completed: 'completed',
  cancelled: 'cancelled',
  error: 'failed',
  klippy_shutdown: 'failed',
  klippy_disconnect: 'failed',
}

/** `print_stats` keeps the end of the last job until the next; the history still has it after a restart of Klipper. */
export function lastResultOf(picture: MoonrakerPicture): LastResult | null {
  const run = loadedRun(picture)
  const isReady = klipperState(picture) === 'ready'
  const told = run && Object.hasOwn(statsResults, run.state) ? statsResults[run.state] : undefined
  const identity = identityOf(picture)
  if (isReady && identity !== null && told !== undefined) {
    const message = memberOf(picture.objects, 'print_stats', 'message')
    return { run: identity, result: told, reason: told === 'failed' ? textIn(message, 500) : null }
  }
  const [newest] = picture.history ?? []
  if (!newest || !Object.hasOwn(historyResults, newest.status)) return null
  // While Klipper is away, no one can say that what it printed has come to its end.
  if (newest.status === 'klippy_disconnect' && (!isReady || run?.isActive)) return null
  const result = historyResults[newest.status]
  if (result === undefined) return null
  const { jobId, fileName } = firstOf(newest, picture.history ?? [])
  const reason = result === 'failed' ? newest.status.replaceAll('_', ' ') : null
  return { run: { file_name: fileName, job_id: jobId, attempt_id: null }, result, reason }
}

/**
 * Stands for the newest run that the printer shows, in the history or, when that does not know it, in `print_stats`. Null while
 * that cannot be told, undefined where Moonraker keeps no history. Numbers are given again once the history was deleted, so the
 * time of the start belongs to it.
 */
export function runMarkOf(picture: MoonrakerPicture): string | null | undefined {
  const { history, historyWait } = picture
  if (history === null) return undefined
  const isReady = klipperState(picture) === 'ready'
  if (history === undefined || !(isReady || klipperState(picture) === 'shutdown') || historyWait === 'waiting')
    return null
  const [newest] = history
  const first = newest && firstOf(newest, history)
  const identity = identityOf(picture)
  const unlisted = isReady && identity?.job_id === null ? ` + ${identity.file_name}` : ''
  const listed = first ? `${first.jobId} ${first.startTime ?? ''} ${first.fileName}` : 'no history'
  return `${listed}${unlisted}`.slice(0, 512)
}
