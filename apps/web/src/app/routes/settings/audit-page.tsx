import { useInfiniteQuery } from '@tanstack/react-query'
import { eventListQuery } from '../../../features/settings/settings.api.ts'
import type { EventRow } from '../../../lib/api/api-routes.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<EventRow>[] = [
  { key: 'type', label: 'What', isTitle: true, cell: ({ type }) => type },
  { key: 'subject', label: 'About', cell: ({ subject_id }) => subject_id ?? '–' },
  { key: 'actor', label: 'By', cell: ({ actor }) => actor },
  { key: 'at', label: 'When', cell: ({ created_at }) => <Time at={created_at} as="full" /> },
]

export function AuditPage() {
  const list = useInfiniteQuery(eventListQuery())
  return (
    <>
      <PageHeader title="Audit log" />
      <QueryView query={list} failed="The audit log could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="audit" title="Nothing has happened yet">
                Every change is recorded here with who made it.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Events"
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
