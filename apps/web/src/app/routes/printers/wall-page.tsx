import { SimpleGrid, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { presentPrinterStatus } from '../../../features/printers/printer-state.ts'
import { printerListQuery } from '../../../features/printers/printers.api.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'

export function WallPage() {
  const printers = useInfiniteQuery(printerListQuery())
  return (
    <main className="wall" id="main">
      <PageHeader title="All printers" actions={<LinkText to="/printers">Leave</LinkText>} />
      <QueryView query={printers} failed="The printers could not be read">
        {(data) => (
          <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }}>
            {(rowsOf(data) ?? []).map(({ id, name, status }) => {
              const { tone, word } = presentPrinterStatus(status)
              return (
                <div key={id} className="panel">
                  <Text fw={650} size="lg" truncate>
                    {name}
                  </Text>
                  <StatusBadge tone={tone}>{word}</StatusBadge>
                </div>
              )
            })}
          </SimpleGrid>
        )}
      </QueryView>
    </main>
  )
}
