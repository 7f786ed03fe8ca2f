import { Text } from '@mantine/core'
import { actorWords, eventTime } from '../../lib/actor-words.ts'
import type { JobPlan } from '../../lib/api/api-schema.generated.ts'
import { reasonWords } from '../../lib/reason-words.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { describeJobEvent, presentAttempt } from './job-events.ts'
import './job-tries.css'

type Attempt = JobPlan['attempts'][number]

const columnsFor = (jobStatus: string | null): Column<Attempt>[] => [
  { key: 'plate', label: 'Plate', isTitle: true, cell: ({ plate_number }) => `Plate ${plate_number}` },
  {
    key: 'printer',
    label: 'Printer',
    cell: ({ printer_id, printer_name }) => (
      <LinkText to="/printers/$printerId" params={{ printerId: printer_id }}>
        {printer_name ?? printer_id}
      </LinkText>
    ),
  },
  {
    key: 'state',
    label: 'State',
    cell: (attempt) => {
      const { tone, word } = presentAttempt(attempt, jobStatus)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  {
    key: 'reason',
    label: 'Reason',
    cell: ({ reason_code }) => (reason_code === null ? '–' : reasonWords(reason_code)),
  },
  { key: 'by', label: 'Started by', isWideOnly: true, cell: ({ actor, actor_name }) => actorWords(actor, actor_name) },
  { key: 'started', label: 'Started', cell: ({ reserved_at }) => <Time at={reserved_at} as="clock" /> },
  {
    key: 'ended',
    label: 'Ended',
    cell: ({ finished_at, time_note }) => (
      <span title={time_note ?? undefined}>
        <Time at={finished_at} as="clock" never="–" />
        {time_note !== null && ' (as reported)'}
      </span>
    ),
  },
]

/** Every try to print a plate of a job, the latest first. */
export function JobTries({ attempts, jobStatus }: { attempts: JobPlan['attempts']; jobStatus: string | null }) {
  if (attempts.length === 0) return <Text c="dimmed">No plate of it was tried yet.</Text>
  return <DataTable label="Tries" columns={columnsFor(jobStatus)} rows={attempts} rowKey={({ id }) => id} />
}

/** What happened to a job, the latest first. */
export function JobEvents({ events }: { events: JobPlan['events'] }) {
  return (
    <ul className="event-list plain-list">
      {events.map((event) => (
        <li key={event.id}>
          <Text span size="sm" c="dimmed">
            <Time at={eventTime(event).at} as="clock" />
          </Text>
          <Text span size="sm">
            {describeJobEvent(event)}{' '}
            <Text span size="sm" c="dimmed">
              by {actorWords(event.actor, event.actor_name)}
              {eventTime(event).note !== null && `. ${eventTime(event).note}`}
            </Text>
          </Text>
        </li>
      ))}
    </ul>
  )
}
