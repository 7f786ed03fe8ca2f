import type { Sql } from '@printyard/server/db/database'
import type { FarmClient } from 'printyard/demo/farm-client'
import { atOnce } from './at-once.ts'

/** What became of a day, in simulated time. */
export interface DayFigures {
  jobs_completed: number
  jobs_waiting: number
  jobs_failed: number
  units: number
  plates: number
  late_jobs: number
  late_hours: number
  /** Share of the printers' time in which they printed, 0 to 1. */
  utilisation: number
  wall_minutes: number
  /** Every cause that took any time, with its minutes. */
  minutes: Record<string, number>
}

/** From the API, but for what it does not tell: plates, and how late jobs were. */
export async function readFigures(
  sql: Sql,
  farm: FarmClient,
  { accountId, printerIds }: { accountId: string; printerIds: readonly string[] },
  { from, to, speed }: { from: Date; to: Date; speed: number },
): Promise<DayFigures> {
  const span = `from=${from.toISOString()}&to=${to.toISOString()}`
  const { wallSeconds, seconds } = await sumTimelines(farm, printerIds, span)
  const stats = await farm.get<{ by_status: Record<string, number>; units_completed: number }>(`/jobs/stats?${span}`)
  const [late] = await sql<{ jobs: number; seconds: number }[]>`
    select count(*) as jobs,
      coalesce(sum(extract(epoch from coalesce(time_completed, ${to}) - due_date)), 0)::float8 as seconds
    from jobs where account_id = ${accountId} and due_date <= ${to} and coalesce(time_completed, ${to}) > due_date`
  const [done] = await sql<{ plates: number }[]>`
    select coalesce(sum(plates_done), 0)::int8 as plates from jobs where account_id = ${accountId}`
  const toMinutes = (real: number) => Math.round((real * speed) / 60)
  return {
    jobs_completed: stats.by_status.completed ?? 0,
    jobs_waiting: stats.by_status.queued ?? 0,
    jobs_failed: stats.by_status.failed ?? 0,
    units: stats.units_completed,
    plates: done?.plates ?? 0,
    late_jobs: late?.jobs ?? 0,
    late_hours: ((late?.seconds ?? 0) * speed) / 3_600,
    utilisation: (seconds.get('printing') ?? 0) / wallSeconds,
    wall_minutes: toMinutes(wallSeconds),
    minutes: Object.fromEntries([...seconds].map(([cause, real]) => [cause, toMinutes(real)])),
  }
}

/** Printer by printer, as the sums of the farm are in whole minutes, which are hours of a fast day. */
async function sumTimelines(farm: FarmClient, printerIds: readonly string[], span: string) {
  const seconds = new Map<string, number>()
  let wallSeconds = 0
  await atOnce(printerIds, async (id) => {
    const timeline = await farm.get<{ wall_seconds: number; totals: { cause: string; seconds: number }[] }>(
      `/printers/${id}/timeline?${span}&limit=1`,
    )
    wallSeconds += timeline.wall_seconds
    for (const { cause, seconds: some } of timeline.totals) {
      if (some > 0) seconds.set(cause, (seconds.get(cause) ?? 0) + some)
    }
  })
  return { wallSeconds, seconds }
}
