import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFileOfAttempt } from '@printyard/protocol/attempt-file-name'

/** What a simulated printer wrote down about itself. */
export interface DeviceEvent {
  kind: string
  fileName: string | null
  runId: string | null
  detail?: string | null
  /** What lay on the plate at a start, and what was taken away. */
  onPlate?: readonly { fileName: string }[]
}

export type RunFate = 'never' | 'running' | 'completed' | 'failed' | 'cancelled'

const ends = ['completed', 'failed', 'cancelled']

/** The memory of a simulated printer, below the directory of its hub. */
export function devicePath(hubDir: string, printerId: string): string {
  return join(hubDir, 'virtual', `${printerId}.jsonl`)
}

/** A printer's own log: no part of the service or the hub writes it. Empty before its first moment. */
export function readDeviceLog(hubDir: string, printerId: string): DeviceEvent[] {
  const path = devicePath(hubDir, printerId)
  if (!existsSync(path)) return []
  // The last line may be half written at this moment.
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
  return lines.flatMap((line) => (JSON.parse(line) as { events?: DeviceEvent[] }).events ?? [])
}

export const startsOf = (log: readonly DeviceEvent[]) => log.filter(({ kind }) => kind === 'started')

/** Whether something still runs, by the printer's own account. */
export function isDeviceBusy(log: readonly DeviceEvent[]): boolean {
  const started = log.findLast(({ kind }) => kind === 'started')
  return started !== undefined && endOf(log, started) === undefined
}

/** What became of the print of an attempt, as one sees who was there all the time. */
export function fateOf(log: readonly DeviceEvent[], attemptId: string): RunFate {
  const started = startsOf(log).find(({ fileName }) => isFileOf(fileName, attemptId))
  if (!started) return 'never'
  return (endOf(log, started)?.kind as RunFate | undefined) ?? 'running'
}

/** What became of the last print that was not started by hand. */
export function fateOfLastOrder(log: readonly DeviceEvent[]): RunFate {
  const started = startsOf(log).findLast((event) => !isByHand(event))
  if (!started) return 'never'
  return (endOf(log, started)?.kind as RunFate | undefined) ?? 'running'
}

const endOf = (log: readonly DeviceEvent[], { runId }: DeviceEvent) =>
  log.find((event) => event.runId === runId && ends.includes(event.kind))

/** Whether an event is about the file of an attempt. */
export function isFileOf(fileName: string | null, attemptId: string): boolean {
  return fileName !== null && isFileOfAttempt(fileName, attemptId)
}

const handPrefix = 'by-hand-'

/** The name of a file that a person brings to a printer, which no attempt's file has. */
export const nameByHand = (number: number) => `${handPrefix}${number}.gcode`

export const isByHand = ({ fileName }: DeviceEvent) => fileName?.startsWith(handPrefix) === true
