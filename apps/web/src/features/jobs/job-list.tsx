import type { Job } from '../../lib/api-types.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import { type JobPresentation, presentJob } from './job-presentation.ts'

type JobListProps = {
  label: string
  jobs: readonly Job[]
  printerNames: ReadonlyMap<string, string>
  /** Words before each job's duration and moment; the duration of what is under way speaks for itself. */
  words: { time?: string; moment: string }
}

/** One line per job on a wide screen, a block per job on a phone. */
export function JobList({ label, jobs, printerNames, words }: JobListProps) {
  const nowMs = Date.now()
  return (
    <ol className="jobs" aria-label={label}>
      {jobs.map((job) => (
        <JobLine key={job.id} shown={presentJob(job, printerNames, nowMs)} words={words} />
      ))}
    </ol>
  )
}

function JobLine({ shown, words }: { shown: JobPresentation; words: JobListProps['words'] }) {
  return (
    <li>
      <StatusMark tone={shown.tone} word={shown.word} />
      <div>
        <span className="job-name">{shown.name}</span>
        <span className="job-detail faint">{shown.detail}</span>
        {shown.reason && <span className="note">{shown.reason}</span>}
      </div>
      <div>{shown.printer}</div>
      <div>
        {words.time && <span className="faint">{words.time} </span>}
        {shown.time}
        {shown.percent !== undefined && (
          <progress max={100} value={shown.percent} aria-label={`Progress of ${shown.name}`} />
        )}
      </div>
      <div>
        <span className="faint">{words.moment}</span> {shown.moment}
      </div>
    </li>
  )
}
