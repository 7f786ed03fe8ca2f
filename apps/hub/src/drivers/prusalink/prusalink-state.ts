import type {
  LastResult,
  PrinterState,
  PrinterStatus,
  PrintResult,
  RunIdentity,
} from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { isTrue, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire-values.ts'

/** What the last polls said. */
export interface PrusaLinkPicture {
  /** `GET /api/v1/status`. */
  status: unknown
  /** `GET /api/v1/job` of the job whose number it carries; it tells the file. */
  job: unknown
  /** The run that was seen last, and how it ended if that was seen too. */
  lastRun: { run: RunIdentity; result: PrintResult | null; reason: string | null } | null
  firmware: string | null
  material: string | null
}

export function emptyPicture(): PrusaLinkPicture {
  return { status: undefined, job: undefined, lastRun: null, firmware: null, material: null }
}

/** The number of the job that holds the printer; null when none does. */
export function jobIdOf(status: unknown): string | null {
  const id = numberIn(memberOf(status, 'job', 'id'))
  return id === null ? null : String(id)
}

/** Where files can be written, of what a printer or its server says of its storage; null when nowhere. */
export function writablePath(status: unknown): string | null {
  const storage = memberOf(status, 'storage')
  const all = Array.isArray(storage) ? storage : [storage]
  const writable = all.find((one) => textIn(memberOf(one, 'path')) !== null && !isTrue(memberOf(one, 'read_only')))
  return textIn(memberOf(writable, 'path'))
}

/** Firmware that says nothing of its storage may have one all the same. */
function lacksStorage(status: unknown): boolean {
  return memberOf(status, 'storage') !== undefined && writablePath(status) === null
}

/** The picture after one more poll. A result lasts until the next run, over what the printer's screen shows meanwhile. */
export function mergePoll(picture: PrusaLinkPicture, status: unknown, job: unknown): PrusaLinkPicture {
  const next = { ...picture, status, job }
  const run = runOf(next)
  if (run) return { ...next, lastRun: { run, result: null, reason: null } }
  const result = resultOf(status)
  const { lastRun } = picture
  if (result === null) return next
  if (lastRun) return lastRun.result === null ? { ...next, lastRun: { ...lastRun, ...result } } : next
  // Over before we looked: the printer may still say which file it was.
  const identity = identityOf(next)
  return identity ? { ...next, lastRun: { run: identity, ...result } } : next
}

/** What PrusaLink says, in our words. */
export function prusaLinkState(picture: PrusaLinkPicture): PrinterState {
  const { status, lastRun } = picture
  const printer = memberOf(status, 'printer')
  const run = runOf(picture)
  const told = statusOf(status)
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
    firmware_version: picture.firmware,
    problems: lacksStorage(status) ? [{ reason: 'storage_missing', message: null }] : [],
  }
}

function statusOf(status: unknown): { status: PrinterStatus; reason: string | null } {
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
      return { status: 'paused', reason: null }
    case 'BUSY':
      return hasJob ? { status: 'printing', reason: null } : { status: 'maintenance', reason: 'the printer is busy' }
    case 'ATTENTION':
      return { status: hasJob ? 'paused' : 'error', reason: 'needs a person at the printer: see its screen' }
    case 'ERROR':
      return { status: 'error', reason: detailOf(status) ?? 'the printer reports an error: see its screen' }
    default:
      return { status: 'offline', reason: `the printer's state ${JSON.stringify(state)} is not known` }
  }
}

function detailOf(status: unknown): string | null {
  return textIn(memberOf(status, 'printer', 'status_printer', 'message'), 300)
}

function runOf(picture: PrusaLinkPicture): RunIdentity | null {
  const { status } = statusOf(picture.status)
  return status === 'printing' || status === 'paused' ? identityOf(picture) : null
}

/** The number says which run it is; the name is known once the job was asked for. */
function identityOf({ status, job }: PrusaLinkPicture): RunIdentity | null {
  const jobId = jobIdOf(status)
  const told = numberIn(memberOf(job, 'id'))
  const isOfThisJob = told === null || jobId === null || String(told) === jobId
  const name = textIn(memberOf(job, 'file', 'display_name')) ?? textIn(memberOf(job, 'file', 'name'))
  if (!isOfThisJob || name === null) return null
  const id = jobId ?? (told === null ? null : String(told))
  return { file_name: name, job_id: id, attempt_id: null }
}

function resultOf(status: unknown): { result: PrintResult; reason: string | null } | null {
  const state = memberOf(status, 'printer', 'state')
  if (state === 'FINISHED') return { result: 'completed', reason: null }
  if (state === 'STOPPED') return { result: 'cancelled', reason: null }
  if (state === 'ERROR') return { result: 'failed', reason: detailOf(status) ?? 'the printer reports an error' }
  return null
}
