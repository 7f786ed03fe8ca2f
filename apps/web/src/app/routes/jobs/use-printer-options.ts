import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PrinterOption } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import { printerListQuery } from '../../../features/printers/printers.api.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'

/** All printers of the account to choose from, by name. */
export function usePrinterOptions(): PrinterOption[] {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(printerListQuery())
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (rowsOf(data) ?? []).map(({ id, name }) => ({ value: id, label: name }))
}
