import type { LastResult, PrintResult, RunIdentity } from '@printyard/protocol/printer-state'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'

/**
 * The record that the printer keeps of all its jobs over power cuts, those started by hand too: commands 320 and 321.
 * `unavailable`: the firmware does not tell.
 */
export type SdcpHistory = { kind: 'unread' } | { kind: 'unavailable' } | { kind: 'read'; newest: SdcpTask | null }

interface SdcpTask {
  run: RunIdentity
  /** Null while it goes on, and where the printer does not know either. */
  end: LastResult | null
}

/** `TaskStatus`, as SDCP V3 has it and a Centauri Carbon sends it. */
const taskResults: ReadonlyMap<number | null, PrintResult> = new Map([
  [1, 'completed'],
  [2, 'failed'],
  [3, 'cancelled'],
])

/** The names of jobs in the answer to 320 of which one is the newest: both ends, because nothing promises an order. */
export function namesToAskFor(answer: unknown): string[] {
  const names = memberOf(answer, 'HistoryData')
  if (!Array.isArray(names)) return []
  return [...new Set([names.at(0), names.at(-1)])].flatMap((name) => taskIdIn(name) ?? [])
}

/** The newest job in the answer to 321; null when it holds none. */
export function newestTask(answer: unknown): SdcpTask | null {
  const details = memberOf(answer, 'HistoryDetailList')
  if (!Array.isArray(details)) return null
  const begunAt = (detail: unknown) => numberIn(memberOf(detail, 'BeginTime')) ?? 0
  const newest = details.reduce<unknown>((best, each) => (best && begunAt(best) >= begunAt(each) ? best : each), null)
  const fileName = textIn(textIn(memberOf(newest, 'TaskName'), 1_024)?.split('/').at(-1))
  if (fileName === null) return null
  const run = { file_name: fileName, job_id: taskIdIn(memberOf(newest, 'TaskId')), attempt_id: null }
  const result = taskResults.get(numberIn(memberOf(newest, 'TaskStatus')))
  const reason = result === 'failed' ? 'the print stopped with an error' : null
  return { run, end: result === undefined ? null : { run, result, reason } }
}

/** The name of a job; some firmware sends one that names nothing. */
export function taskIdIn(value: unknown): string | null {
  const id = textIn(value, 128)
  return id === '0' ? null : id
}

/** By the printer's name of the job where both have one, else by the file. */
export function isSameTask(one: RunIdentity, other: RunIdentity): boolean {
  if (one.job_id !== null && other.job_id !== null) return one.job_id === other.job_id
  return one.file_name === other.file_name
}
