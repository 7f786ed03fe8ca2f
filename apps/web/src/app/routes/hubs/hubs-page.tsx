import { useInfiniteQuery } from '@tanstack/react-query'
import { hubListQuery } from '../../../features/hubs/hubs.api.ts'
import type { Hub } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<Hub>[] = [
  {
    key: 'name',
    label: 'Hub',
    isTitle: true,
    cell: ({ id, name }) => (
      <LinkText to="/hubs/$hubId" params={{ hubId: id }}>
        {name}
      </LinkText>
    ),
  },
  {
    key: 'state',
    label: 'State',
    cell: ({ is_online }) =>
      is_online ? <StatusBadge tone="done">Connected</StatusBadge> : <StatusBadge tone="away">Away</StatusBadge>,
  },
  { key: 'printers', label: 'Printers', align: 'right', cell: ({ printer_count }) => printer_count },
  { key: 'seen', label: 'Last heard', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
]

export function HubsPage() {
  const list = useInfiniteQuery(hubListQuery())
  return (
    <>
      <PageHeader title="Hubs" />
      <QueryView query={list} failed="The hubs could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="hub" title="No hub yet">
                A hub runs on the network of your printers and talks to them.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Hubs"
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
