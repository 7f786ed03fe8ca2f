import type { PrinterState, PrinterStatus } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import { type HealthEntry, needsPerson } from '../../../live/health-entries.ts'

/** What is published of a printer besides what it reports. */
export interface PrinterFacts extends Pick<PrinterRow, 'plate_state'> {
  health: readonly HealthEntry[]
  /** Tasks of people about it that are not done. */
  open_tasks: number
  /** The file of its job, and which of its plates; null without a job of ours. */
  job: string | null
  plate_number: number | null
  plates_total: number | null
}

/** The state of a printer as JSON. Unknown is null, which Home Assistant shows as unknown. */
export interface PrinterMessage {
  state: PrinterStatus
  /** True when its hub gets answers from it; commands work only then. */
  reachable: boolean
  progress: number | null
  remaining_minutes: number | null
  job: string | null
  plate_number: number | null
  plates_total: number | null
  plate: PrinterRow['plate_state']
  needs_person: boolean
  /** Why, in a sentence. */
  needs: string | null
  open_tasks: number
  light: 'ON' | 'OFF' | null
  nozzle_temp: number | null
  nozzle_target: number | null
  bed_temp: number | null
  bed_target: number | null
  chamber_temp: number | null
  layer: number | null
  layers: number | null
}

/** What moves all the time while a printer prints: a change of these alone is published seldom. */
const restless: ReadonlySet<string> = new Set([
  'nozzle_temp',
  'bed_temp',
  'chamber_temp',
  'layer',
] satisfies (keyof PrinterMessage)[])

/** Time after the last message about a printer before one may follow in which only temperatures and layers are others. */
export const restlessMs = 10_000

export function writePrinterMessage(
  { plate_state, health, open_tasks, job, plate_number, plates_total }: PrinterFacts,
  status: PrinterStatus,
  state: PrinterState | undefined,
): PrinterMessage {
  const isReachable = state !== undefined && state.status !== 'offline'
  const seen = isReachable ? state : undefined
  const needs = needOf(health, open_tasks, status, state)
  return {
    state: status,
    reachable: isReachable,
    progress: rounded(seen?.progress),
    remaining_minutes: seen?.remaining_time_minutes ?? null,
    job: job ?? seen?.run?.file_name ?? null,
    plate_number,
    plates_total,
    plate: plate_state,
    needs_person: needs !== null,
    needs,
    open_tasks,
    light: seen?.light_on === undefined || seen.light_on === null ? null : seen.light_on ? 'ON' : 'OFF',
    nozzle_temp: rounded(seen?.nozzle_temp),
    nozzle_target: rounded(seen?.target_nozzle_temp),
    bed_temp: rounded(seen?.bed_temp),
    bed_target: rounded(seen?.target_bed_temp),
    chamber_temp: rounded(seen?.chamber_temp),
    layer: seen?.layer_num ?? null,
    layers: seen?.total_layers ?? null,
  }
}

function needOf(
  health: readonly HealthEntry[],
  openTasks: number,
  status: PrinterStatus,
  state: PrinterState | undefined,
): string | null {
  const problem = health.find(needsPerson)
  if (problem) return problem.message
  if (status === 'error') return state?.status_reason ?? 'The printer reports an error.'
  if (openTasks > 0) return openTasks === 1 ? 'A task is open.' : `${openTasks} tasks are open.`
  return null
}

const rounded = (value: number | null | undefined) => (value === null || value === undefined ? null : Math.round(value))

/**
 * Answers when a message is due after another about the same printer, by the clock of `sentAtMs`; undefined when nothing is another.
 * A new state is due at once.
 */
export function dueAfter(
  sent: { message: PrinterMessage; sentAtMs: number } | undefined,
  message: PrinterMessage,
): number | undefined {
  if (!sent) return Number.NEGATIVE_INFINITY
  const changed = Object.entries(message).flatMap(([name, value]) =>
    sent.message[name as keyof PrinterMessage] === value ? [] : [name],
  )
  if (changed.length === 0) return undefined
  return changed.every((name) => restless.has(name)) ? sent.sentAtMs + restlessMs : Number.NEGATIVE_INFINITY
}
