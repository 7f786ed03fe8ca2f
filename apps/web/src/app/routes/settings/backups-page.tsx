import { Alert, Button, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BackupTable } from '../../../features/settings/backups/backup-table.tsx'
import { backupsQuery, useBackUpNow } from '../../../features/settings/backups/backups.api.ts'
import { ScheduleForm } from '../../../features/settings/backups/schedule-form.tsx'
import type { Backups } from '../../../lib/api/api-schema.generated.ts'
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
      <PageHeader title="Backups" />
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
      done: 'A backup is being made',
      failed: 'The backup could not be started',
    })
  const now = (
    <Button loading={busyId === 'now'} disabled={isRunning} onClick={() => void start()}>
      Back up now
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Backups"
        description="Of the whole service: its database and all files."
        {...(query.data && { actions: now })}
      />
      <QueryView query={query} failed="The backups could not be read">
        {(data) => <BackupPanels data={data} />}
      </QueryView>
    </>
  )
}

function BackupPanels({ data }: { data: Backups }) {
  const { schedule, folder, is_in_data_folder: isInside, is_encrypted: isEncrypted, backups } = data
  return (
    <>
      <Alert
        color={isInside ? 'yellow' : 'blue'}
        variant="light"
        icon={<Icon name={isInside ? 'warning' : 'key'} />}
        mb="md"
      >
        Backups go to <Code>{folder}</Code>, {isEncrypted ? 'encrypted with a passphrase' : 'not encrypted'}. The secret
        key is never in them: keep a copy of <Code>secret.key</Code> in another place.
        {isInside &&
          ' The folder is within the data folder, so a broken disk takes both. The operator sets another one as PRINTYARD_BACKUP_DIR.'}
      </Alert>
      <Panel title="Schedule">
        <ScheduleForm key={JSON.stringify(schedule)} schedule={schedule} />
      </Panel>
      <Panel title="Last backups">
        {backups.length === 0 ? (
          <EmptyState icon="history" title="No backup yet">
            Make one now, or let one be made every day.
          </EmptyState>
        ) : (
          <BackupTable backups={backups} />
        )}
      </Panel>
    </>
  )
}
