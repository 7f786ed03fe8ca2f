import type { JobId, PrinterId } from '../../../kernel/ids.ts'

interface Drawn {
  row: { id: JobId }
  printerId: PrinterId | null
  isRunning: boolean
  startsAt: Date | null
  p50: Date | null
  p90: Date | null
}

/**
 * The jobs with the times of those that wait moved, printer by printer, by what is known since the forecast was made: what prints ends
 * earlier or later than it said, and what was to start by now has not.
 */
export function alignLanes<Job extends Drawn>(
  jobs: readonly Job[],
  forecasts: ReadonlyMap<JobId, { p50_at: Date | null; p90_at: Date | null }>,
  now: Date,
): Job[] {
  const moves = new Map<PrinterId, { p50Ms: number; p90Ms: number }>()
  for (const { row, printerId, isRunning, p50, p90 } of jobs) {
    const forecast = forecasts.get(row.id)
    if (!isRunning || printerId === null || !forecast?.p50_at || !p50) continue
    const p50Ms = Number(p50) - Number(forecast.p50_at)
    moves.set(printerId, { p50Ms, p90Ms: p90 && forecast.p90_at ? Number(p90) - Number(forecast.p90_at) : p50Ms })
  }
  const lanes = Map.groupBy(
    jobs.filter(({ isRunning, startsAt }) => !isRunning && startsAt !== null),
    ({ printerId }) => printerId,
  )
  for (const [printerId, its] of lanes) {
    if (printerId === null) continue
    const move = moves.get(printerId) ?? { p50Ms: 0, p90Ms: 0 }
    const first = Math.min(...its.map(({ startsAt }) => Number(startsAt)))
    const lateMs = Math.max(0, Number(now) - (first + move.p50Ms))
    moves.set(printerId, { p50Ms: move.p50Ms + lateMs, p90Ms: move.p90Ms + lateMs })
  }
  return jobs.map((job) => {
    const move = job.isRunning || job.printerId === null ? undefined : moves.get(job.printerId)
    if (!move) return job
    const by = (at: Date | null, ms: number) => at && new Date(Number(at) + ms)
    const p50 = by(job.p50, move.p50Ms)
    const p90 = by(job.p90, move.p90Ms)
    // Never sooner than the half of them, which may have moved further.
    return { ...job, startsAt: by(job.startsAt, move.p50Ms), p50, p90: p50 && p90 && p90 < p50 ? p50 : p90 }
  })
}
