import { Text } from '@mantine/core'
import type { Webhook } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { filterWords, webhookState } from './webhook-words.ts'

const columns: Column<Webhook>[] = [
  {
    key: 'url',
    label: t('Receiver'),
    isTitle: true,
    cell: ({ id, url, description }) => (
      <>
        <LinkText to="/settings/webhooks/$webhookId" params={{ webhookId: id }} fw={600}>
          {new URL(url).host}
        </LinkText>
        {description !== '' && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  { key: 'state', label: t('State'), cell: (webhook) => <WebhookBadge webhook={webhook} /> },
  { key: 'events', label: t('Events'), cell: filterWords },
  { key: 'made', label: t('Made'), isWideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
]

export function WebhookTable({ webhooks, ...more }: MorePages & { webhooks: readonly Webhook[] }) {
  return <DataTable label={t('Webhooks')} columns={columns} rows={webhooks} rowKey={({ id }) => id} {...more} />
}

export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const { tone, word } = webhookState(webhook)
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
