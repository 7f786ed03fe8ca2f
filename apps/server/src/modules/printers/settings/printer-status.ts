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

/** What an answer shows that is not in the row of its printer. */
interface Shown {
  state: PrinterState | undefined
  hubOnline: boolean
  jobId: JobId | undefined
  seenAt: Date | undefined
}

/**
 * The texts that tell what printers are doing now. Whatever is live comes from memory, never from the database. A text is written once
 * for each report: programs ask far more often.
 */
export class PrinterStatuses {
  readonly #context: Context
  readonly #fleet: FleetMemory
  readonly #lastTelemetry: LastTelemetry
  readonly #written = new WeakMap<PrinterRow, { shown: Shown; text: string }>()

  constructor(context: Context, fleet: FleetMemory, lastTelemetry: LastTelemetry) {
    this.#context = context
    this.#fleet = fleet
    this.#lastTelemetry = lastTelemetry
  }

  /**
   * @param write makes the text of a status
   * @throws AppError `NOT_FOUND`
   */
  async textOf(actor: Actor, printerId: PrinterId, write: (status: LivePrinterStatus) => string): Promise<string> {
    const { printer, ...shown } = await this.#find(actor, printerId)
    const last = this.#written.get(printer)
    if (last && isSame(last.shown, shown)) return last.text
    const text = write(present(printer, shown))
    this.#written.set(printer, { shown, text })
    return text
  }

  async #find(actor: Actor, printerId: PrinterId): Promise<Shown & { printer: PrinterRow }> {
    const { accountId } = actor
    const context = this.#context
    const heard = context.printers.find(printerId)
    const attemptId = heard?.accountId === accountId ? heard.state.run?.attempt_id : undefined
    const [printer, jobId] = await Promise.all([
      this.#fleet.findPrinter(actor, printerId),
      attemptId ? findJobOfAttempt(context.db.sql, accountId, printerId, attemptId) : undefined,
    ])
    if (!printer) throw notFound('printer')
    const { hubOnline, live } = findOwnLive(context, accountId, printer)
    return {
      printer,
      state: live?.state,
      hubOnline,
      jobId: (live?.state.run?.attempt_id && jobId) || undefined,
      seenAt: this.#lastTelemetry.find(accountId, printerId),
    }
  }
}

/** A report makes another state and another moment each time, so that these are the same only as long as none has come. */
const isSame = (one: Shown, other: Shown) =>
  one.state === other.state &&
  one.hubOnline === other.hubOnline &&
  one.jobId === other.jobId &&
  one.seenAt === other.seenAt

function present(printer: PrinterRow, { state, hubOnline, jobId, seenAt }: Shown): LivePrinterStatus {
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
    current_job_id: jobId ?? null,
    ...(hubOnline
      ? loadedFilament(printer, state?.filament_type ?? null, state?.filament_color_hex ?? null)
      : { current_color: null, current_color_hex: null, current_filament_type: null }),
    last_telemetry_at: seenAt?.toISOString() ?? null,
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
