import { useInfiniteQuery } from '@tanstack/react-query'
import { presentJobStatus } from '../../../features/jobs/job-state.ts'
import { jobHistoryQuery } from '../../../features/jobs/jobs.api.ts'
import type { Job } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<Job>[] = [
  { key: 'name', label: 'Job', isTitle: true, cell: ({ product_name, file_name }) => product_name ?? file_name },
  {
    key: 'status',
    label: 'State',
    cell: ({ status }) => {
      const { tone, word } = presentJobStatus(status)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  { key: 'at', label: 'Ended', cell: ({ time_completed }) => <Time at={time_completed} as="clock" /> },
]

export function HistoryPage() {
  const list = useInfiniteQuery(jobHistoryQuery())
  return (
    <>
      <PageHeader title="History" />
      <QueryView query={list} failed="The history could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="history" title="No job has ended yet">
                Every job that ends is kept here with its result.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Jobs that ended"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
              isLoadingMore={list.isFetchingNextPage}
            />
          )
        }}
      </QueryView>
    </>
  )
}
