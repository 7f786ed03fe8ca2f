import { useInfiniteQuery } from '@tanstack/react-query'
import { sessionListQuery } from '../../../features/settings/settings.api.ts'
import type { SessionRow } from '../../../lib/api/api-routes.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<SessionRow>[] = [
  { key: 'agent', label: 'Device', isTitle: true, cell: ({ user_agent }) => user_agent ?? 'Not known' },
  { key: 'ip', label: 'Address', cell: ({ ip }) => ip ?? '–' },
  { key: 'seen', label: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
]

export function SessionsPage() {
  const list = useInfiniteQuery(sessionListQuery())
  return (
    <>
      <PageHeader title="Sessions" />
      <QueryView query={list} failed="The sessions could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="device" title="No session">
                Wherever you sign in, it is listed here.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Sessions"
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
