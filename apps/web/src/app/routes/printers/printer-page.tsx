import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { OnePrinter } from '../../../features/printers/page/one-printer.tsx'
import { livePrintersQuery, printerQuery, printerStatusQuery } from '../../../features/printers/printers.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/printers/$printerId')

export function PrinterPage() {
  const { printerId } = route.useParams()
  const { day } = route.useSearch()
  const navigate = route.useNavigate()
  const printer = useQuery(printerQuery(printerId))
  const live = useQuery(printerStatusQuery(printerId))
  // Only the list of all tells what a printer did before it came out of reach.
  const last =
    useQuery({
      ...livePrintersQuery(),
      select: (rows) => rows.find(({ id }) => id === printerId)?.last_known ?? null,
    }).data ?? null
  return (
    <QueryView query={printer} failed={t('The printer could not be read')}>
      {(found) => (
        <QueryView query={live} failed={t('The status of the printer could not be read')}>
          {(status) => (
            <OnePrinter
              key={printerId}
              printer={found}
              live={status}
              last={last}
              day={day}
              onDay={(next) => void navigate({ search: next === undefined ? {} : { day: next }, replace: true })}
            />
          )}
        </QueryView>
      )}
    </QueryView>
  )
}
