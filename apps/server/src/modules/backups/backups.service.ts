import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Config } from '../../kernel/config.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import { type Work, workIn } from '../events/work.ts'
import { listAccounts } from '../people/accounts/accounts.queries.ts'
import { closeFarmTask, openFarmTask } from '../worklist/farm-tasks.ts'
import { BackupMaker } from './backup-maker.ts'
import { type BackupRun, endBrokenRuns, findLastOfService } from './backup-runs.queries.ts'
import { getSchedule, lockSchedule, updateSchedule } from './backup-schedule.queries.ts'
import type { BackupScheduleChange } from './backups.schema.ts'
import { nextBackupAt } from './due-time.ts'

const subjectId = 'backup'

const makeMaker = () => new BackupMaker()

/** The one that makes the backups of this service. */
export const makerOf = ({ memory }: Pick<Context, 'memory'>) => memory.hold(makeMaker, undefined)

/**
 * The account whose owners and admins look after the whole installation: the one that the settings name, else the only one there is.
 * Undefined where several share the service and none is named.
 */
export async function findOperator(sql: Sql, config: Pick<Config, 'operatorAccount'>): Promise<AccountId | undefined> {
  const accounts = await listAccounts(sql)
  if (config.operatorAccount !== undefined) return accounts.find(({ id }) => id === config.operatorAccount)?.id
  return accounts.length === 1 ? accounts[0]?.id : undefined
}

/** @throws AppError `NOT_OPERATOR` for people of an account that does not look after the installation */
export async function requireOperator(context: Pick<Context, 'db' | 'config'>, actor: Actor): Promise<void> {
  if ((await findOperator(context.db.sql, context.config)) === actor.accountId) return
  throw new AppError('NOT_OPERATOR')
}

/** Makes the backups that are due, ends runs that were broken off, and tells people of a backup that failed. */
export async function watchBackups(context: Context): Promise<void> {
  const { sql } = context.db
  const now = context.clock.now()
  await endBrokenRuns(sql, now, { isLockOurs: false })
  const last = await findLastOfService(sql)
  await updateFailureTask(context, last)
  const schedule = await getSchedule(sql)
  if (!schedule.is_enabled || last?.status === 'running' || context.isDraining()) return
  if (nextBackupAt(schedule.hour, asLast(last), now).getTime() > now.getTime()) return
  try {
    await makerOf(context).start(context, 'schedule')
  } catch (error) {
    // Another process of this service was first, or a person was.
    if (!(error instanceof AppError) || error.code !== 'BACKUP_RUNNING') throw error
  }
}

/** Changes the schedule; only what differs is recorded. */
export async function changeSchedule(work: Work, change: BackupScheduleChange): Promise<void> {
  const fields = changedFields(await lockSchedule(work.sql), change)
  if (fields.length === 0) return
  await updateSchedule(work.sql, { ...change, updated_at: work.now })
  await work.record({ type: 'backup_schedule.updated', subjectId: work.accountId, data: { fields } })
}

/** A run as the schedule sees it. */
export function asLast(run: BackupRun | undefined): { startedAt: Date; isDone: boolean } | undefined {
  return run && { startedAt: run.started_at, isDone: run.status === 'done' }
}

async function updateFailureTask(context: Context, last: BackupRun | undefined): Promise<void> {
  if (last === undefined || last.status === 'running') return
  const accountId = await findOperator(context.db.sql, context.config)
  if (accountId === undefined) return
  await context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'system', now: context.clock.now() })
    if (last.status === 'done') {
      await closeFarmTask(work, { source: 'backup', subjectId })
      return
    }
    await openFarmTask(work, {
      source: 'backup',
      subjectId,
      title: 'The last backup failed',
      subtitle: 'See Settings, Backups',
      description: `${last.error ?? ''} It was to go to ${last.folder}. It is tried again within the hour where backups are scheduled.`,
      task_type: 'maintenance',
      priority: 'high',
      printerId: null,
    })
  })
}
