import { Progress, Text } from '@mantine/core'
import type { QueuedJob } from '../../lib/api/api-schema.generated.ts'
import { formatPercent } from '../../lib/format.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { JobAsks } from './job-asks.tsx'
import type { JobDialogs } from './job-dialogs.tsx'
import { JobMenu } from './job-menu.tsx'
import { presentJobStatus } from './job-state.ts'
import { subjectOf } from './job-subject.ts'
import type { JobActions } from './use-job-actions.tsx'

interface RunningListProps {
  jobs: readonly QueuedJob[]
  actions: JobActions
  dialogs: JobDialogs
}

/** Jobs that hold a printer, with how far they are. */
export function RunningList({ jobs, actions, dialogs }: RunningListProps) {
  return (
    <ul className="queue-list running-list" aria-label="Jobs on a printer">
      {jobs.map((job) => {
        const subject = subjectOf(job)
        const { tone, word } = presentJobStatus(job.status)
        return (
          <li key={job.id} className="queue-row">
            <div className="queue-main">
              <div className="queue-title">
                <LinkText to="/jobs/$jobId" params={{ jobId: job.id }} fw={600}>
                  {subject.name}
                </LinkText>
                {job.needs_look ? (
                  <StatusBadge tone="unknown">Somebody must look</StatusBadge>
                ) : (
                  <StatusBadge tone={tone}>{word}</StatusBadge>
                )}
                {job.cancel_requested && <StatusBadge tone="waiting">Cancels when its hub is back</StatusBadge>}
              </div>
              <JobAsks job={job} />
              <JobProgress percent={job.progress_percentage} name={subject.name} />
            </div>
            <JobMenu job={{ ...job, ...subject }} actions={actions} dialogs={dialogs} />
          </li>
        )
      })}
    </ul>
  )
}

/** How far a job is over all plates. */
export function JobProgress({ percent, name }: { percent: number | null; name: string }) {
  if (percent === null) return null
  return (
    <div className="job-progress">
      <Progress.Root size="sm">
        <Progress.Section value={percent} aria-label={`Progress of ${name}`} />
      </Progress.Root>
      <Text span size="sm">
        {formatPercent(percent)}
      </Text>
    </div>
  )
}
