import { Button, Text } from '@mantine/core'
import type { WebhookDelivery } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { attemptWords, deliveryState } from './webhook-words.ts'
import { useRedeliver } from './webhooks.api.ts'

interface DeliveryTableProps extends MorePages {
  webhookId: string
  deliveries: readonly WebhookDelivery[]
}

/** What was sent, the newest first, and what came of it. */
export function DeliveryTable({ webhookId, deliveries, ...more }: DeliveryTableProps) {
  const columns: Column<WebhookDelivery>[] = [
    {
      key: 'event',
      label: t('Event'),
      isTitle: true,
      cell: ({ event_type, subject_id }) => (
        <>
          {event_type}
          <Text size="sm" c="dimmed" fw={400}>
            <ThingLink id={subject_id}>{subject_id}</ThingLink>
          </Text>
        </>
      ),
    },
    {
      key: 'state',
      label: t('State'),
      cell: (delivery) => {
        const { tone, word } = deliveryState(delivery)
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    { key: 'answer', label: t('Answer'), cell: (delivery) => <LastAttempt delivery={delivery} /> },
    { key: 'attempts', label: t('Attempts'), align: 'right', cell: ({ attempts }) => attempts },
    {
      key: 'at',
      label: t('Sent'),
      cell: ({ attempted_at, due_at }) => (
        <>
          <Time at={attempted_at} as="clock" never={t('not yet')} />
          {due_at !== null && attempted_at !== null && (
            <Text size="sm" c="dimmed">
              <Rich text="again {time}" values={{ time: <Time at={due_at} /> }} />
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (delivery) => <Redeliver webhookId={webhookId} delivery={delivery} />,
    },
  ]
  return <DataTable label={t('Deliveries')} columns={columns} rows={deliveries} rowKey={({ id }) => id} {...more} />
}

function LastAttempt({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <>
      {attemptWords(delivery)}
      {delivery.answer !== null && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {delivery.answer}
        </Text>
      )}
      {delivery.history.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('before: {attempts}', { attempts: delivery.history.map(attemptWords).join('; ') })}
        </Text>
      )}
    </>
  )
}

function Redeliver({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const redeliver = useRedeliver(webhookId)
  const { busyId, perform } = useActions()
  const { id, event_type: type, subject_id: subject } = delivery
  if (delivery.is_test) return null
  const send = () =>
    perform({
      id,
      call: () => redeliver.mutateAsync(id),
      done: t('{type} is sent again', { type }),
      failed: t('{type} could not be sent again', { type }),
    })
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void send()}
      loading={busyId === id}
      aria-label={t('Redeliver {type} of {subject}', { type, subject })}
    >
      {t('Redeliver')}
    </Button>
  )
}
