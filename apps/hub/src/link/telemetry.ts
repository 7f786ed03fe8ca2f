import type { HubMessageBody } from '@printyard/protocol/messages'
import type { PrinterState, PrinterStateChange } from '@printyard/protocol/printer-state'

type Report = HubMessageBody<'telemetry'>['printers'][number]

/** Full pictures of more printers than this would come near the largest frame. */
const MAX_REPORTS_PER_FRAME = 100

/** Interval at which a printer that rests is reported when nothing of it changed. */
const REST_INTERVAL_MS = 15_000

/** The fields of `now` that differ from `before`; undefined when none does. */
export function changeBetween(before: PrinterState, now: PrinterState): PrinterStateChange | undefined {
  const change: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(now)) {
    const old = before[field as keyof PrinterState]
    if (old === value) continue
    if (value !== null && typeof value === 'object' && JSON.stringify(old) === JSON.stringify(value)) continue
    change[field] = value
  }
  // Every field comes from a PrinterState under its own name.
  return Object.keys(change).length > 0 ? (change as PrinterStateChange) : undefined
}

export interface Telemetry {
  /** A printer has a new picture. */
  markChanged(printerId: string): void
  /** Sends what has changed now, so that no message that follows from a picture overtakes it. */
  flush(): void
  /** The service knows nothing yet, as after each connect: the full picture goes next. */
  startAfresh(): void
  stop(): void
}

interface TelemetryOptions {
  states: ReadonlyMap<string, PrinterState>
  intervalMs: number
  /** False when the connection cannot take it now; what was not taken is contained in the next report. */
  send(reports: Report[]): boolean
}

/**
 * Gathers what changed at all printers into at most one batch per interval. The first change after a quiet interval goes
 * out at once. A printer that prints is reported as often as it speaks, even when no number has moved: people look at how
 * old its status is. One that rests is reported a few times a minute as long as it speaks.
 */
export function createTelemetry({ states, intervalMs, send }: TelemetryOptions): Telemetry {
  const sent = new Map<string, PrinterState>()
  const reportedAtMs = new Map<string, number>()
  const changed = new Set<string>()
  let lastAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  /** True when a printer that has spoken and shows nothing new is reported nevertheless. */
  const isDue = (printerId: string, { status }: PrinterState) => {
    if (status === 'printing') return true
    return status !== 'offline' && lastAtMs >= (reportedAtMs.get(printerId) ?? 0) + REST_INTERVAL_MS
  }

  const flush = () => {
    timer = undefined
    lastAtMs = performance.now()
    const reports: Report[] = []
    for (const printerId of changed) {
      const now = states.get(printerId)
      const before = sent.get(printerId)
      if (!now) {
        sent.delete(printerId)
        reportedAtMs.delete(printerId)
      } else if (!before) reports.push({ printer_id: printerId, full: true, state: now })
      else {
        const state = changeBetween(before, now) ?? (isDue(printerId, now) ? {} : undefined)
        if (state) reports.push({ printer_id: printerId, full: false, state })
      }
    }
    changed.clear()
    for (let start = 0; start < reports.length; start += MAX_REPORTS_PER_FRAME) {
      const batch = reports.slice(start, start + MAX_REPORTS_PER_FRAME)
      const isTaken = send(batch)
      for (const { printer_id } of batch) {
        const state = states.get(printer_id)
        if (isTaken && state) {
          sent.set(printer_id, state)
          reportedAtMs.set(printer_id, lastAtMs)
        } else changed.add(printer_id)
      }
    }
    if (changed.size > 0) schedule()
  }

  const schedule = () => {
    timer ??= setTimeout(flush, Math.max(0, lastAtMs + intervalMs - performance.now()))
  }

  return {
    markChanged(printerId) {
      changed.add(printerId)
      schedule()
    },
    flush() {
      if (changed.size === 0) return
      clearTimeout(timer)
      flush()
    },
    startAfresh() {
      sent.clear()
      for (const printerId of states.keys()) changed.add(printerId)
      lastAtMs = Number.NEGATIVE_INFINITY
      clearTimeout(timer)
      timer = undefined
      if (changed.size > 0) schedule()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
