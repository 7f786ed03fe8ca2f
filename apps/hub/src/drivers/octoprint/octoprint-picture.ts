import type { PrintResult } from '@printyard/protocol/printer-state'
import { isTrue, memberOf, numberIn, textIn } from '../wire/wire-values.ts'

/** OctoPrint gives a run no number; the file with the moment it was stored is what tells one from another. */
export interface WatchedRun {
  path: string
  /** Time when the file was stored, in seconds by OctoPrint's clock. Null until a report names it. */
  date: number | null
  /** The printer reads it from its own card: it goes on without OctoPrint. */
  isOnCard: boolean
  /**
   * `told`: an event said that it begins, and no report shows it yet. `shown`: a report of the present connection showed it
   * running. `before`: known from an earlier connection.
   */
  seen: 'told' | 'shown' | 'before'
  /** Null while it goes on, and for ever when its end was not seen. */
  end: RunEnd | null
}

export interface RunEnd {
  result: PrintResult
  reason: string | null
}

/** The newest of what OctoPrint said, each part as it came. */
export interface OctoPrintPicture {
  /** `state`: text, flags, error. */
  state: unknown
  job: unknown
  progress: unknown
  /** One sample: tool0, bed, chamber with actual and target. */
  temps: unknown
  firmware: string | null
  /** The newest run that is known to have started. A file that is merely selected is none. */
  run: WatchedRun | null
  /** True when it is being found out what became of a run out of sight. */
  isLookingBack: boolean
}

export function emptyPicture(): OctoPrintPicture {
  return {
    state: undefined,
    job: undefined,
    progress: undefined,
    temps: undefined,
    firmware: null,
    run: null,
    isLookingBack: false,
  }
}

/** The picture at the begin of a connection: of what was true before, only the last run is still good to know. */
export function pictureOfNewConnection({ run }: OctoPrintPicture): OctoPrintPicture {
  return { ...emptyPicture(), run: run && { ...run, seen: 'before' } }
}

/**
 * A message of the push socket merged into the picture: `history` and `current` replace the parts that they carry, events
 * tell begin and end of runs, and the firmware. The message is whatever came; anything else in it is ignored.
 */
export function mergeMessage(picture: OctoPrintPicture, message: unknown): OctoPrintPicture {
  const report = memberOf(message, 'current') ?? memberOf(message, 'history')
  if (report !== undefined) return mergeReport(picture, report)
  const event = memberOf(message, 'event')
  const type = memberOf(event, 'type')
  const payload = memberOf(event, 'payload')
  if (type === 'FirmwareData') return { ...picture, firmware: textIn(memberOf(payload, 'name'), 100) }
  const path = textIn(memberOf(payload, 'path'))
  if (path === null) return picture
  const isOnCard = memberOf(payload, 'origin') === 'sdcard'
  const run: WatchedRun = { path, date: dateOf(picture.job, path), isOnCard, seen: 'told', end: null }
  if (type === 'PrintStarted') return { ...picture, run }
  const result = typeof type === 'string' && Object.hasOwn(results, type) ? results[type] : undefined
  return result === undefined ? picture : endRun(picture, run, endTold(result, payload))
}

const results: Record<string, PrintResult> = {
  PrintDone: 'completed',
  PrintFailed: 'failed',
  PrintCancelled: 'cancelled',
}

const CLOSED = 'The connection between OctoPrint and the printer was closed during the print.'

/** A print that is cancelled is told twice: as cancelled, and as failed for that reason. */
function endTold(result: PrintResult, payload: unknown): RunEnd {
  const reason = textIn(memberOf(payload, 'reason'), 500)
  if (result === 'cancelled' || reason === 'cancelled') return { result: 'cancelled', reason: null }
  if (result === 'completed') return { result, reason: null }
  // `reason` is the bare word "error" then, and a closed line has an empty sentence.
  const said = textIn(memberOf(payload, 'error'), 500) ?? (reason === 'error' ? null : reason)
  return { result, reason: said ?? CLOSED }
}

/** The end of a failed print is told by a thread of its own: it may come when the next run has started already. */
function endRun(picture: OctoPrintPicture, ended: WatchedRun, end: RunEnd): OctoPrintPicture {
  const { run } = picture
  if (run?.path === ended.path) return { ...picture, run: { ...run, end } }
  const isUnderWay = run !== null && run.end === null && run.seen !== 'before'
  return isUnderWay ? picture : { ...picture, run: { ...ended, seen: 'shown', end } }
}

