import { useInfiniteQuery } from '@tanstack/react-query'
import { taskListQuery } from '../../../features/worklist/worklist.api.ts'
import type { WorklistTask } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<WorklistTask>[] = [
  { key: 'title', label: 'Task', isTitle: true, cell: ({ title }) => title },
  { key: 'status', label: 'State', cell: ({ status }) => status.replace('_', ' ') },
  { key: 'at', label: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
]

export function WorklistPage() {
  const list = useInfiniteQuery(taskListQuery())
  return (
    <>
      <PageHeader title="Worklist" />
      <QueryView query={list} failed="The worklist could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="worklist" title="Nothing to do">
                Tasks come up here by themselves: plates to clear, filament to change, units to put together.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Tasks"
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
