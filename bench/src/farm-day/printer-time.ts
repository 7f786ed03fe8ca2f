import { causeOf, type PeriodCause } from '@printyard/server/modules/timeline/period-cause'
import { makeWaitingCause, type QueueDemand } from '@printyard/server/modules/timeline/waiting-cause'
import type { Day, DayPrinter } from './day.ts'

/** Where the seconds of a printer went, and the period that it is in. */
export interface PrinterTime {
  since: number
  cause: PeriodCause | undefined
  seconds: Map<PeriodCause, number>
}

/** Looks at every printer, as the service does, and counts what has passed to the period that was open. */
export function noteTime(day: Day): void {
  const waitingCause = waitingCauseOf(day)
  for (const printer of day.printers) {
    const cause = causeNow(printer) ?? waitingCause(printer)
    if (cause !== printer.time.cause) endPeriod(printer.time, day.now, cause)
  }
}

export function endPeriod(time: PrinterTime, now: number, next: PeriodCause | undefined): void {
  if (time.cause !== undefined) {
    time.seconds.set(time.cause, (time.seconds.get(time.cause) ?? 0) + now - time.since)
  }
  time.since = now
  time.cause = next
}

function causeNow({ facts, isInHands, job }: DayPrinter): PeriodCause | undefined {
  // Whoever has his hands in a printer with a clear plate loads filament.
  if (isInHands && facts.plate_state === 'clear') return 'filament'
  return causeOf({
    is_active: facts.is_active,
    in_maintenance: facts.in_maintenance,
    plate_state: facts.plate_state,
    liveStatus: facts.status ?? undefined,
    attempt: job && { phase: facts.status === 'printing' ? 'confirmed' : 'transferring', outcome: null },
  })
}

function waitingCauseOf(day: Day): (printer: DayPrinter) => PeriodCause {
  const waiting = makeWaitingCause(demandOf(day))
  const known = new Map<string, PeriodCause>()
  return ({ facts, boundTo, wanted }) => {
    if (boundTo && wanted) return 'filament'
    const kind = `${facts.model} ${facts.nozzle_size} ${facts.filament_type} ${facts.color}`
    const cause =
      known.get(kind) ??
      waiting({
        id: facts.id,
        model: facts.model,
        nozzle_size: facts.nozzle_size,
        current_filament_type: facts.filament_type,
        current_color: facts.color,
        current_color_hex: facts.color_hex,
      })
    known.set(kind, cause)
    return cause
  }
}

function demandOf(day: Day): QueueDemand[] {
  const demand = new Map<string, QueueDemand>()
  for (const { status, facts, line } of day.jobs) {
    if (status !== 'queued') continue
    demand.set(line.file.name, {
      printer_id: null,
      printer_model: facts.file_model,
      nozzle_diameter: facts.nozzle_diameter,
      filament_type: facts.filament_type,
      color: facts.any_color ? '' : facts.color,
    })
  }
  return [...demand.values()]
}
