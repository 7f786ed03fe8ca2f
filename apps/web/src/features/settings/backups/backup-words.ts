import type { Backup } from '../../../lib/api/api-schema.generated.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { Tone } from '../../../ui/tone.ts'

const states: Record<Backup['status'], { tone: Tone; word: string }> = {
  running: { tone: 'working', word: t('Being made') },
  done: { tone: 'done', word: t('Verified') },
  failed: { tone: 'trouble', word: t('Failed') },
}

/** A backup whose copy failed still lies on the disk, so that it is told apart from one that was not made. */
export function backupState({ status, copy_error }: Pick<Backup, 'status' | 'copy_error'>): {
  tone: Tone
  word: string
} {
  return copy_error === null ? states[status] : { tone: 'trouble', word: t('Verified, copy failed') }
}

/** What a backup holds, in a line; undefined for one that is none. */
export function contentWords(backup: Backup): string | undefined {
  if (backup.name === null) return undefined
  const { file_count: files, row_count: rows, missing_file_count: missing, is_encrypted: isEncrypted } = backup
  return [
    t('{rows, plural, one {# row} other {# rows}}', { rows: rows ?? 0 }),
    t('{files, plural, one {# file} other {# files}}', { files: files ?? 0 }),
    ...(missing ? [t('{missing, plural, one {# file} other {# files}} missing', { missing })] : []),
    isEncrypted ? t('encrypted') : t('not encrypted'),
  ].join(', ')
}

/** `81 MB, 1.2 MB of it new` */
export function sizeWords({ total_bytes: total, new_bytes: added }: Backup): string {
  if (total === null || added === null) return ''
  return t('{total}, {added} of it new', { total: formatBytes(total), added: formatBytes(added) })
}

const steps: Record<NonNullable<Backup['progress']>['step'], string> = {
  files: t('Copying files'),
  tables: t('Writing the database'),
  restore: t('Restoring it to check'),
  check: t('Comparing every table'),
  copy: t('Copying it to the bucket'),
}

/** `Copying files: 12 MB of 81 MB`; without how much there is where that is not known. */
export function progressWords({ step, unit, done, total }: NonNullable<Backup['progress']>): string {
  const words = unit === 'bytes' ? formatBytes : formatCount
  const values = { step: steps[step], done: words(done), total: total === null ? '' : words(total) }
  if (unit === 'bytes') return total === null ? t('{step}: {done}', values) : t('{step}: {done} of {total}', values)
  return total === null ? t('{step}: {done} rows', values) : t('{step}: {done} of {total} rows', values)
}
