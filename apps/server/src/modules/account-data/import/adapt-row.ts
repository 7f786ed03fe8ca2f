import { serviceRestored } from '../../jobs/life/attempts.service.ts'
import type { JsonRow } from './read-lines.ts'

interface Arrival {
  /** Time when the export was made: from then on nothing is known. */
  takenAt: string
  /** IDs of the people who come along. */
  people: ReadonlySet<string>
}

/** What a row becomes on its way into another service. */
interface AdaptedRow {
  row: JsonRow
  /** Change, for the report. */
  change: string
}

/** Reason why a plate is unknown after an import; people read it. */
export const plateReason = 'The account came from another service, and what happened at the printer since is not known'

/**
 * Changes a row that says what is true of the moment of the export alone. Nothing that was printing is printed again by itself: its fate
 * is unknown, and a person is asked. Undefined for a row that stays as it is; that of an adapted row does too.
 */
export function adaptRow(kind: string, row: JsonRow, { takenAt, people }: Arrival): AdaptedRow | undefined {
  switch (kind) {
    case 'printers':
      if (row.plate_state !== 'clear') return undefined
      return {
        row: {
          ...row,
          plate_state: 'unknown',
          plate_job_id: null,
          plate_changed_at: takenAt,
          plate_changed_by: 'system',
          plate_change_reason: 'service_restored',
          plate_unknown_reason: plateReason,
        },
        change: 'its plate is to be looked at before anything starts there',
      }
    case 'attempts':
      return adaptAttempt(row, takenAt)
    case 'printer_periods':
      if (row.ended_at !== null) return undefined
      return { row: { ...row, ended_at: takenAt }, change: 'it ends with the export' }
    case 'notification_rules':
      if (row.is_active !== true && isEmpty(row.channel_ids)) return undefined
      return {
        row: { ...row, is_active: false, channel_ids: [] },
        change: 'it is switched off: its channels are to be entered and chosen again',
      }
    case 'automation_rules':
      return adaptAutomationRule(row)
    case 'shipments':
      if (row.packed_by === null || people.has(String(row.packed_by))) return undefined
      return { row: { ...row, packed_by: null }, change: 'who packed it had left the account' }
    default:
      return undefined
  }
}

function adaptAttempt(row: JsonRow, takenAt: string): AdaptedRow | undefined {
  const isSettled = row.phase === 'finished'
  if (isSettled || (row.outcome === 'unknown' && row.reason_code === serviceRestored)) return undefined
  return {
    row: {
      ...row,
      // One that was seen printing stays seen; of any other it is not known whether it began.
      phase: row.phase === 'confirmed' ? 'confirmed' : 'starting',
      outcome: 'unknown',
      reason_code: serviceRestored,
      unknown_since: row.unknown_since ?? takenAt,
    },
    change: 'it was printing: a person is asked how it ended, and it is not repeated',
  }
}

/** A rule would act on what happened long ago at the place that it comes from, and by channels and webhooks that are not here. */
function adaptAutomationRule(row: JsonRow): AdaptedRow | undefined {
  const actions = row.actions as JsonRow[]
  const namesNone = actions.every((action) => isEmpty(action.channel_ids ?? []) && action.webhook_id === undefined)
  if (row.mode === 'off' && namesNone) return undefined
  const bare = actions.map(({ webhook_id: _gone, ...action }) => ({
    ...action,
    ...(action.channel_ids !== undefined && { channel_ids: [] }),
  }))
  return {
    row: { ...row, mode: 'off', actions: bare },
    change: 'it is switched off, and its channels and webhooks are to be chosen again',
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
