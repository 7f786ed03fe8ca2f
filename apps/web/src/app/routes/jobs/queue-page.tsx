import { useInfiniteQuery } from '@tanstack/react-query'
import { presentJobStatus } from '../../../features/jobs/job-state.ts'
import { jobListQuery } from '../../../features/jobs/jobs.api.ts'
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
  { key: 'at', label: 'Queued', cell: ({ time_submitted }) => <Time at={time_submitted} /> },
]

export function QueuePage() {
  const list = useInfiniteQuery(jobListQuery())
  return (
    <>
      <PageHeader title="Queue" />
      <QueryView query={list} failed="The queue could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="queue" title="Nothing is waiting">
                Choose a file and queue it: it starts on the first printer that fits.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Jobs"
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
