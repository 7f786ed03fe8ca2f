import { createHash } from 'node:crypto'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { lastRunOf } from './attempt/attempt-rules.ts'

/** The shortest time in which something can be printed unseen, in ms: less of it out of sight proves that nothing was. */
export const SHORTEST_PRINT_MS = 30_000

/** `unseen_since` of a printer that is out of sight for a time that no clock can tell, as after a restart of the machine. */
export const SINCE_UNKNOWN = Number.MAX_SAFE_INTEGER

/** What the watch over one printer has come to; kept in the journal. */
export interface RunWatch {
  /** Another text after each time in which something may have been printed unseen, and after each run that began in sight. */
  epoch: string
  /** The run that the printer showed last, as a text to compare; null when it has shown none. */
  last_run: string | null
  /** True when that run was going on when it was seen last. */
  is_running: boolean
  /** Since when the printer has been out of sight, in ms since 1970; null while it is in sight. */
  unseen_since: number | null
  /** Reason why the epoch changed although no run was seen, for people; null when a run was the reason. */
  reason: string | null
}

interface Glance {
  /** Undefined when this hub has never seen the printer. */
  watch: RunWatch | undefined
  picture: PrinterState
  /** See `Capabilities.remembersLastRun`. */
  remembersLastRun: boolean
  /** By the wall clock, ms since 1970. */
  nowMs: number
  /** A text that was never an epoch. */
  freshEpoch: string
  /** Default: `SHORTEST_PRINT_MS`. */
  shortestPrintMs?: number
}

/** Answers what a picture shows of the newest run: undefined while that is not known yet, null for none. */
function shownRun(picture: PrinterState): string | null | undefined {
  if (picture.status === 'offline') return undefined
  if (picture.run_mark === undefined) return lastRunOf(picture)
  return picture.run_mark ?? undefined
}

/** The watch after one more picture; the same object when nothing changed. */
export function watchOn({
  watch,
  picture,
  remembersLastRun,
  nowMs,
  freshEpoch,
  shortestPrintMs = SHORTEST_PRINT_MS,
}: Glance): RunWatch | undefined {
  const shown = shownRun(picture)
  if (shown === undefined) return watch && outOfSight(watch, nowMs)
  const lastRun = shown ?? (remembersLastRun ? null : (watch?.last_run ?? null))
  const isRunning = picture.run !== null
  const next = { last_run: lastRun, is_running: isRunning, unseen_since: null }
  if (!watch) return { ...next, epoch: freshEpoch, reason: 'not watched by its hub before' }
  // A run that goes on after a time out of sight may be another one of the same file.
  const isSameRun = watch.is_running && watch.unseen_since === null && shown === watch.last_run
  const hasBegun = isRunning && !isSameRun
  if (hasBegun) return { ...next, epoch: freshEpoch, reason: null }
  const gap = watch.unseen_since === null ? undefined : gapBetween(watch.unseen_since, nowMs, shortestPrintMs)
  // A run that was not known before names itself.
  if (gap) return { ...next, epoch: freshEpoch, reason: lastRun === watch.last_run ? gap : null }
  const isSame = watch.unseen_since === null && watch.last_run === lastRun && watch.is_running === isRunning
  return isSame ? watch : { ...watch, ...next }
}

/** The watch of a printer that is out of sight from this moment on, unless it has been for longer. */
export function outOfSight(watch: RunWatch, sinceMs: number): RunWatch {
  return watch.unseen_since === null ? { ...watch, unseen_since: sinceMs } : watch
}

/**
 * `run_mark` and `run_mark_reason` of a picture whose watch was brought up to date. A printer that remembers its last run is
 * known by what it shows; of any other the mark also stands for what may have happened out of sight.
 */
export function markOf(
  watch: RunWatch | undefined,
  picture: PrinterState,
  remembersLastRun: boolean,
): { run_mark: string | null; run_mark_reason: string | null } {
  const isTelling = picture.status === 'idle' || picture.status === 'printing' || picture.status === 'paused'
  if (!watch || !isTelling || watch.unseen_since !== null) return { run_mark: null, run_mark_reason: null }
  const lastRun = watch.last_run ?? 'none'
  if (remembersLastRun) return { run_mark: fitting(lastRun), run_mark_reason: null }
  return { run_mark: fitting(`${watch.epoch} ${lastRun}`), run_mark_reason: watch.reason?.slice(0, 500) ?? null }
}

/**
 * A sentence about a time in which something may have been printed; undefined when it was too short for that. A clock that
 * went back says nothing about how long it was.
 */
function gapBetween(fromMs: number, toMs: number, shortestPrintMs: number): string | undefined {
  const lastedMs = toMs - fromMs
  if (lastedMs < 0) return 'out of sight for an unknown time; it does not remember what it printed'
  if (lastedMs < shortestPrintMs) return undefined
  return `out of sight for ${inWords(lastedMs)}; it does not remember what it printed`
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1_000)} seconds`
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

const LONGEST_MARK = 512

/** Two marks that are too long to be told must not become the same one. */
function fitting(mark: string): string {
  return mark.length <= LONGEST_MARK ? mark : `sha256 ${createHash('sha256').update(mark).digest('hex')}`
}
