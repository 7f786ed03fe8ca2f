import type { PlateNeed } from '@printyard/server/modules/matching/farm-facts'
import { kindOf } from '@printyard/server/modules/matching/likeness'
import { causeOf, type PeriodCause } from '@printyard/server/modules/timeline/period-cause'
import { makeWaitingCause } from '@printyard/server/modules/timeline/waiting-cause'
import type { Day, DayPrinter } from './day.ts'

/** Where the seconds of a printer went, and the period that it is in. */
export interface PrinterTime {
  since: number
  cause: PeriodCause | undefined
  seconds: Map<PeriodCause, number>
}

/** Looks at every printer, as the service does, and counts what has passed to the period that was open. */
export function updatePeriods(day: Day): void {
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
  // Anyone who has his hands in a printer with a clear plate loads filament.
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
  const waiting = makeWaitingCause(demandOf(day), day.farm)
  const known = new Map<string, PeriodCause>()
  return ({ facts, boundTo, wanted }) => {
    if (boundTo && wanted) return 'filament'
    const kind = kindOf(facts)
    const cause = known.get(kind) ?? waiting(facts)
    known.set(kind, cause)
    return cause
  }
}

function demandOf(day: Day): PlateNeed[] {
  const queued = day.jobs.filter(({ status }) => status === 'queued')
  return [...new Map(queued.map(({ facts, line }) => [line.file.name, facts])).values()]
}
