import { useInfiniteQuery } from '@tanstack/react-query'
import { printerListQuery } from '../../../features/printers/printers.api.ts'
import type { Printer } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'

const columns: Column<Printer>[] = [
  { key: 'name', label: 'Printer', isTitle: true, cell: ({ name }) => name },
  { key: 'id', label: 'ID', cell: ({ id }) => id },
]

export function LabelsPage() {
  const list = useInfiniteQuery(printerListQuery())
  return (
    <>
      <PageHeader title="Labels" />
      <QueryView query={list} failed="The printers could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="label" title="Nothing to label yet">
                A label takes a person from a printer to its page.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Printers"
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
