import { Text } from '@mantine/core'
import type { QueuedJob } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { PercentBar } from '../../../ui/lists/percent-bar.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import type { JobDialogs } from '../dialogs/job-dialogs.tsx'
import { JobAsks } from '../job-asks.tsx'
import { JobMenu } from '../job-menu.tsx'
import { presentJobStatus } from '../job-state.ts'
import { subjectOf } from '../job-subject.ts'
import type { JobActions } from '../use-job-actions.ts'
import './running-list.css'

interface RunningListProps {
  jobs: readonly QueuedJob[]
  actions: JobActions
  dialogs: JobDialogs
  /** When each printer out of reach was last seen, by its ID. */
  lastSeen: Readonly<Record<string, string>>
}

/** Jobs that hold a printer, with how far they are. */
export function RunningList({ jobs, actions, dialogs, lastSeen }: RunningListProps) {
  return (
    <ul className="running-list plain-list" aria-label={t('Jobs on a printer')}>
      {jobs.map((job) => {
        const subject = subjectOf(job)
        const { tone, word } = presentJobStatus(job.status)
        const seenAt = job.printer_id === null ? undefined : lastSeen[job.printer_id]
        return (
          <ListRow
            key={job.id}
            title={
              <>
                <LinkText to="/jobs/$jobId" params={{ jobId: job.id }} fw={600}>
                  {subject.name}
                </LinkText>
                {job.needs_look ? (
                  <StatusBadge tone="unknown">{t('Needs a check')}</StatusBadge>
                ) : (
                  <StatusBadge tone={seenAt === undefined ? tone : 'away'}>
                    {seenAt === undefined ? word : t('Out of reach')}
                  </StatusBadge>
                )}
                {job.cancel_requested && <StatusBadge tone="waiting">{t('Cancels when its hub is back')}</StatusBadge>}
              </>
            }
            actions={<JobMenu job={{ ...job, ...subject }} actions={actions} dialogs={dialogs} />}
          >
            <JobAsks job={job} />
            <div className={seenAt === undefined ? undefined : 'running-past'}>
              <JobProgress percent={job.progress_percentage} name={subject.name} />
              {seenAt !== undefined && (
                <Text size="sm" c="dimmed">
                  <Rich text="{word}, as last seen {time}" values={{ word, time: <Time at={seenAt} /> }} />
                </Text>
              )}
            </div>
          </ListRow>
        )
      })}
    </ul>
  )
}

/** How far a job is over all plates. */
export function JobProgress({ percent, name }: { percent: number | null; name: string }) {
  if (percent === null) return null
  return <PercentBar percent={percent} label={t('Progress of {name}', { name })} />
}
