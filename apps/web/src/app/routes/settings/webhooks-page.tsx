import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { AddWebhookDialog } from '../../../features/settings/webhooks/webhook-form.tsx'
import { WebhookTable } from '../../../features/settings/webhooks/webhook-table.tsx'
import { webhookListQuery } from '../../../features/settings/webhooks/webhooks.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const reference = (
  <>
    <Rich
      text="Other programs are sent what happens here, signed. The <link>documentation</link> says how a receiver verifies it."
      values={{
        link: (words) => (
          <Anchor href="/docs/webhooks" underline="always">
            {words}
          </Anchor>
        ),
      }}
    />
  </>
)

export function WebhooksPage() {
  return useMay('admin') ? (
    <Webhooks />
  ) : (
    <>
      <PageHeader title={t('Webhooks')} />
      <NoPermission />
    </>
  )
}

function Webhooks() {
  const list = useInfiniteQuery(webhookListQuery())
  const [isAdding, { open, close }] = useDisclosure(false)
  const add = (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {t('Add a webhook')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Webhooks')} description={reference} actions={add} />
      <QueryView query={list} failed={t('The webhooks could not be read')}>
        {(data) => {
          const webhooks = rowsOf(data) ?? []
          if (webhooks.length === 0) {
            return (
              <EmptyState icon="forth" title={t('No webhook yet')}>
                {t('Add one for each program that is to be told of jobs, orders or stock as it happens.')}
              </EmptyState>
            )
          }
          return <WebhookTable webhooks={webhooks} {...morePages(list)} />
        }}
      </QueryView>
      <AddWebhookDialog isOpen={isAdding} onClose={close} />
    </>
  )
}
