import { useInfiniteQuery } from '@tanstack/react-query'
import { memberListQuery } from '../../../features/settings/settings.api.ts'
import type { Member } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<Member>[] = [
  { key: 'name', label: 'Name', isTitle: true, cell: ({ name }) => name },
  { key: 'role', label: 'Role', cell: ({ role }) => role },
  { key: 'since', label: 'Since', cell: ({ created_at }) => <Time at={created_at} as="clock" /> },
]

export function MembersPage() {
  const list = useInfiniteQuery(memberListQuery())
  return (
    <>
      <PageHeader title="Members" />
      <QueryView query={list} failed="The members could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="users" title="Nobody is here">
                Invite the people you work with.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Members"
              columns={columns}
              rows={rows}
              rowKey={({ user_id }) => user_id}
              onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
              isLoadingMore={list.isFetchingNextPage}
            />
          )
        }}
      </QueryView>
    </>
  )
}
