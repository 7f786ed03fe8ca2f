import type { Job } from '../../lib/api-types.ts'
import type { Polled } from '../../lib/use-polling.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { Section } from '../../ui/section.tsx'
import { JobList } from './job-list.tsx'

export function JobHistory({ jobs, printerNames }: { jobs: Polled<Job[]>; printerNames: ReadonlyMap<string, string> }) {
  return (
    <Section title="Last finished">
      <LoadState polled={jobs} />
      {jobs.value?.length === 0 && (
        <div className="empty">
          <p>No job has ended yet. The last ten appear here, with their result.</p>
        </div>
      )}
      {jobs.value !== undefined && jobs.value.length > 0 && (
        <JobList
          label="Jobs that ended last"
          jobs={jobs.value}
          printerNames={printerNames}
          words={{ time: 'Took', moment: 'Ended' }}
        />
      )}
    </Section>
  )
}
