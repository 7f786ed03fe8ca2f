import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { effectiveStatus } from '../effective-status.ts'
import type { FleetMemory } from '../fleet-memory.ts'
import type { LastTelemetry } from '../last-telemetry.ts'
import { findJobOfAttempt, type PrinterRow } from '../printers.queries.ts'
import type { LivePrinterStatus } from './printers.schema.ts'

/** Answers what a printer is doing now. Whatever is live comes from memory, never from the database. */
export async function readPrinterStatus(
  context: Context,
  { fleet, lastTelemetry }: { fleet: FleetMemory; lastTelemetry: LastTelemetry },
  actor: Actor,
  printerId: PrinterId,
): Promise<LivePrinterStatus> {
  const { accountId } = actor
  const heard = context.printers.find(printerId)
  const attemptId = heard?.accountId === accountId ? heard.state.run?.attempt_id : undefined
  const [printer, jobId] = await Promise.all([
    fleet.findPrinter(actor, printerId),
    attemptId ? findJobOfAttempt(context.db.sql, accountId, printerId, attemptId) : undefined,
  ])
  if (!printer) throw notFound('printer')

  const { hubOnline, live } = findOwnLive(context, accountId, printer)
  const state = live?.state
  return {
    printer_id: printerId,
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
    current_job_id: (state?.run?.attempt_id && jobId) || null,
    ...(hubOnline
      ? loadedFilament(printer, state?.filament_type ?? null, state?.filament_color_hex ?? null)
      : { current_color: null, current_color_hex: null, current_filament_type: null }),
    last_telemetry_at: lastTelemetry.find(accountId, printerId)?.toISOString() ?? null,
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
