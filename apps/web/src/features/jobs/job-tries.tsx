import { Text } from '@mantine/core'
import type { JobPlan } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { actorWords, eventTime } from '../../lib/words/actor-words.ts'
import { reasonWords } from '../../lib/words/reason-words.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { CameraPicture } from '../../ui/lists/camera-picture.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { describeJobEvent, presentAttempt } from './job-events.ts'
import './job-tries.css'

type Attempt = JobPlan['attempts'][number]

const columnsFor = (attempts: readonly Attempt[], jobStatus: string | null): Column<Attempt>[] => [
  {
    key: 'plate',
    label: t('Plate'),
    isTitle: true,
    cell: ({ plate_number }) => t('Plate {plate_number}', { plate_number }),
  },
  {
    key: 'printer',
    label: t('Printer'),
    cell: ({ printer_id, printer_name }) => (
      <LinkText to="/printers/$printerId" params={{ printerId: printer_id }}>
        {printer_name ?? printer_id}
      </LinkText>
    ),
  },
  {
    key: 'state',
    label: t('State'),
    cell: (attempt) => {
      const { tone, word } = presentAttempt(attempt, jobStatus)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  {
    key: 'reason',
    label: t('Reason'),
    cell: ({ reason_code }) => (reason_code === null ? '–' : reasonWords(reason_code)),
  },
  {
    key: 'by',
    label: t('Started by'),
    isWideOnly: true,
    cell: ({ actor, actor_name }) => actorWords(actor, actor_name),
  },
  { key: 'started', label: t('Started'), cell: ({ reserved_at }) => <Time at={reserved_at} as="clock" /> },
  {
    key: 'ended',
    label: t('Ended'),
    cell: ({ finished_at, time_note }) => (
      <span title={time_note ?? undefined}>
        <Time at={finished_at} as="clock" never="–" />
        {time_note !== null && t(' (as reported)')}
      </span>
    ),
  },
  ...(attempts.some(({ camera_picture_at }) => camera_picture_at !== null) ? [cameraColumn] : []),
]

const cameraColumn: Column<Attempt> = {
  key: 'camera',
  label: t('Camera'),
  cell: ({ failure_id, camera_picture_at, printer_id, printer_name }) =>
    failure_id === null || camera_picture_at === null ? (
      '–'
    ) : (
      <CameraPicture failureId={failure_id} takenAt={camera_picture_at} printerName={printer_name ?? printer_id} />
    ),
}

/** Every try to print a plate of a job, the latest first. */
export function JobTries({ attempts, jobStatus }: { attempts: JobPlan['attempts']; jobStatus: string | null }) {
  if (attempts.length === 0) return <Text c="dimmed">{t('No plate has been tried yet.')}</Text>
  return (
    <DataTable label={t('Tries')} columns={columnsFor(attempts, jobStatus)} rows={attempts} rowKey={({ id }) => id} />
  )
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
              {t('by {actor}', { actor: actorWords(event.actor, event.actor_name) })}
              {eventTime(event).note !== null && `. ${eventTime(event).note}`}
            </Text>
          </Text>
        </li>
      ))}
    </ul>
  )
}
