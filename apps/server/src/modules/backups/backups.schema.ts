import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, request, resource, timestamp } from '../../http/schema.ts'
import { type BackupStep, backupSteps } from './archive/backup-progress.ts'
import type { BackupRun } from './backup-runs.queries.ts'
import type { BackupSchedule } from './backup-schedule.queries.ts'

const kept = (what: string, minimum: 0 | 1, example: number) =>
  Type.Integer({
    minimum,
    maximum: 1_000,
    description: `Number of ${what} for which the newest backup is kept`,
    examples: [example],
  })

const rule = {
  is_enabled: Type.Boolean({ description: 'Whether a backup is made every day', examples: [true] }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the day in UTC', examples: [2] }),
  keep_daily: kept('days', 1, 7),
  keep_weekly: kept('weeks', 0, 4),
  keep_monthly: kept('months', 0, 6),
}

export const BackupScheduleAnswer = resource('BackupSchedule', 'Schedule of backups, and how many are kept', {
  ...rule,
  next_at: nullable(timestamp('When the next one is made, at the latest; null where none is scheduled')),
})

export const BackupScheduleBody = request(
  {
    is_enabled: Type.Optional(rule.is_enabled),
    hour: Type.Optional(rule.hour),
    keep_daily: Type.Optional(rule.keep_daily),
    keep_weekly: Type.Optional(rule.keep_weekly),
    keep_monthly: Type.Optional(rule.keep_monthly),
  },
  { minProperties: 1 },
)
export type BackupScheduleChange = Static<typeof BackupScheduleBody>

const count = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 0, description, examples: [example] }))

const bucket = 's3://farm-backups/workshop'

const progress = answer(
  {
    step: oneOf(backupSteps, {
      description:
        'Copies print files and pictures (`files`), writes the tables (`tables`), restores them into a scratch database (`restore`), compares them there (`check`), copies the backup into a bucket (`copy`)',
    }),
    unit: oneOf(['bytes', 'rows'], { description: 'Unit of `done` and `total`' }),
    done: Type.Integer({ minimum: 0, description: 'Completed part of the step', examples: [24_000] }),
    total: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Total of the step; null where it is not known beforehand',
        examples: [51_000],
      }),
    ),
  },
  { description: 'Progress; null unless it runs and has come to its first file' },
)

const Backup = resource('Backup', 'A try to make a backup', {
  id: Type.String({ description: 'ID of the run', examples: ['bkp_01m83hwe7pfseq8fnpbpjb3e1s'] }),
  cause: oneOf(['schedule', 'person', 'command'], { description: 'Cause of the backup' }),
  status: oneOf(['running', 'done', 'failed'], {
    description: 'A backup that is done was restored once into a scratch database, and every table was the same',
  }),
  started_at: timestamp('Time at which it was started'),
  ended_at: nullable(timestamp('Time at which it ended; null while it runs')),
  progress: nullable(progress),
  folder: Type.String({
    description: 'Folder of the backup, on the machine of the service',
    examples: ['/media/backups'],
  }),
  name: nullable(
    Type.String({
      description: 'Its folder in there; null unless it was made',
      examples: ['backup-2026-11-23T02-00-00Z'],
    }),
  ),
  total_bytes: count('Size with all files', 81_000_000),
  new_bytes: count('Bytes that it added to the folder', 1_200_000),
  file_count: count('Print files and pictures in it', 120),
  missing_file_count: count('Files that the database knows and that could not be read', 0),
  row_count: count('Rows of all tables', 51_000),
  is_encrypted: nullable(
    Type.Boolean({ description: 'Whether a passphrase opens it; null unless it was made', examples: [true] }),
  ),
  error: nullable(
    Type.String({
      description: 'Reason why it failed; null otherwise',
      examples: ['No space is left for /media/backups.'],
    }),
  ),
  copy_to: nullable(
    Type.String({ description: 'The bucket that it is copied into; null where it is not copied', examples: [bucket] }),
  ),
  copied_at: nullable(timestamp('Time at which its copy was complete; null without one')),
  copy_error: nullable(
    Type.String({
      description:
        'Error of copying, although the backup itself was made; with `copied_at`, older copies could not be removed',
      examples: [`${bucket} cannot be used: Access Denied.`],
    }),
  ),
})

const BackupCopies = resource('BackupCopies', 'Copies of the backups in a bucket; null where the settings name none', {
  to: Type.String({ description: 'Address of the copies', examples: [bucket] }),
  last_name: nullable(
    Type.String({
      description: 'The newest backup that lies there; null without any',
      examples: ['backup-2026-11-23T02-00-00Z'],
    }),
  ),
  last_copied_at: nullable(timestamp('Time at which the latest copy was made')),
  failed_at: nullable(timestamp('Time at which the last attempt failed; null where it did not')),
  error: nullable(
    Type.String({
      description: 'Reason why the last attempt failed; null where it did not',
      examples: [`${bucket} cannot be used: Access Denied.`],
    }),
  ),
})

export const Backups = resource('Backups', 'The backups of the whole service', {
  schedule: BackupScheduleAnswer,
  folder: Type.String({
    description: 'Folder of backups, on the machine of the service',
    examples: ['/media/backups'],
  }),
  is_in_data_folder: Type.Boolean({
    description: 'Whether the folder is within the data folder, so that a broken disk destroys both',
    examples: [false],
  }),
  is_encrypted: Type.Boolean({ description: 'Whether backups are encrypted with a passphrase', examples: [true] }),
  copies: nullable(BackupCopies),
  backups: Type.Array(Backup, { description: 'The last twenty, the newest first' }),
})

export function presentSchedule(schedule: BackupSchedule, nextAt: Date | undefined) {
  const { is_enabled, hour, keep_daily, keep_weekly, keep_monthly } = schedule
  const next_at = is_enabled && nextAt !== undefined ? nextAt.toISOString() : null
  return { is_enabled, hour, keep_daily, keep_weekly, keep_monthly, next_at }
}

export function presentBackup({ error_code: _, step, step_done, step_total, ...run }: BackupRun) {
  const { status, started_at, ended_at, copied_at } = run
  const isUnderWay = status === 'running' && step !== null && step_done !== null
  return {
    ...run,
    progress: isUnderWay ? { step, unit: unitOf(step), done: step_done, total: step_total } : null,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    copied_at: copied_at?.toISOString() ?? null,
  }
}

const unitOf = (step: BackupStep) => (step === 'files' || step === 'copy' ? ('bytes' as const) : ('rows' as const))

export function presentCopies(
  to: string,
  last: Pick<BackupRun, 'name' | 'copied_at'> | undefined,
  tried: BackupRun | undefined,
) {
  const hasFailed = tried !== undefined && tried.copy_error !== null
  return {
    to,
    last_name: last?.name ?? null,
    last_copied_at: last?.copied_at?.toISOString() ?? null,
    failed_at: hasFailed ? (tried.ended_at?.toISOString() ?? null) : null,
    error: hasFailed ? tried.copy_error : null,
  }
}
