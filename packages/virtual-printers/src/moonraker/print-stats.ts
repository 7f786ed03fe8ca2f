import type { VirtualPrinter, VirtualReport } from '../virtual-printer.ts'
import { isRunActive } from './klipper-objects.ts'

/** What Klipper's `print_stats` remembers beside the machine: how long the run has lasted, and whether it was reset. */
interface PrintStats {
  /** Seconds since the start of the run, pauses included; they stand still once it is over. */
  totalSeconds(report: VirtualReport): number
  /** True when nothing is loaded any more, since `SDCARD_RESET_FILE` or a restart of Klipper. */
  isReset(report: VirtualReport): boolean
  /** Forgets the run that is over. */
  reset(): void
}

export function createPrintStats(printer: VirtualPrinter): PrintStats {
  let runId = printer.report().runId
  let startedMs = performance.now()
  let seconds = 0
  let resetRunId: string | null = null
  return {
    totalSeconds(report) {
      if (report.runId !== runId) {
        runId = report.runId
        startedMs = performance.now()
        seconds = 0
      }
      if (isRunActive(report)) seconds = (performance.now() - startedMs) / 1_000
      return seconds
    },
    isReset: (report) => report.runId === resetRunId && !isRunActive(report),
    reset() {
      resetRunId = printer.report().runId
    },
  }
}
