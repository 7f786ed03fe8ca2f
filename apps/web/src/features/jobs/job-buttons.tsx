import { Button } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import type { EditableJob } from './dialogs/edit-job-dialog.tsx'
import type { JobDialogs } from './dialogs/job-dialogs.tsx'
import type { JobActions } from './use-job-actions.ts'

interface JobButtonsProps {
  job: EditableJob & { needs_look: boolean }
  actions: JobActions
  dialogs: JobDialogs
  onPrintAgain: () => void
}

/** What can be done with a job where it stands now, as far as the reader may. */
export function JobButtons({ job, actions, dialogs, onPrintAgain }: JobButtonsProps) {
  const mayWrite = useMay('write')
  const mayControl = useMay('control')
  const { status } = job
  const isQueued = status === 'queued'
  const isOver = status === 'completed' || status === 'failed' || status === 'cancelled'
  const isBusy = actions.busyId === job.id
  const icon = (name: Parameters<typeof Icon>[0]['name']) => <Icon name={name} size={16} />
  return (
    <>
      {mayWrite && job.needs_look && (
        <Button leftSection={icon('search')} onClick={() => dialogs.open({ kind: 'resolve', job })}>
          {t('How did the print end?')}
        </Button>
      )}
      {mayControl && isQueued && (
        <Button
          leftSection={icon('play')}
          loading={isBusy}
          onClick={() => (job.printer_id ? void actions.start(job) : dialogs.open({ kind: 'assign', job }))}
        >
          {t('Start now')}
        </Button>
      )}
      {mayWrite && isQueued && (
        <>
          <Button variant="default" leftSection={icon('printer')} onClick={() => dialogs.open({ kind: 'assign', job })}>
            {t('Assign')}
          </Button>
          <Button variant="default" leftSection={icon('edit')} onClick={() => dialogs.open({ kind: 'edit', job })}>
            {t('Change')}
          </Button>
        </>
      )}
      {mayControl && status === 'printing' && (
        <Button variant="default" leftSection={icon('pause')} loading={isBusy} onClick={() => void actions.pause(job)}>
          {t('Pause')}
        </Button>
      )}
      {mayControl && status === 'paused' && (
        <Button leftSection={icon('play')} loading={isBusy} onClick={() => void actions.resume(job)}>
          {t('Resume')}
        </Button>
      )}
      {mayControl && !isOver && (
        <Button
          variant="default"
          leftSection={icon(isQueued ? 'close' : 'stop')}
          loading={isBusy}
          onClick={() => void actions.cancel(job)}
        >
          {isQueued ? t('Cancel') : t('Stop')}
        </Button>
      )}
      {mayWrite && status === 'failed' && (
        <Button leftSection={icon('retry')} loading={isBusy} onClick={() => void actions.retry(job)}>
          {t('Retry')}
        </Button>
      )}
      {mayWrite && isOver && (
        <Button variant="default" leftSection={icon('printer')} onClick={onPrintAgain}>
          {t('Print again')}
        </Button>
      )}
    </>
  )
}
