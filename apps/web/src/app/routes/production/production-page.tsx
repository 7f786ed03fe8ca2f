import { Button, Stack, Tabs, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { KeepDialog } from '../../../features/production/keep-dialog.tsx'
import { NeedList } from '../../../features/production/need-list.tsx'
import { ProduceDialog } from '../../../features/production/produce-dialog.tsx'
import { needsQuery, shelfQuery, unwantedQuery } from '../../../features/production/production.api.ts'
import {
  dueBeforeOf,
  needFiltersOf,
  type ProductionTab,
  productionTabs,
  readProductionSearch,
} from '../../../features/production/production-search.ts'
import { ShelfTable } from '../../../features/production/shelf-table.tsx'
import { UnwantedPanel } from '../../../features/production/unwanted-panel.tsx'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { useNowMs } from '../../../ui/time.tsx'
import { ProductionBar } from './production-bar.tsx'

const route = getRouteApi('/member/shell/production')

const tabWords: Record<ProductionTab, string> = {
  needs: t('To print'),
  shelf: t('Make to stock'),
  unwanted: t('Not needed'),
}

const descriptions: Record<ProductionTab, string> = {
  needs: t('Units that orders and the shelf need and nothing covers yet, the earliest due first.'),
  shelf: t('SKUs that are kept on the shelf. A shelf that is down to its level is filled up after all ordered units.'),
  unwanted: t('Queued work that nothing needs any more.'),
}

/** What an address has that the page does not know passes the router, and is read as left out. */
const useProductionSearch = () => readProductionSearch({ ...route.useSearch() })

export function ProductionPage() {
  const search = useProductionSearch()
  const navigate = route.useNavigate()
  const tab = search.tab ?? 'needs'
  const show = (chosen: string | null) =>
    void navigate({ search: readProductionSearch({ tab: chosen }), replace: true })
  return (
    <>
      <PageHeader title={t('Production')} description={descriptions[tab]} />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List aria-label={t('Parts of production')}>
          {productionTabs.map((each) => (
            <Tabs.Tab key={each} value={each} className="touch-target">
              {tabWords[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          {tab === 'needs' && <Needs />}
          {tab === 'shelf' && <Shelf />}
          {tab === 'unwanted' && <Unwanted />}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Needs() {
  const search = useProductionSearch()
  const nowMs = useNowMs()
  const filters = needFiltersOf(search, nowMs)
  const list = useInfiniteQuery(needsQuery(filters))
  const mayWrite = useMay('write')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [producing, setProducing] = useState<{ scope: Parameters<typeof ProduceDialog>[0]['scope']; words: string }>()
  const isFiltered = Object.keys(filters).length > 0
  const needs = rowsOf(list.data) ?? []
  const chosenHere = needs.filter(({ product_sku_id }) => chosen.has(product_sku_id))
  const produce = () => {
    const dueBefore = dueBeforeOf(search, Date.now())
    const shown = chosenHere.length > 0 ? chosenHere : isFiltered ? needs : []
    setProducing({
      words:
        shown.length > 0
          ? t('{shown, plural, one {# SKU} other {# SKUs}}', { shown: shown.length })
          : t('all that is needed'),
      scope: {
        ...(dueBefore !== undefined && { due_before: dueBefore }),
        ...(shown.length > 0 && { sku_ids: shown.slice(0, 500).map(({ product_sku_id }) => product_sku_id) }),
      },
    })
  }
  const label =
    chosenHere.length > 0
      ? t('Produce {chosenHere, plural, one {# SKU} other {# SKUs}}', { chosenHere: chosenHere.length })
      : isFiltered
        ? t('Produce these')
        : t('Produce all')
  return (
    <>
      <ProductionBar search={search} />
      <QueryView query={list} failed={t('The units to print could not be read')}>
        {() => {
          if (needs.length === 0 && isFiltered) {
            return (
              <EmptyState
                icon="search"
                title={t('No matching units to print')}
                action={
                  <LinkButton to="/production" search={{}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          if (needs.length === 0) {
            return (
              <EmptyState icon="check" title={t('No units to print')}>
                {t('Stock and live jobs cover all units that orders and the shelf need.')}
              </EmptyState>
            )
          }
          const { onMore, isLoadingMore } = morePages(list)
          return (
            <Stack gap="md">
              {mayWrite && (
                <div>
                  <Button leftSection={<Icon name="printer" size={16} />} onClick={produce}>
                    {label}
                  </Button>
                  <Text size="sm" c="dimmed" mt={4}>
                    {t('Shows first what would be queued.')}
                  </Text>
                </div>
              )}
              <NeedList needs={needs} chosen={mayWrite ? chosen : undefined} onChoose={setChosen} />
              {onMore && (
                <Button variant="default" onClick={onMore} loading={isLoadingMore}>
                  {t('Show more')}
                </Button>
              )}
            </Stack>
          )
        }}
      </QueryView>
      {producing && (
        <ProduceDialog
          {...producing}
          onClose={() => {
            setProducing(undefined)
            setChosen(new Set())
          }}
        />
      )}
    </>
  )
}

function Shelf() {
  const search = useProductionSearch()
  const list = useInfiniteQuery(shelfQuery(search.search))
  const mayWrite = useMay('write')
  const [isAdding, setAdding] = useState(false)
  const add = mayWrite && (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      {t('Keep a SKU on the shelf')}
    </Button>
  )
  return (
    <>
      <ProductionBar search={search} />
      <QueryView query={list} failed={t('The levels of the shelf could not be read')}>
        {(data) => {
          const levels = rowsOf(data) ?? []
          if (levels.length > 0) {
            return (
              <Stack gap="md" align="stretch">
                {add && <div>{add}</div>}
                <ShelfTable levels={levels} mayWrite={mayWrite} {...morePages(list)} />
              </Stack>
            )
          }
          if (search.search !== undefined) {
            return (
              <EmptyState
                icon="search"
                title={t('No SKU kept on the shelf matches')}
                action={
                  <LinkButton to="/production" search={{ tab: 'shelf' }} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          return (
            <EmptyState icon="stock" title={t('No SKU is kept on the shelf yet')} action={add}>
              {t('Set the level at which a SKU is restocked, and the level up to which it is filled.')}
            </EmptyState>
          )
        }}
      </QueryView>
      {isAdding && <KeepDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function Unwanted() {
  const unwanted = useQuery(unwantedQuery())
  const mayWrite = useMay('write')
  return (
    <QueryView query={unwanted} failed={t('The work that is not needed could not be read')}>
      {(found) =>
        found.jobs.length + found.assembly_tasks.length > 0 ? (
          <UnwantedPanel unwanted={found} mayWrite={mayWrite} />
        ) : (
          <EmptyState icon="check" title={t('All that is queued is needed')}>
            {t(
              'Jobs and assembly tasks that nothing needs any more, such as after an order was cancelled, are listed here.',
            )}
          </EmptyState>
        )
      }
    </QueryView>
  )
}
