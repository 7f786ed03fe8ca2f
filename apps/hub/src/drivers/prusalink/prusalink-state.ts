import type {
  LastResult,
  PrinterState,
  PrinterStatus,
  PrintResult,
  RunIdentity,
} from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { isTrue, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire/wire-values.ts'

/** Which job the printer began last, where it could be asked: the known one, another, or it does not say. */
export type NewestJob = 'the_known' | 'unsaid' | { another: { jobId: string | null } }

/** Result of one look at the printer. */
export interface PrusaLinkPoll {
  /** `GET /api/v1/status`. */
  status: unknown
  /** `GET /api/v1/job`, asked after the status: it may be of another job already. */
  job: unknown
  /** `GET /api/printer`, the older call, which tells pausing from paused; undefined when it was not needed or is missing. */
  printer: unknown
  newest: NewestJob
  /** No print can have started and ended unseen since the poll before. */
  isUnbroken: boolean
}

/** The run that was seen last, and how it ended if that was seen too. */
export interface LastRun {
  run: RunIdentity
  result: PrintResult | null
  reason: string | null
}

/** What all polls so far add up to. */
export interface PrusaLinkPicture extends Pick<PrusaLinkPoll, 'status' | 'job' | 'printer'> {
  lastRun: LastRun | null
  /** The newest job that is known; the printer counts them all its life, no matter who starts them. */
  newestJobId: string | null
  /** See `PrinterState.run_mark`; null as long as no number was ever seen. */
  mark: string | null
  firmware: string | null
  material: string | null
}

export function emptyPicture(): PrusaLinkPicture {
  const unseen = { status: undefined, job: undefined, printer: undefined }
  return { ...unseen, lastRun: null, newestJobId: null, mark: null, firmware: null, material: null }
}

/** The number of the job that holds the printer; null when none does. */
export function jobIdOf(status: unknown): string | null {
  const id = numberIn(memberOf(status, 'job', 'id'))
  return id === null ? null : String(id)
}

/** Answers where files can be written, of what a printer or its server says of its storage; null when nowhere. */
export function writablePath(status: unknown): string | null {
  const storage = memberOf(status, 'storage')
  const all = Array.isArray(storage) ? storage : [storage]
  const writable = all.find((one) => textIn(memberOf(one, 'path')) !== null && !isTrue(memberOf(one, 'read_only')))
  return textIn(memberOf(writable, 'path'))
}

/** Firmware that says nothing of its storage may have one anyway. */
function lacksStorage(status: unknown): boolean {
  return memberOf(status, 'storage') !== undefined && writablePath(status) === null
}

/**
 * The picture after one more poll. A result lasts until the next run, over what the printer's screen shows meanwhile. It is that
 * of the run seen last only if no other run can have been in between: the printer's "finished" names no job.
 */
export function mergePoll(before: PrusaLinkPicture, poll: PrusaLinkPoll): PrusaLinkPicture {
  const { status, job, printer } = poll
  const next = { ...before, ...countedJob(before, poll), status, job, printer }
  const run = runOf(next)
  if (run) return { ...next, lastRun: { run, result: null, reason: null } }
  const shownId = jobIdOf(status)
  const lastRun = shownId === null || shownId === before.lastRun?.run.job_id ? before.lastRun : null
  if (!isOver(status)) return { ...next, lastRun }
  return { ...next, lastRun: endedRun(next, lastRun, poll) }
}

/** The newest number, by what holds the printer now or by what it answers. */
function countedJob(
  before: PrusaLinkPicture,
  { status, newest }: PrusaLinkPoll,
): Pick<PrusaLinkPicture, 'newestJobId' | 'mark'> {
  const { newestJobId, mark } = before
  const jobId = jobIdOf(status) ?? (typeof newest === 'object' ? newest.another.jobId : newestJobId)
  if (jobId !== null) return { newestJobId: jobId, mark: `job ${jobId}` }
  return typeof newest === 'object' ? { newestJobId: null, mark: `later than ${mark}` } : { newestJobId, mark }
}

/** The last run of a printer that holds none any more; null when it is not known, or how it ended cannot be. */
function endedRun(next: PrusaLinkPicture, lastRun: LastRun | null, poll: PrusaLinkPoll): LastRun | null {
  const { status, newest, isUnbroken } = poll
  const result = resultOf(status)
  const isAnother = typeof newest === 'object'
  const isCertain = jobIdOf(status) !== null || newest === 'the_known' || (newest === 'unsaid' && isUnbroken)
  if (lastRun !== null && lastRun.result === null && result !== null && isCertain) return { ...lastRun, ...result }
  if (lastRun !== null && lastRun.result !== null && !isAnother) return lastRun
  // Over before we looked: some printers still say which job it was.
  const isOfResult = textIn(memberOf(next.job, 'state')) === textIn(memberOf(status, 'printer', 'state'))
  const identity = result !== null && isOfResult ? identityOf(next) : null
  return identity && result ? { run: identity, ...result } : null
}

/** Answers what PrusaLink says, in our words. */
export function prusaLinkState(picture: PrusaLinkPicture): PrinterState {
  const { status, lastRun } = picture
  const printer = memberOf(status, 'printer')
  const run = runOf(picture)
  const told = statusOf(picture)
  const last: LastResult | null =
    run === null && lastRun !== null && lastRun.result !== null
      ? { run: lastRun.run, result: lastRun.result, reason: lastRun.reason }
      : null
  return {
    ...unknownPrinterState(''),
    status: (told.status === 'printing' || told.status === 'paused') && run === null ? 'maintenance' : told.status,
    status_reason: told.reason,
    run,
    last_result: last,
    progress: run && percentIn(memberOf(status, 'job', 'progress')),
    nozzle_temp: temperatureIn(memberOf(printer, 'temp_nozzle')),
    target_nozzle_temp: temperatureIn(memberOf(printer, 'target_nozzle')),
    bed_temp: temperatureIn(memberOf(printer, 'temp_bed')),
    target_bed_temp: temperatureIn(memberOf(printer, 'target_bed')),
    remaining_time_minutes: run && minutesLeft(memberOf(status, 'job', 'time_remaining')),
    filament_type: picture.material,
    ...(picture.mark !== null && { run_mark: picture.mark }),
    firmware_version: picture.firmware,
    problems: lacksStorage(status) ? [{ reason: 'storage_missing', message: null }] : [],
  }
}

const needsPerson = 'needs a person at the printer: see its screen'

function statusOf({ status, printer }: PrusaLinkPicture): { status: PrinterStatus; reason: string | null } {
  const state = textIn(memberOf(status, 'printer', 'state'), 40)
  const hasJob = jobIdOf(status) !== null
  switch (state) {
    case 'IDLE':
    case 'READY':
    case 'FINISHED':
    case 'STOPPED':
      return { status: 'idle', reason: null }
    case 'PRINTING':
      return { status: 'printing', reason: null }
    case 'PAUSED':
      return pauseOf(printer)
    case 'BUSY':
      return hasJob ? { status: 'printing', reason: null } : { status: 'maintenance', reason: 'the printer is busy' }
    case 'ATTENTION':
      if (!hasJob) return { status: 'error', reason: needsPerson }
      // It asks before a print, in a pause, and while it goes on printing, and says the same word for all of them.
      return { status: hasPaused(printer) ? 'paused' : 'printing', reason: needsPerson }
    case 'ERROR':
      return { status: 'error', reason: detailOf(status) ?? 'the printer reports an error: see its screen' }
    default:
      return { status: 'offline', reason: `the printer's state ${JSON.stringify(state)} is not known` }
  }
}

/** The v1 calls say PAUSED from the command to pause until the print goes on; only the older call tells the parts of it. */
function pauseOf(printer: unknown): { status: PrinterStatus; reason: string | null } {
  const flags = memberOf(printer, 'state', 'flags')
  if (memberOf(flags, 'paused') === undefined || hasPaused(printer)) return { status: 'paused', reason: null }
  return { status: 'printing', reason: isTrue(memberOf(flags, 'pausing')) ? 'pausing' : 'resuming' }
}

function hasPaused(printer: unknown): boolean {
  const flags = memberOf(printer, 'state', 'flags')
  return isTrue(memberOf(flags, 'paused')) && !isTrue(memberOf(flags, 'pausing'))
}

/** True when its words leave open if it has paused, so that the older call has to be asked as well. */
export function leavesPauseOpen(status: unknown): boolean {
  const state = memberOf(status, 'printer', 'state')
  return state === 'PAUSED' || (state === 'ATTENTION' && jobIdOf(status) !== null)
}

function detailOf(status: unknown): string | null {
  return textIn(memberOf(status, 'printer', 'status_printer', 'message'), 300)
}

function runOf(picture: PrusaLinkPicture): RunIdentity | null {
  const { status } = statusOf(picture)
  return status === 'printing' || status === 'paused' ? identityOf(picture) : null
}

/** True when the printer holds a job now, whatever it does with it. */
export function isRunning(picture: PrusaLinkPicture): boolean {
  return runOf(picture) !== null
}

/** The number says which run it is; the name is known once the job was asked for. */
function identityOf({ status, job }: PrusaLinkPicture): RunIdentity | null {
  const shown = jobIdOf(status)
  const told = numberIn(memberOf(job, 'id'))
  const name = textIn(memberOf(job, 'file', 'display_name')) ?? textIn(memberOf(job, 'file', 'name'))
  if (told === null || name === null || (shown !== null && String(told) !== shown)) return null
  return { file_name: name, job_id: String(told), attempt_id: null }
}

/** True when it says that it holds no job, or what became of one. */
function isOver(status: unknown): boolean {
  const state = memberOf(status, 'printer', 'state')
  return state === 'IDLE' || state === 'READY' || resultOf(status) !== null
}

function resultOf(status: unknown): { result: PrintResult; reason: string | null } | null {
  const state = memberOf(status, 'printer', 'state')
  if (state === 'FINISHED') return { result: 'completed', reason: null }
  if (state === 'STOPPED') return { result: 'cancelled', reason: null }
  if (state === 'ERROR') return { result: 'failed', reason: detailOf(status) ?? 'the printer reports an error' }
  return null
}
