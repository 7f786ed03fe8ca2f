import type { AttemptOutcome, AttemptPhase } from '@printyard/protocol/attempt'
import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'

/**
 * What a minute of a printer went to, each with its sentence for people. Two are there because others would tell a lie
 * without them: a printer for which a job waits is not one without work (`not_started`), and one that was put out of use
 * on purpose is not one that is out of reach (`inactive`).
 */
export const causeSentences = {
  printing: 'It prints, a job of the farm or something started at its own screen.',
  transferring: 'It is taken for a job, and the file is on its way or the print about to begin.',
  paused: 'Its print is paused.',
  plate_not_clear: 'It could print, but no one has said that its plate is clear.',
  filament: 'It is ready and a job would fit, but the filament for it is not loaded.',
  no_matching_job: 'It is ready, and no queued job fits it.',
  not_started: 'It is ready and a queued job fits it, but the job has not been started.',
  error: 'It needs a person: it reports an error, or the outcome of its print is unknown.',
  offline: 'It, its hub or the service was out of reach, so its work was not observed.',
  maintenance: 'It is taken out of service, or busy with something that is no print.',
  inactive: 'It is deactivated in its settings.',
} as const

export type PeriodCause = keyof typeof causeSentences
export const periodCauses = Object.keys(causeSentences) as [PeriodCause, ...PeriodCause[]]

/** What only the queue can tell of a printer that is ready. */
export type WaitingCause = Extract<PeriodCause, 'filament' | 'no_matching_job' | 'not_started'>

/** Time that a printer spends on a print that goes on; all other time is idle. */
export const busyCauses: readonly PeriodCause[] = ['printing', 'transferring']

export interface PrinterStanding extends Pick<PrinterRow, 'is_active' | 'in_maintenance' | 'plate_state'> {
  /** What its own hub says of it now; undefined while that hub is away or has not reported it. */
  liveStatus: PrinterStatus | undefined
  /** The attempt that holds it. */
  attempt: { phase: AttemptPhase; outcome: AttemptOutcome | null } | undefined
}

/**
 * Answers why a printer's time goes where it goes at this moment; undefined when it is ready and the queue decides. The first that
 * holds wins: out of use, taken out of service, out of reach, in error, paused, printing, on its way to print, busy with
 * something else, plate not clear.
 */
export function causeOf({
  is_active,
  in_maintenance,
  plate_state,
  liveStatus,
  attempt,
}: PrinterStanding): Exclude<PeriodCause, WaitingCause> | undefined {
  if (!is_active) return 'inactive'
  if (in_maintenance) return 'maintenance'
  switch (liveStatus) {
    case undefined:
    case 'offline':
      return 'offline'
    case 'error':
      return 'error'
    case 'paused':
      return 'paused'
    case 'printing':
      return 'printing'
  }
  if (attempt) {
    // Idle, and no one knows whether the print was ever started or how it ended: a person has to look.
    if (attempt.outcome === 'unknown') return 'error'
    // The printer has ended before the report of the end is here, or heats and homes in the middle of the print.
    return attempt.phase === 'confirmed' ? 'printing' : 'transferring'
  }
  if (liveStatus === 'maintenance') return 'maintenance'
  return plate_state === 'clear' ? undefined : 'plate_not_clear'
}
