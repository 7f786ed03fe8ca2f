import { useInfiniteQuery } from '@tanstack/react-query'
import { apiKeyListQuery } from '../../../features/settings/settings.api.ts'
import type { ApiKey } from '../../../lib/api/api-routes.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<ApiKey>[] = [
  { key: 'name', label: 'Name', isTitle: true, cell: ({ name }) => name },
  { key: 'scopes', label: 'May', cell: ({ scopes }) => scopes.join(', ') },
  { key: 'used', label: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
]

export function ApiKeysPage() {
  const list = useInfiniteQuery(apiKeyListQuery())
  return (
    <>
      <PageHeader title="API keys" />
      <QueryView query={list} failed="The keys could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="key" title="No API key yet">
                Programs use a key to work with this account.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="API keys"
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
