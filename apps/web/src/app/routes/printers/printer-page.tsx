import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { presentPrinterStatus } from '../../../features/printers/printer-state.ts'
import { printerQuery, printerStatusQuery } from '../../../features/printers/printers.api.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'

const route = getRouteApi('/member/shell/printers/$printerId')

export function PrinterPage() {
  const { printerId } = route.useParams()
  const printer = useQuery(printerQuery(printerId))
  const live = useQuery(printerStatusQuery(printerId))
  return (
    <QueryView query={printer} failed="The printer could not be read">
      {({ name, model, status }) => {
        const { tone, word } = presentPrinterStatus(live.data?.status ?? status)
        return (
          <PageHeader
            title={name}
            description={
              <>
                <LinkText to="/printers">Printers</LinkText> · {model}
              </>
            }
            badge={<StatusBadge tone={tone}>{word}</StatusBadge>}
          />
        )
      }}
    </QueryView>
  )
}
