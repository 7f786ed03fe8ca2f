import { useInfiniteQuery } from '@tanstack/react-query'
import { presentPrinterStatus } from '../../../features/printers/printer-state.ts'
import { printerListQuery } from '../../../features/printers/printers.api.ts'
import type { Printer } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'

const columns: Column<Printer>[] = [
  {
    key: 'name',
    label: 'Printer',
    isTitle: true,
    cell: ({ id, name }) => (
      <LinkText to="/printers/$printerId" params={{ printerId: id }}>
        {name}
      </LinkText>
    ),
  },
  {
    key: 'status',
    label: 'State',
    cell: ({ status }) => {
      const { tone, word } = presentPrinterStatus(status)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  { key: 'model', label: 'Model', cell: ({ model }) => model },
  { key: 'location', label: 'Place', cell: ({ location }) => location ?? '–' },
]

export function PrintersPage() {
  const printers = useInfiniteQuery(printerListQuery())
  return (
    <>
      <PageHeader title="Printers" actions={<LinkText to="/printers/wall">Wall display</LinkText>} />
      <QueryView query={printers} failed="The printers could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState icon="printer" title="No printer yet" action={<LinkText to="/hubs">Go to hubs</LinkText>}>
                A hub on the network of your printers finds them. Connect one first.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Printers"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              onMore={printers.hasNextPage ? () => void printers.fetchNextPage() : undefined}
              isLoadingMore={printers.isFetchingNextPage}
            />
          )
        }}
      </QueryView>
    </>
  )
}
