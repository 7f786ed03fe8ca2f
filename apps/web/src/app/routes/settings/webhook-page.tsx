import { Alert, Button, SegmentedControl, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { DeliveryTable } from '../../../features/settings/webhooks/delivery-table.tsx'
import { WebhookActions } from '../../../features/settings/webhooks/webhook-actions.tsx'
import { WebhookBadge } from '../../../features/settings/webhooks/webhook-table.tsx'
import { filterWords, pauseSentence } from '../../../features/settings/webhooks/webhook-words.ts'
import { deliveriesQuery, webhookQuery } from '../../../features/settings/webhooks/webhooks.api.ts'
import type { Webhook } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const route = getRouteApi('/member/shell/settings/webhooks/$webhookId')

export function WebhookPage() {
  return useMay('admin') ? (
    <WebhookDetails />
  ) : (
    <>
      <PageHeader title={t('Webhook')} />
      <NoPermission />
    </>
  )
}

function WebhookDetails() {
  const { webhookId } = route.useParams()
  const navigate = useNavigate()
  const found = useQuery(webhookQuery(webhookId))
  return (
    <QueryView query={found} failed={t('The webhook could not be read')}>
      {(webhook) => (
        <>
          <PageHeader
            title={new URL(webhook.url).host}
            description={<LinkText to="/settings/webhooks">{t('Webhooks')}</LinkText>}
            badge={<WebhookBadge webhook={webhook} />}
            actions={<WebhookActions webhook={webhook} onRemoved={() => void navigate({ to: '/settings/webhooks' })} />}
          />
          <Stack>
            <Trouble webhook={webhook} />
            <Panel title={t('Webhook details')}>
              <Facts
                facts={[
                  ['URL', webhook.url],
                  [t('For'), webhook.description],
                  [t('Events'), filterWords(webhook)],
                  [t('Made'), <Time key="made" at={webhook.created_at} as="full" />],
                ]}
              />
            </Panel>
            <Deliveries webhookId={webhookId} />
          </Stack>
        </>
      )}
    </QueryView>
  )
}

function Trouble({ webhook }: { webhook: Webhook }) {
  const paused = pauseSentence(webhook)
  if (paused !== undefined) {
    return (
      <Alert color="yellow" variant="light" icon={<Icon name="pause" />} title={t('Paused')}>
        {paused}
      </Alert>
    )
  }
  if (webhook.status !== 'failing') return null
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title={t('The receiver does not take events')}>
      <Rich
        text="No event was accepted since {time}. One event at a time is tried again; all waiting events are sent once one is accepted."
        values={{ time: <Time at={webhook.failing_since} as="full" /> }}
      />
    </Alert>
  )
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(deliveriesQuery(webhookId, status === undefined ? {} : { status }))
  return (
    <Panel
      title={t('Deliveries')}
      actions={
        <SegmentedControl
          aria-label={t('State')}
          size="xs"
          value={status ?? 'all'}
          onChange={(next) =>
            void navigate({ search: next === 'all' ? {} : { status: next as 'failed' }, replace: true })
          }
          data={[
            { value: 'all', label: t('All') },
            { value: 'pending', label: t('Waiting') },
            { value: 'delivered', label: t('Delivered') },
            { value: 'failed', label: t('Failed') },
          ]}
        />
      }
    >
      <QueryView query={list} failed={t('The deliveries could not be read')}>
        {(data) => {
          const deliveries = rowsOf(data) ?? []
          if (deliveries.length === 0) {
            return (
              <EmptyState
                icon="history"
                title={status === undefined ? t('Nothing was sent yet') : t('None in this state')}
                action={
                  status !== undefined && (
                    <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                      {t('Show all')}
                    </Button>
                  )
                }
              >
                {t('Deliveries are listed here for 30 days. A test call shows whether the receiver answers.')}
              </EmptyState>
            )
          }
          return <DeliveryTable webhookId={webhookId} deliveries={deliveries} {...morePages(list)} />
        }}
      </QueryView>
    </Panel>
  )
}
