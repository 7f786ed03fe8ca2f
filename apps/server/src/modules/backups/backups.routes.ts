import { relative } from 'node:path'
import type { Context } from '../../context/context.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { bodyFailures, envelope, failures, ok, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { AppError } from '../../kernel/errors.ts'
import { workOf } from '../events/work.ts'
import { backupFolderOf } from './backup-folder-setting.ts'
import { findLastCopied, findLastCopyTried, findLastOfService, listRuns } from './backup-runs.queries.ts'
import { getSchedule, lockSchedule } from './backup-schedule.queries.ts'
import {
  BackupScheduleAnswer,
  BackupScheduleBody,
  Backups,
  presentBackup,
  presentCopies,
  presentSchedule,
} from './backups.schema.ts'
import { asLast, changeSchedule, makerOf, requireOperator } from './backups.service.ts'
import { nextBackupAt } from './due-time.ts'

const shownRuns = 20

/** Backups of the whole service, for those who look after it. */
export function backupRoutes(routes: App, context: Context): void {
  const { db, config, clock } = context
  const present = async (sql: typeof db.sql) => {
    const schedule = await getSchedule(sql)
    const last = asLast(await findLastOfService(sql))
    return presentSchedule(schedule, nextBackupAt(schedule.hour, last, clock.now()))
  }
  const showCopies = async (to: string) =>
    presentCopies(to, await findLastCopied(db.sql, to), await findLastCopyTried(db.sql, to))
  const show = async () => {
    const folder = backupFolderOf(config)
    return {
      schedule: await present(db.sql),
      folder,
      is_in_data_folder: !/^\.\.|^\//.test(relative(config.dataDir, folder)),
      is_encrypted: config.backupPassphraseFile !== undefined,
      copies: config.backupCopyTo === undefined ? null : await showCopies(config.backupCopyTo),
      backups: (await listRuns(db.sql, shownRuns)).map(presentBackup),
    }
  }

  routes.get(
    '/backups',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the backups of the service',
        response: { 200: envelope(Backups), ...failures('FORBIDDEN', 'NOT_OPERATOR') },
      },
    },
    async ({ actor }) => {
      await requireOperator(context, actor)
      return ok(await show())
    },
  )

  routes.post(
    '/backups',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Make a backup now',
        description:
          'Answers when it has started. It is made beside the running service, and counts once it was restored into a scratch database.',
        response: {
          202: envelope(Backups),
          ...failures(
            'FORBIDDEN',
            'NOT_OPERATOR',
            'BACKUP_RUNNING',
            'ORIGIN_REFUSED',
            'SERVICE_UNAVAILABLE',
            ...postFailures,
          ),
        },
      },
    },
    async ({ actor }, reply) => {
      await requireOperator(context, actor)
      const [newest] = await listRuns(db.sql, 1)
      if (newest?.status === 'running') throw new AppError('BACKUP_RUNNING')
      await makerOf(context).start(context, 'person')
      return reply.code(202).send(ok(await show()))
    },
  )

  routes.patch(
    '/backups/schedule',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change when backups are made, and how many stay',
        body: BackupScheduleBody,
        response: {
          200: envelope(BackupScheduleAnswer),
          ...failures('FORBIDDEN', 'NOT_OPERATOR', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      await requireOperator(context, actor)
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockSchedule(sql)
        return await present(sql)
      })
      return begin(async (sql) => {
        await changeSchedule(workOf(context, actor, sql), body)
        return ok(await present(sql))
      })
    },
  )
}
