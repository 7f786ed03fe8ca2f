import { useInfiniteQuery } from '@tanstack/react-query'
import { fileListQuery } from '../../../features/files/files.api.ts'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const columns: Column<PrintFile>[] = [
  {
    key: 'name',
    label: 'File',
    isTitle: true,
    cell: ({ id, name }) => (
      <LinkText to="/files/$fileId" params={{ fileId: id }}>
        {name}
      </LinkText>
    ),
  },
  { key: 'at', label: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
]

export function FilesPage() {
  const list = useInfiniteQuery(fileListQuery())
  return (
    <>
      <PageHeader title="Files" />
      <QueryView query={list} failed="The files could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="file" title="No file yet">
                A sliced file sent from your slicer or by the API appears here.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Files"
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
