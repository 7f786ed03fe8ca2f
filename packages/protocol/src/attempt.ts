import Type, { type Static } from 'typebox'
import { serialNumber } from './number-bounds.ts'
import { Nullable, oneOf } from './schema-tools.ts'

/**
 * Phase of one try to print one plate. `reserved`: the printer is ours, nothing sent. `transferring`: the hub has
 * journalled the command and brings the file to the printer. `starting`: the start was, or may have been, sent. `confirmed`:
 * the printer was seen running our file. `finished`: over, see the outcome.
 */
export const AttemptPhase = oneOf('reserved', 'transferring', 'starting', 'confirmed', 'finished')
export type AttemptPhase = Static<typeof AttemptPhase>

/**
 * How the try ended. `not_started`: it is certain that the printer never began, so the job may be queued again.
 * `unknown`: a start was sent and its fate is not known; such an attempt keeps its printer and is never sent again.
 */
export const AttemptOutcome = oneOf('done', 'failed', 'cancelled', 'not_started', 'unknown')
export type AttemptOutcome = Static<typeof AttemptOutcome>

/** What a claim about an attempt rests on. */
export const Evidence = Type.Object({
  /**
   * `telemetry`: the printer was seen running, or having ended, our file. `journal`: the hub's own durable record.
   * `refusal`: the printer or the hub said no before anything moved. `silence`: nothing was heard in time.
   */
  kind: oneOf('telemetry', 'journal', 'refusal', 'silence'),
  /** The printer's own identity of the run, where it has one. */
  run_id: Nullable(Type.String({ maxLength: 128 })),
  /** Why, for people: `The printer refused: door open`. */
  detail: Nullable(Type.String({ maxLength: 500 })),
})
export type Evidence = Static<typeof Evidence>

/** What the hub knows of one attempt. */
export const AttemptReport = Type.Object({
  attempt_id: Type.String({ maxLength: 64 }),
  printer_id: Type.String({ maxLength: 64 }),
  fence: Type.Integer(serialNumber),
  phase: AttemptPhase,
  outcome: Nullable(AttemptOutcome),
  evidence: Evidence,
  /** Time when it happened at the hub, ISO 8601; the service keeps its own arrival time beside it. */
  happened_at: Type.String({ maxLength: 40 }),
  /** A stable code when the outcome is failed or not_started: `FILE_CORRUPT`, `PRINTER_REFUSED`, `RUNOUT`, … */
  reason_code: Nullable(Type.String({ maxLength: 64 })),
  /** `PrinterState.run_mark` when the report was made; left out by hubs of older versions. */
  run_mark: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
  /** Only in `hello`: the name that the file has at the printer. */
  file_name: Type.Optional(Type.String({ maxLength: 255 })),
  /** The hub appends, or has appended, the ejection of the command to the file of this attempt. */
  with_ejection: Type.Optional(Type.Boolean()),
})
export type AttemptReport = Static<typeof AttemptReport>
