import type { VirtualPrinter } from '../virtual-printer.ts'

/** An entry of the record that a Centauri Carbon keeps of its jobs. */
interface SdcpJob {
  TaskId: string
  TaskName: string
  /** Seconds since 1970. */
  BeginTime: number
  EndTime: number
  /** 0 while it goes on, 1 completed, 2 stopped by an error, 3 stopped by a person. */
  TaskStatus: number
}

const endings: Partial<Record<string, number>> = { completed: 1, failed: 2, cancelled: 3 }

/** The jobs that a machine has started, newest first, those started by hand too. */
export function jobsOf(printer: Pick<VirtualPrinter, 'events'>): SdcpJob[] {
  const jobs = new Map<string, SdcpJob>()
  for (const { kind, runId, fileName, at } of printer.events) {
    if (runId === null) continue
    const seconds = Math.floor(at / 1_000)
    const known = jobs.get(runId)
    if (kind === 'started') {
      const names = { TaskId: runId, TaskName: `/local/${fileName}` }
      jobs.set(runId, { ...names, BeginTime: seconds, EndTime: 0, TaskStatus: 0 })
    } else if (known && endings[kind] !== undefined) {
      jobs.set(runId, { ...known, EndTime: seconds, TaskStatus: endings[kind] })
    }
  }
  return [...jobs.values()].reverse()
}

/** Files go by their path or by their name alone. */
export function nameIn(path: unknown): string {
  return String(path).replace(/^\/local\//, '')
}
