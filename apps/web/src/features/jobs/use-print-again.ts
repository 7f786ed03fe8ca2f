import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { jobQuery } from '../../lib/api/shared-queries.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastFailed } from '../../ui/dialogs/toast.tsx'
import type { PrintRequest } from './dialogs/print-dialog.tsx'
import { jobPlanQuery } from './jobs.api.ts'

/** A job as a request for another one like it, which the print dialog then asks about. */
export function usePrintAgain() {
  const queryClient = useQueryClient()
  const [request, setRequest] = useState<PrintRequest>()

  async function printAgain(jobId: string, name: string): Promise<void> {
    try {
      const [job, plan] = await Promise.all([
        queryClient.fetchQuery(jobQuery(jobId)),
        queryClient.fetchQuery(jobPlanQuery(jobId)),
      ])
      if (plan.file_deleted) throw new Error(t('Its file was deleted. Upload it again, then print it from the files.'))
      setRequest({
        file: { id: plan.print_file_id, name: job.file_name },
        units: job.number_of_units,
        perPlate: plan.quantity_per_print,
        skuId: job.product_sku_id,
        printerId: plan.is_assigned ? job.printer_id : null,
        filamentType: job.filament_type,
        color: job.color,
        anyColor: plan.any_color,
        priority: plan.priority,
      })
    } catch (error) {
      toastFailed(t('{name} cannot be printed again', { name }), error)
    }
  }

  return { request, printAgain, close: () => setRequest(undefined) }
}