function mergeReport(picture: OctoPrintPicture, report: unknown): OctoPrintPicture {
  const samples = memberOf(report, 'temps')
  const next = {
    ...picture,
    state: memberOf(report, 'state') ?? picture.state,
    job: memberOf(report, 'job') ?? picture.job,
    progress: memberOf(report, 'progress') ?? picture.progress,
    temps: (Array.isArray(samples) ? samples.at(-1) : undefined) ?? picture.temps,
  }
  if (isBusy(next.state)) return { ...next, run: runShown(picture, next) }
  return isBrokenOff(next) && next.run ? { ...next, run: { ...next.run, end: endByFault(next.state) } } : next
}

/** The run that a report of a busy printer shows. */
function runShown(before: OctoPrintPicture, { job, state }: OctoPrintPicture): WatchedRun | null {
  const path = pathOf(job)
  const { run } = before
  // While a run is torn down its file is let go of first.
  if (path === null) return run
  const date = dateOf(job, path)
  const isSame = run?.path === path && (run.date === null || date === null || run.date === date)
  // While one ends it is said to be running a little longer; what begins was idle before.
  const isOver = run?.end != null && !isBusy(before.state)
  if (run && isSame && !isOver) return { ...run, date: date ?? run.date, seen: 'shown' }
  return { path, date, isOnCard: isOnCard(job, state), seen: 'shown', end: null }
}

/**
 * True when the line to the printer went while OctoPrint sent a file to it. It tells so by an event when it was printing, and
 * does not when it was starting or had paused.
 */
function isBrokenOff({ run, state }: OctoPrintPicture): boolean {
  if (run === null || run.end !== null || run.isOnCard || run.seen === 'before') return false
  return isFaulty(state) || isApart(state)
}

function endByFault(state: unknown): RunEnd {
  const text = textIn(memberOf(state, 'text'), 200) ?? ''
  return { result: 'failed', reason: textIn(memberOf(state, 'error'), 500) ?? (isApart(state) ? CLOSED : text) }
}

/** True when a run went out of sight without an end, of which a record may be found. */
export function isRunLost({ run, state }: OctoPrintPicture): boolean {
  if (run === null || run.end !== null || run.seen === 'told') return false
  return state !== undefined && !isBusy(state)
}

function flag(state: unknown, name: string): boolean {
  return isTrue(memberOf(state, 'flags', name))
}

function wordsOf(state: unknown): string {
  return textIn(memberOf(state, 'text'), 200) ?? ''
}

/** True when the printer, or the line to it, has a fault that a person has to look at. */
export function isFaulty(state: unknown): boolean {
  return flag(state, 'error') || /^(error|offline after error)/i.test(wordsOf(state))
}

/** True when OctoPrint is there and its printer is not: the line between them is closed, or broke. */
export function isApart(state: unknown): boolean {
  const text = wordsOf(state)
  if (isConnecting(state)) return false
  return /^(offline|closed)/i.test(text) || (flag(state, 'closedOrError') && !flag(state, 'error'))
}

export function isConnecting(state: unknown): boolean {
  return /^(opening|detecting|connecting)/i.test(wordsOf(state))
}

/** True when a file goes to the printer's own card, which OctoPrint flags as printing. */
export function isFillingCard(state: unknown): boolean {
  return /^(transferring|sending|starting to send)/i.test(wordsOf(state))
}

/** True when a job holds the printer. */
export function isBusy(state: unknown): boolean {
  if (isFillingCard(state)) return false
  const busy = ['printing', 'paused', 'pausing', 'resuming', 'cancelling', 'finishing']
  return busy.some((name) => flag(state, name)) || /^starting/i.test(wordsOf(state))
}

/** True when a print was asked for and its first line may still be to come. */
export function isStarting({ state }: OctoPrintPicture): boolean {
  const text = textIn(memberOf(state, 'text'))
  return text === null || (/^starting/i.test(text) && !isFillingCard(state))
}

export function pathOf(job: unknown): string | null {
  return textIn(memberOf(job, 'file', 'path')) ?? textIn(memberOf(job, 'file', 'name'))
}

/** The moment at which the file of this path was stored; null when the job is of another. */
export function dateOf(job: unknown, path: string): number | null {
  return pathOf(job) === path ? numberIn(memberOf(job, 'file', 'date')) : null
}

function isOnCard(job: unknown, state: unknown): boolean {
  return memberOf(job, 'file', 'origin') === 'sdcard' || /from sd$/i.test(wordsOf(state))
}
