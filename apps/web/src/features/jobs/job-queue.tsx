import type { Job } from '../../lib/api-types.ts'
import type { Polled } from '../../lib/use-polling.ts'
import { Command } from '../../ui/command.tsx'
import { LoadState } from '../../ui/load-state.tsx'
import { Section } from '../../ui/section.tsx'
import { JobList } from './job-list.tsx'

type JobQueueProps = { jobs: Polled<Job[]>; printerNames: ReadonlyMap<string, string>; origin: string }

export function JobQueue({ jobs, printerNames, origin }: JobQueueProps) {
  return (
    <Section title="Queue">
      <LoadState polled={jobs} />
      {jobs.value?.length === 0 && (
        <div className="empty">
          <p>Nothing is waiting or printing. Queue a sliced file, with a key that may write:</p>
          <Command
            line={`curl -X POST ${origin}/public/v1/jobs -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '{"print_file_id":"FILE_ID"}'`}
            purpose="queue a job"
          />
        </div>
      )}
      {jobs.value !== undefined && jobs.value.length > 0 && (
        <JobList
          label="Jobs under way and waiting"
          jobs={jobs.value}
          printerNames={printerNames}
          words={{ moment: 'Since' }}
        />
      )}
    </Section>
  )
}
