import type { Sql } from '@printyard/server/db/database'
import { findLastMade, listRuns } from '@printyard/server/modules/backups/backup-runs.queries'
import { getSchedule } from '@printyard/server/modules/backups/backup-schedule.queries'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { explained, type Finding, ok, warning } from './finding.ts'

const name = 'backups'
const hourMs = 3_600_000
/** One that is due every day, with time for retries. */
const lateAfterMs = 36 * hourMs

/**
 * Answers how old the newest backup is, and whether the last one failed. Nothing to say of a database that no version with backups
 * has used.
 */
export async function checkBackups(sql: Sql, now: Date): Promise<Finding[]> {
  const [table] = await sql<{ name: string | null }[]>`select to_regclass('backup_runs')::text as name`
  if (!table?.name) return []
  const [last] = await listRuns(sql, 1)
  const done = await findLastMade(sql)
  const { is_enabled: isScheduled } = await getSchedule(sql)
  if (last?.status === 'failed') {
    return [
      warning(
        name,
        tell`The last backup failed: ${explained(last.error ?? '', { code: last.error_code })}`,
        tell`See docs/operating/backups.md, then make one: \`npx printyard backup\`.`,
      ),
    ]
  }
  if (done === undefined) {
    return [
      warning(
        name,
        tell`There is none yet.`,
        tell`Make one with \`npx printyard backup\`, or schedule them in Settings, Backups.`,
      ),
    ]
  }
  const ageMs = now.getTime() - done.started_at.getTime()
  const words = tell`The newest is ${shareable(ageWords(ageMs))} old (${shareable(megabytes(done.total_bytes ?? 0))}, verified): ${done.folder}/${done.name ?? ''}.`
  if (isScheduled && ageMs > lateAfterMs) {
    return [warning(name, words, tell`One is scheduled every day: see Settings, Backups, and the log of the service.`)]
  }
  return [ok(name, words)]
}

function ageWords(ms: number): string {
  const hours = Math.max(0, Math.round(ms / hourMs))
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
