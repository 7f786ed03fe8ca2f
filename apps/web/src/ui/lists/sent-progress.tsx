import type { Sent } from '../../lib/api/send-telling.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { WorkProgress } from './work-progress.tsx'

/** A file on its way to the service. */
export interface Sending {
  name: string
  /** Undefined until something was sent. */
  sent?: Sent
}

/** How much of a file was sent; nothing while there is none. */
export function SentProgress({ sending }: { sending: Sending | undefined }) {
  if (sending === undefined) return null
  const { name, sent } = sending
  return (
    <WorkProgress done={sent?.bytes ?? 0} total={sent?.total ?? null} label={t('Upload of {name}', { name })}>
      {sent === undefined
        ? t('{name} is sent', { name })
        : t('{name}: {sent} of {total} sent', {
            name,
            sent: formatBytes(sent.bytes),
            total: formatBytes(sent.total),
          })}
    </WorkProgress>
  )
}
