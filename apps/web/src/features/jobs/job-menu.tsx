import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import type { EditableJob } from './dialogs/edit-job-dialog.tsx'
import type { JobDialogs } from './dialogs/job-dialogs.tsx'
import type { JobActions } from './use-job-actions.ts'

interface JobMenuProps {
  job: EditableJob & { needs_look: boolean }
  actions: JobActions
  dialogs: JobDialogs
  /** Entries of the place where it stands, above the others. */
  children?: ReactNode
}

/** What can be done with a job that is not over, as far as the reader may. */
export function JobMenu({ job, actions, dialogs, children }: JobMenuProps) {
  const mayWrite = useMay('write')
  const mayControl = useMay('control')
  if (!mayWrite && !mayControl) return null
  const isQueued = job.status === 'queued'
  return (
    <RowMenu label={t('Actions for {name}', { name: job.name })} isBusy={actions.busyId === job.id}>
      {children}
      {mayWrite && job.needs_look && (
        <Menu.Item
          leftSection={<Icon name="search" size={16} />}
          onClick={() => dialogs.open({ kind: 'resolve', job })}
        >
          {t('Report how the print ended…')}
        </Menu.Item>
      )}
      {mayControl && isQueued && (
        <Menu.Item
          leftSection={<Icon name="play" size={16} />}
          onClick={() => (job.printer_id ? void actions.start(job) : dialogs.open({ kind: 'assign', job }))}
        >
          {job.printer_id ? t('Start on {printer_name} now…', { printer_name: job.printer_name }) : t('Start now on…')}
        </Menu.Item>
      )}
      {mayControl && job.status === 'printing' && (
        <Menu.Item leftSection={<Icon name="pause" size={16} />} onClick={() => void actions.pause(job)}>
          {t('Pause…')}
        </Menu.Item>
      )}
      {mayControl && job.status === 'paused' && (
        <Menu.Item leftSection={<Icon name="play" size={16} />} onClick={() => void actions.resume(job)}>
          {t('Resume…')}
        </Menu.Item>
      )}
      {mayWrite && isQueued && (
        <>
          <Menu.Item
            leftSection={<Icon name="printer" size={16} />}
            onClick={() => dialogs.open({ kind: 'assign', job })}
          >
            {t('Assign a printer…')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => dialogs.open({ kind: 'edit', job })}>
            {t('Priority, due date, filament…')}
          </Menu.Item>
        </>
      )}
      {mayControl && (
        <Menu.Item color="red" leftSection={<Icon name="close" size={16} />} onClick={() => void actions.cancel(job)}>
          {isQueued ? t('Cancel') : t('Stop and cancel…')}
        </Menu.Item>
      )}
    </RowMenu>
  )
}
