import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { QueueTimeline, TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone, toastFailed, toastUndo } from '../../../ui/dialogs/toast.tsx'

/** Gives a job that waits to the printer on whose lane it was dropped; the service says why where it cannot print there. */
export function useLaneMoves({ jobs, printers }: QueueTimeline): (jobId: string, printerId: string) => Promise<void> {
  const queryClient = useQueryClient()

  async function give(job: TimelineJob, printerId: string | null, done: () => void): Promise<void> {
    try {
      await api.call('POST /jobs/{id}/assign', { params: { id: job.id }, body: { printer_id: printerId } })
      done()
    } catch (error) {
      toastFailed(t('{name} could not be moved', { name: job.name }), error)
    }
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  }

  return async (jobId, printerId) => {
    const job = jobs.find(({ id }) => id === jobId)
    const printer = printers.find(({ id }) => id === printerId)
    if (!job || !printer) return
    const { name } = job
    const before = job.is_assigned ? job.printer_id : null
    await give(job, printerId, () =>
      toastUndo(
        t('{name} waits for {printer}', { name, printer: printer.name }),
        () => void give(job, before, () => toastDone(t('{name} is back at its former place', { name }))),
      ),
    )
  }
}
