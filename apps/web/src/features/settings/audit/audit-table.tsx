import { Code, Text } from '@mantine/core'
import type { NamedEvent } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { actorWords, eventTime } from '../../../lib/words/actor-words.ts'
import { eventFacts, eventWords, type Names } from '../../../lib/words/event-words.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import './audit-table.css'

interface AuditTableProps extends MorePages {
  events: readonly NamedEvent[]
  names: Names
}

/** What happened, the newest first. */
export function AuditTable({ events, names, ...more }: AuditTableProps) {
  const columns: Column<NamedEvent>[] = [
    { key: 'at', label: t('Time'), cell: (event) => <Time at={eventTime(event).at} as="full" /> },
    {
      key: 'type',
      label: t('Event'),
      isTitle: true,
      cell: ({ type, data }) => (
        <>
          <span title={type}>{eventWords(type)}</span>
          <Text size="sm" c="dimmed" fw={400} className="audit-facts break-anywhere">
            {eventFacts(data)}
          </Text>
        </>
      ),
    },
    {
      key: 'actor',
      label: t('By'),
      cell: ({ actor, actor_name }) => <span title={actor}>{actorWords(actor, actor_name)}</span>,
    },
    {
      key: 'subject',
      label: t('About'),
      cell: ({ subject_id }) => (
        <ThingLink id={subject_id}>{names.get(subject_id) ?? <Code className="audit-id">{subject_id}</Code>}</ThingLink>
      ),
    },
  ]
  return <DataTable label={t('Events')} columns={columns} rows={events} rowKey={({ id }) => id} {...more} />
}
