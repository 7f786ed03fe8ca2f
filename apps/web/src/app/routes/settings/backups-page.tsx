import { Alert, Button, Code, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BackupTable } from '../../../features/settings/backups/backup-table.tsx'
import { backupsQuery, useBackUpNow } from '../../../features/settings/backups/backups.api.ts'
import { CopiesFacts } from '../../../features/settings/backups/copies-facts.tsx'
import { ScheduleForm } from '../../../features/settings/backups/schedule-form.tsx'
import type { Backups } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function BackupsPage() {
  return useMay('admin') ? (
    <AllBackups />
  ) : (
    <>
      <PageHeader title={t('Backups')} />
      <NoPermission />
    </>
  )
}

function AllBackups() {
  const query = useQuery(backupsQuery())
  const backUp = useBackUpNow()
  const { busyId, perform } = useActions('backups')
  const isRunning = query.data?.backups.some(({ status }) => status === 'running') ?? false
  const start = () =>
    perform({
      id: 'now',
      call: () => backUp.mutateAsync(),
      done: t('A backup is being made'),
      failed: t('The backup could not be started'),
    })
  const now = (
    <Button loading={busyId === 'now'} disabled={isRunning} onClick={() => void start()}>
      {t('Back up now')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Backups')}
        description={t('Backups of the whole service: its database and all files.')}
        {...(query.data && { actions: now })}
      />
      <QueryView query={query} failed={t('The backups could not be read')}>
        {(data) => <BackupPanels data={data} />}
      </QueryView>
    </>
  )
}

function BackupPanels({ data }: { data: Backups }) {
  const { schedule, folder, is_in_data_folder: isInside, is_encrypted: isEncrypted, copies, backups } = data
  return (
    <Stack>
      <Alert color={isInside ? 'yellow' : 'blue'} variant="light" icon={<Icon name={isInside ? 'warning' : 'key'} />}>
        <Rich
          text="Backups go to {folder}, {encryption}. The secret key is never in them: keep a copy of <code>secret.key</code> in another place."
          values={{
            folder: <Code>{folder}</Code>,
            encryption: isEncrypted ? t('encrypted with a passphrase') : t('not encrypted'),
            code: (words) => <Code>{words}</Code>,
          }}
        />
        {isInside &&
          t(
            ' The folder is within the data folder, so a broken disk takes both. The operator sets another one as PRINTYARD_BACKUP_DIR.',
          )}
      </Alert>
      <Panel title={t('Schedule')}>
        <ScheduleForm key={JSON.stringify(schedule)} schedule={schedule} />
      </Panel>
      <Panel title={t('Copies in an S3 store')}>
        <CopiesFacts copies={copies} />
      </Panel>
      <Panel title={t('Last backups')}>
        {backups.length === 0 ? (
          <EmptyState icon="history" title={t('No backup yet')}>
            {t('Make one now, or let one be made every day.')}
          </EmptyState>
        ) : (
          <BackupTable backups={backups} />
        )}
      </Panel>
    </Stack>
  )
}
