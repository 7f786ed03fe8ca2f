import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { listingMapsQuery, orderDetailsQuery, unmappedOrdersQuery } from '../../../features/orders/orders.api.ts'
import { ListingMapTable } from '../../../features/orders/unmapped/listing-map-table.tsx'
import { unmappedGroups } from '../../../features/orders/unmapped/unmapped-groups.ts'
import { UnmappedList } from '../../../features/orders/unmapped/unmapped-list.tsx'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

/** Lines that stand for no SKU, mapped where they stand; below, what was mapped so far. */
export function UnmappedPage() {
  const mayWrite = useMay('write')
  const maps = useInfiniteQuery(listingMapsQuery())
  return (
    <>
      <PageHeader
        title={t('Lines to map')}
        description={
          <Rich
            text="<link>Orders</link> · what shops sell, and which SKU it stands for"
            values={{ link: (words) => <LinkText to="/orders">{words}</LinkText> }}
          />
        }
      />
      <Stack gap="md">
        <Panel title={t('Not mapped yet')}>
          <Inbox mayWrite={mayWrite} />
        </Panel>
        <Panel title={t('Mapped listings')}>
          <QueryView query={maps} failed={t('The mapped listings could not be read')}>
            {(data) => {
              const rows = rowsOf(data) ?? []
              return rows.length === 0 ? (
                <EmptyState icon="label" title={t('No listing is mapped yet')}>
                  {t('Mappings made with “all like it” are kept here and apply to future orders.')}
                </EmptyState>
              ) : (
                <ListingMapTable maps={rows} {...morePages(maps)} />
              )
            }}
          </QueryView>
        </Panel>
      </Stack>
    </>
  )
}

function Inbox({ mayWrite }: { mayWrite: boolean }) {
  const orders = useInfiniteQuery(unmappedOrdersQuery())
  const found = useQueries({ queries: (rowsOf(orders.data) ?? []).map(({ id }) => orderDetailsQuery(id)) })
  const read = found.flatMap(({ data }) => data ?? [])
  const whole = {
    data: orders.data && read.length === found.length ? unmappedGroups(read) : undefined,
    error: orders.error ?? found.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all([orders.refetch(), ...found.map(({ refetch }) => refetch())]),
  }
  const { onMore, isLoadingMore } = morePages(orders)
  return (
    <QueryView query={whole} failed={t('The lines could not be read')}>
      {(groups) => (
        <>
          {groups.length === 0 && !onMore ? (
            <EmptyState
              icon="check"
              title={t('Every line is mapped')}
              action={
                <Group justify="center">
                  <LinkButton to="/production">{t('Units to print')}</LinkButton>
                  <LinkButton to="/orders" variant="default">
                    {t('Show the orders')}
                  </LinkButton>
                </Group>
              }
            />
          ) : (
            <UnmappedList groups={groups} mayWrite={mayWrite} />
          )}
          {onMore && (
            <Button variant="default" mt="sm" onClick={onMore} loading={isLoadingMore}>
              {t('Show more')}
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}
