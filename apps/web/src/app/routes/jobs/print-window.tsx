import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { PrinterOption } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import type { PrintRequest } from '../../../features/jobs/dialogs/print-dialog.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'

const PrintDialog = lazy(async () => ({
  default: (await import('../../../features/jobs/dialogs/print-dialog.tsx')).PrintDialog,
}))

interface PrintWindowProps {
  request: PrintRequest | undefined
  printers: readonly PrinterOption[]
  onClose: () => void
}

/** The dialog that queues a job, while there is a request; then the queue. */
export function PrintWindow({ request, printers, onClose }: PrintWindowProps) {
  const navigate = useNavigate()
  if (!request) return null
  return (
    <Suspense>
      <PrintDialog
        request={request}
        printers={printers}
        onClose={onClose}
        onQueued={({ product_name, file_name }) => {
          toastDone(t('{product_name} is in the queue', { product_name: product_name ?? file_name }))
          onClose()
          void navigate({ to: '/queue' })
        }}
      />
    </Suspense>
  )
}
