import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { use } from 'react'
import { type HistorySearch, readHistorySearch } from '../../../features/jobs/history/history-filters.ts'
import { HistoryTable } from '../../../features/jobs/history/history-table.tsx'
import { jobHistoryQuery } from '../../../features/jobs/jobs.api.ts'
import { usePrintAgain } from '../../../features/jobs/use-print-again.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { TimeZoneContext } from '../../../ui/time.tsx'
import { HistoryBar } from './history-bar.tsx'
import { PrintWindow } from './print-window.tsx'
import { usePrinterOptions } from './use-printer-options.ts'

const route = getRouteApi('/member/shell/history')

export function HistoryPage() {
  const search: HistorySearch = route.useSearch()
  const list = useInfiniteQuery(jobHistoryQuery(readHistorySearch(search, use(TimeZoneContext))))
  const printers = usePrinterOptions()
  const again = usePrintAgain()
  const isFiltered = Object.values(search).some((value) => value !== undefined)

  return (
    <>
      <PageHeader title={t('History')} />
      <HistoryBar search={search} printers={printers} />
      <QueryView query={list} failed={t('The history could not be read')}>
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0 && isFiltered) {
            return (
              <EmptyState
                icon="search"
                title={t('No job that ended matches')}
                action={
                  <LinkButton to="/history" search={{}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          if (rows.length === 0) {
            return (
              <EmptyState
                icon="history"
                title={t('No job has ended yet')}
                action={<LinkButton to="/queue">{t('Go to the queue')}</LinkButton>}
              >
                {t('Every job that ends is kept here with its result.')}
              </EmptyState>
            )
          }
          return (
            <HistoryTable
              jobs={rows}
              printers={printers}
              onPrintAgain={(id, name) => void again.printAgain(id, name)}
              {...morePages(list)}
            />
          )
        }}
      </QueryView>
      <PrintWindow request={again.request} printers={printers} onClose={again.close} />
    </>
  )
}
