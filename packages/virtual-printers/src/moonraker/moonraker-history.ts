import type { VirtualPrinter, VirtualReport } from '../virtual-printer.ts'
import { isRunActive } from './klipper-objects.ts'

/** A job of the history, as `server.history.list` shows it. Times in seconds since 1970, durations in seconds. */
interface MoonrakerJob {
  job_id: string
  filename: string
  status: string
  start_time: number
  end_time: number | null
  total_duration: number
  print_duration: number
  /** In mm. */
  filament_used: number
  user: string
  metadata: Record<string, unknown>
  auxiliary_data: unknown[]
  /** The file is still there. */
  exists: boolean
}

interface MoonrakerHistory {
  /** Oldest first. */
  readonly jobs: readonly MoonrakerJob[]
  /** Looks at the machine and writes down what began or ended since the last look. */
  look(): void
  /** Ends the job in progress for Moonraker: Klipper has gone. What it prints after that is not written down. */
  loseKlipper(status: 'klippy_disconnect' | 'klippy_shutdown'): void
  /** Moonraker is started again after it was killed: it finds a job in progress that it did not see end. */
  startAgain(): void
  /** A person deletes all jobs. */
  forget(): void
}

interface MoonrakerHistoryOptions {
  printer: VirtualPrinter
  /** `print_stats.total_duration`. */
  totalSeconds(report: VirtualReport): number
  onChange(action: 'added' | 'finished', job: MoonrakerJob): void
}

/** The history of Moonraker 0.10: it follows `print_stats`, and writes what it did not see itself down as lost. */
export function createMoonrakerHistory({ printer, totalSeconds, onChange }: MoonrakerHistoryOptions): MoonrakerHistory {
  const jobs: MoonrakerJob[] = []
  let before = printer.report()
  let current: MoonrakerJob | undefined
  if (before.fileName !== null && before.runId !== null) add(before)

  function add(report: VirtualReport): MoonrakerJob {
    const job: MoonrakerJob = {
      job_id: report.runId ?? '',
      filename: report.fileName ?? '',
      status: statusOf(report),
      start_time: Date.now() / 1_000,
      end_time: null,
      total_duration: totalSeconds(report),
      print_duration: 0,
      filament_used: 0,
      user: 'No User',
      metadata: {},
      auxiliary_data: [],
      exists: true,
    }
    jobs.push(job)
    if (isRunActive(report)) current = job
    return job
  }

  const finish = (status: string) => {
    const job = current
    current = undefined
    if (!job) return
    job.status = status
    job.end_time = Date.now() / 1_000
    job.total_duration = totalSeconds(printer.report())
    onChange('finished', job)
  }

  return {
    jobs,
    look() {
      const report = printer.report()
      const isNew = report.runId !== null && report.runId !== before.runId
      before = report
      if (isNew && report.fileName !== null) {
        finish('cancelled')
        current = add(report)
        onChange('added', { ...current, status: 'in_progress' })
      }
      if (current && !isRunActive(report)) finish(statusOf(report))
    },
    loseKlipper: finish,
    startAgain() {
      if (current) current.status = 'interrupted'
      current = undefined
    },
    forget() {
      jobs.length = 0
      current = undefined
    },
  }
}

function statusOf(report: VirtualReport): string {
  if (report.lastResult === null) return 'in_progress'
  return report.lastResult === 'failed' ? 'error' : report.lastResult
}
