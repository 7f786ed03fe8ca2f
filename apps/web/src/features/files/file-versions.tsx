import { Button, FileButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { PrintFileDetail } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'
import type { FileActions } from './use-file-actions.ts'

type Version = PrintFileDetail['versions'][number]

/** The versions of a file: which one new jobs print, and a new one. */
export function FileVersions({ file, actions }: { file: PrintFileDetail; actions: FileActions }) {
  const mayWrite = useMay('write')
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort(new Error(t('The page was left before the file was sent.')))
  }, [])
  const isBusy = actions.busyId === file.id
  const columns: Column<Version>[] = [
    {
      key: 'number',
      label: t('Version'),
      isTitle: true,
      cell: ({ version_number }) => t('Version {version_number}', { version_number }),
    },
    { key: 'at', label: t('Added'), cell: ({ created_at }) => <Time at={created_at} as="full" /> },
    { key: 'notes', label: t('Notes'), cell: ({ notes }) => notes || '–' },
    {
      key: 'current',
      label: t('New jobs print'),
      cell: ({ is_current_version, version_number }) =>
        is_current_version ? (
          <StatusBadge tone="done">{t('This one')}</StatusBadge>
        ) : mayWrite ? (
          <Button
            size="xs"
            variant="default"
            disabled={isBusy}
            onClick={() => void actions.makeCurrent(file, version_number)}
          >
            {t('Make version {version_number} current', { version_number })}
          </Button>
        ) : (
          '–'
        ),
    },
  ]
  return (
    <Panel
      title={t('Versions')}
      actions={
        mayWrite && (
          <FileButton onChange={(chosen) => chosen && void actions.addVersion(file, chosen, leaving.current.signal)}>
            {(props) => (
              <Button {...props} variant="default" loading={isBusy} leftSection={<Icon name="upload" size={16} />}>
                {t('Upload a new version')}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      <DataTable label={t('Versions')} columns={columns} rows={file.versions} rowKey={({ id }) => id} />
    </Panel>
  )
}
