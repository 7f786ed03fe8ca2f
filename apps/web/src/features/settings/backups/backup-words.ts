import type { Backup } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount, formatBytes } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/tone.ts'

const states: Record<Backup['status'], { tone: Tone; word: string }> = {
  running: { tone: 'working', word: 'Being made' },
  done: { tone: 'done', word: 'Verified' },
  failed: { tone: 'trouble', word: 'Failed' },
}

export function backupState({ status }: Pick<Backup, 'status'>): { tone: Tone; word: string } {
  return states[status]
}

/** What a backup holds, in a line; undefined for one that is none. */
export function contentWords(backup: Backup): string | undefined {
  if (backup.status !== 'done') return undefined
  const { file_count: files, row_count: rows, missing_file_count: missing, is_encrypted: isEncrypted } = backup
  return [
    formatAmount(rows ?? 0, 'row'),
    formatAmount(files ?? 0, 'file'),
    ...(missing ? [`${formatAmount(missing, 'file')} missing`] : []),
    isEncrypted ? 'encrypted' : 'not encrypted',
  ].join(', ')
}

/** `81 MB, 1.2 MB of it new` */
export function sizeWords({ total_bytes: total, new_bytes: added }: Backup): string {
  if (total === null || added === null) return ''
  return `${formatBytes(total)}, ${formatBytes(added)} of it new`
}
