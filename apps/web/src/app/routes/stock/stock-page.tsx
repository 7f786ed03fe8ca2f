import { Button, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LabelButton } from '../../../features/labels/label-button.tsx'
import { mostLabels } from '../../../features/labels/label-items.ts'
import { awaitingAssemblyQuery, stockCountsQuery, stockListQuery } from '../../../features/stock/stock.api.ts'
import { stockFiltersOf } from '../../../features/stock/stock-search.ts'
import { StockTable } from '../../../features/stock/stock-table.tsx'
import { apiPrefix } from '../../../lib/api/api-client.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { StockBar } from './stock-bar.tsx'

const route = getRouteApi('/member/shell/stock')

/** What is short now, for a spreadsheet. */
const shortAddress = `${apiPrefix}/analytics/inventory?by=sku&format=csv`

export function StockPage() {
  const search = route.useSearch()
  const list = useInfiniteQuery(stockListQuery(stockFiltersOf(search)))
  const awaiting = useQuery(awaitingAssemblyQuery())
  const mayWrite = useMay('write')
  // As many as are shown: who wants those of a shelf alone names it.
  const labelled = (rowsOf(list.data) ?? []).slice(0, mostLabels).map(({ id }) => ({ kind: 'bin' as const, id }))
  const isFiltered = Object.keys(search).length > 0
  return (
    <>
      <PageHeader
        title={t('Stock')}
        description={<StockCounts />}
        actions={
          <>
            {labelled.length > 0 && (
              <LabelButton
                items={labelled}
                label={labelled.length === 1 ? t('Print the bin label') : t('Print bin labels')}
              />
            )}
            <Button
              component="a"
              variant="default"
              href={shortAddress}
              download="short-of-stock.csv"
              leftSection={<Icon name="download" size={16} />}
            >
              {t('Short items, as CSV')}
            </Button>
          </>
        }
      />
      <StockBar search={search} />
      <QueryView query={list} failed={t('The stock could not be read')}>
        {(data) => {
          const items = rowsOf(data) ?? []
          if (items.length > 0) {
            return <StockTable items={items} awaiting={awaiting.data} mayWrite={mayWrite} {...morePages(list)} />
          }
          if (isFiltered) {
            return (
              <EmptyState
                icon="search"
                title={t('Nothing in the stock matches')}
                action={
                  <LinkButton to="/stock" search={{}} variant="default">
                    {t('Show all in use')}
                  </LinkButton>
                }
              />
            )
          }
          return (
            <EmptyState
              icon="stock"
              title={t('No stock yet')}
              action={
                <LinkButton to="/products" search={{}} variant="default">
                  {t('To the products')}
                </LinkButton>
              }
            >
              {t('Every SKU of a product has its place in the stock from the moment it is added.')}
            </EmptyState>
          )
        }}
      </QueryView>
    </>
  )
}

/** All in use by their state; what is short leads to it. */
function StockCounts() {
  const counts = useQuery(stockCountsQuery()).data
  if (!counts) return t('Finished goods, unit by unit.')
  const { low_stock, out_of_stock } = counts.by_status
  return (
    <Text component="span" inherit>
      <Rich
        text="{total_items, plural, one {# SKU} other {# SKUs}}, {total_ready, plural, one {# unit} other {# units}} ready, {total_needs_assembly} awaiting assembly · <link>{low_stock} low</link>"
        values={{
          total_items: counts.total_items,
          total_ready: counts.total_ready,
          total_needs_assembly: formatCount(counts.total_needs_assembly),
          low_stock: formatCount(low_stock),
          link: (words) => (
            <LinkText to="/stock" search={{ status: 'low_stock' }} inherit>
              {words}
            </LinkText>
          ),
        }}
      />
      ,{' '}
      <LinkText to="/stock" search={{ status: 'out_of_stock' }} inherit>
        {t('{out_of_stock} with none left', { out_of_stock: formatCount(out_of_stock) })}
      </LinkText>
    </Text>
  )
}
