import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PrinterOption } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import { printerChoicesQuery } from '../../../features/printers/printers.api.ts'

/** All printers of the account to choose from, by name. */
export function usePrinterOptions(): PrinterOption[] {
  const { data } = useQuery(printerChoicesQuery())
  return useMemo(() => (data ?? []).map(({ id, name }) => ({ value: id, label: name })), [data])
}
