import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { OrderBoard } from '../../../features/orders/order-board.tsx'
import { orderFiltersOf } from '../../../features/orders/order-search.ts'
import { OrderTable } from '../../../features/orders/order-table.tsx'
import { orderListQuery } from '../../../features/orders/orders.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { useNowMs } from '../../../ui/time.tsx'
import { OrderBar } from './order-bar.tsx'

const route = getRouteApi('/member/shell/orders')

export function OrdersPage() {
  const search = route.useSearch()
  const filters = orderFiltersOf(search, useNowMs())
  const list = useInfiniteQuery({ ...orderListQuery(filters), enabled: search.as !== 'board' })
  const mayWrite = useMay('write')
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title={t('Orders')}
        actions={
          <>
            {mayWrite && (
              <LinkButton data-adds to="/orders/new" leftSection={<Icon name="plus" size={16} />}>
                {t('New order')}
              </LinkButton>
            )}
            {mayWrite && (
              <LinkButton to="/orders/import" variant="default" leftSection={<Icon name="upload" size={16} />}>
                {t('Import')}
              </LinkButton>
            )}
            <LinkButton to="/orders/unmapped" variant="default" leftSection={<Icon name="label" size={16} />}>
              {t('Lines to map')}
            </LinkButton>
          </>
        }
      />
      <OrderBar search={search} />
      {search.as === 'board' ? (
        <OrderBoard filters={filters} />
      ) : (
        <QueryView query={list} failed={t('The orders could not be read')}>
          {(data) => {
            const rows = rowsOf(data) ?? []
            if (rows.length === 0 && isFiltered) {
              return (
                <EmptyState
                  icon="search"
                  title={t('No order matches')}
                  action={
                    <LinkButton to="/orders" search={{}} variant="default">
                      {t('Show all')}
                    </LinkButton>
                  }
                />
              )
            }
            if (rows.length === 0) {
              return (
                <EmptyState icon="order" title={t('No order yet')}>
                  {mayWrite
                    ? t(
                        'Enter an order by hand, import a file of your shop, or let an integration record them by the API.',
                      )
                    : t('Orders that are entered, imported or recorded by an integration are listed here.')}
                </EmptyState>
              )
            }
            return <OrderTable orders={rows} {...morePages(list)} />
          }}
        </QueryView>
      )}
    </>
  )
}
