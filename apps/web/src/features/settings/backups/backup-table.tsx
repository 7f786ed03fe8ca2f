import { Text } from '@mantine/core'
import type { Backup } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { WorkProgress } from '../../../ui/lists/work-progress.tsx'
import { Time } from '../../../ui/time.tsx'
import { backupState, contentWords, progressWords, sizeWords } from './backup-words.ts'

const causes: Record<Backup['cause'], string> = {
  schedule: t('by schedule'),
  person: t('by a person'),
  command: t('by the command line'),
}

const columns: Column<Backup>[] = [
  {
    key: 'age',
    label: t('Made'),
    isTitle: true,
    cell: ({ started_at, cause }) => (
      <>
        <Time at={started_at} />
        <Text size="sm" c="dimmed" fw={400}>
          {causes[cause]}
        </Text>
      </>
    ),
  },
  {
    key: 'state',
    label: t('State'),
    cell: (backup) => {
      const { tone, word } = backupState(backup)
      return (
        <>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          {backup.progress !== null && <BackupProgress progress={backup.progress} />}
          {backup.error !== null && <Text size="sm">{backup.error}</Text>}
        </>
      )
    },
  },
  {
    key: 'content',
    label: t('Content'),
    cell: (backup) => (
      <>
        {contentWords(backup)}
        {backup.name !== null && (
          <Text size="sm" c="dimmed">
            {backup.folder}/{backup.name}
          </Text>
        )}
        {backup.copied_at !== null && (
          <Text size="sm" c="dimmed">
            <Rich text="Copied to {place}" values={{ place: backup.copy_to ?? '' }} />
          </Text>
        )}
      </>
    ),
  },
  { key: 'size', label: t('Size'), align: 'right', cell: sizeWords },
]

function BackupProgress({ progress }: { progress: NonNullable<Backup['progress']> }) {
  const { done, total } = progress
  return (
    <WorkProgress done={done} total={total} label={t('Progress of the backup')}>
      {progressWords(progress)}
    </WorkProgress>
  )
}

/** The last backups, the newest first. */
export function BackupTable({ backups }: { backups: readonly Backup[] }) {
  return <DataTable label={t('Backups')} columns={columns} rows={backups} rowKey={({ id }) => id} />
}
