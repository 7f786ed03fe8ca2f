import type { VirtualPrinter } from '../virtual-printer.ts'
import { untilHeard } from './wire-server.ts'

/** Calls `update` about so often, but not while the printer's link is silent. Returns what ends it. */
export function updateEvery(printer: VirtualPrinter, intervalMs: number, update: () => void): () => void {
  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    untilHeard(printer, AbortSignal.timeout(intervalMs * 2))
      .then(update, () => undefined)
      .finally(() => {
        isAsking = false
      })
  }, intervalMs)
  return () => clearInterval(timer)
}
