import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { JobId, PrinterId } from '../../../kernel/ids.ts'
import type { PrinterState } from '../../../live/hub-messages.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { effectiveStatus } from '../effective-status.ts'
import type { FleetMemory } from '../fleet-memory.ts'
import type { LastTelemetry } from '../last-telemetry.ts'
import { findJobOfAttempt, type PrinterRow } from '../printers.queries.ts'
import type { LivePrinterStatus } from './printers.schema.ts'

/** What a status is made of, each of which is another object once it has changed. */
export interface StatusParts {
  printer: PrinterRow
  hubOnline: boolean
  state: PrinterState | undefined
  jobId: JobId | null
  heardAt: Date | undefined
}

/** Statuses of printers as they were answered last: the same parts make the same text. */
export class StatusTexts {
  readonly #texts = new WeakMap<PrinterRow, StatusParts & { text: string }>()

  /** What `write` makes of the status, now or when it was made of these parts before. */
  of(parts: StatusParts, write: (status: LivePrinterStatus) => string): string {
    const known = this.#texts.get(parts.printer)
    if (known !== undefined && isSame(known, parts)) return known.text
    const text = write(describeStatus(parts))
    this.#texts.set(parts.printer, { ...parts, text })
    return text
  }
}

const isSame = (one: StatusParts, other: StatusParts) =>
  one.state === other.state &&
  one.heardAt === other.heardAt &&
  one.jobId === other.jobId &&
  one.hubOnline === other.hubOnline

/** Finds what a printer is doing now. Whatever is live comes from memory, never from the database. */
export async function findStatusParts(
  context: Context,
  { fleet, lastTelemetry }: { fleet: FleetMemory; lastTelemetry: LastTelemetry },
  actor: Actor,
  printerId: PrinterId,
): Promise<StatusParts> {
  const { accountId } = actor
  const heard = context.printers.find(printerId)
  const attemptId = heard?.accountId === accountId ? heard.state.run?.attempt_id : undefined
  // Asked for each time: a job may be gone that a printer out of reach went on to print.
  const [printer, jobId] = attemptId
    ? await Promise.all([
        fleet.findPrinter(actor, printerId),
        findJobOfAttempt(context.db.sql, accountId, printerId, attemptId),
      ])
    : [await fleet.findPrinter(actor, printerId), undefined]
  if (!printer) throw notFound('printer')
  const { hubOnline, live } = findOwnLive(context, accountId, printer)
  return {
    printer,
    hubOnline,
    state: live?.state,
    jobId: (live?.state.run?.attempt_id === attemptId && jobId) || null,
    heardAt: lastTelemetry.find(accountId, printerId),
  }
}

function describeStatus({ printer, hubOnline, state, jobId, heardAt }: StatusParts): LivePrinterStatus {
  return {
    printer_id: printer.id,
    hub_online: hubOnline,
    status: hubOnline
      ? effectiveStatus({
          isActive: printer.is_active,
          inMaintenance: printer.in_maintenance,
          hubOnline,
          live: state,
        })
      : null,
    progress: state?.progress ?? null,
    nozzle_temp: state?.nozzle_temp ?? null,
    bed_temp: state?.bed_temp ?? null,
    chamber_temp: state?.chamber_temp ?? null,
    target_nozzle_temp: state?.target_nozzle_temp ?? null,
    target_bed_temp: state?.target_bed_temp ?? null,
    layer_num: state?.layer_num ?? null,
    total_layers: state?.total_layers ?? null,
    remaining_time_minutes: state?.remaining_time_minutes ?? null,
    current_job_id: jobId,
    ...(hubOnline
      ? loadedFilament(printer, state?.filament_type ?? null, state?.filament_color_hex ?? null)
      : { current_color: null, current_color_hex: null, current_filament_type: null }),
    last_telemetry_at: heardAt?.toISOString() ?? null,
  }
}

/**
 * What is loaded: what the printer reports, and what a person entered where it reports nothing. The entered name of a
 * colour does not stand for another colour that is reported.
 */
export function loadedFilament(
  printer: Pick<PrinterRow, 'current_color' | 'current_color_hex' | 'current_filament_type'>,
  reportedType: string | null,
  reportedHex: string | null,
): Pick<LivePrinterStatus, 'current_color' | 'current_color_hex' | 'current_filament_type'> {
  const isOtherColor = reportedHex !== null && reportedHex.toUpperCase() !== printer.current_color_hex.toUpperCase()
  return {
    current_color: isOtherColor ? null : printer.current_color || null,
    current_color_hex: reportedHex ?? (printer.current_color_hex || null),
    current_filament_type: reportedType ?? (printer.current_filament_type || null),
  }
}
