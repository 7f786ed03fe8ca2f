import { useQuery } from '@tanstack/react-query'
import type { Sent } from '../../../lib/api/send-telling.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { SentProgress } from '../../../ui/lists/sent-progress.tsx'
import { WorkProgress } from '../../../ui/lists/work-progress.tsx'
import { importProgressQuery } from '../orders.api.ts'

/** A file of orders on its way. */
export interface ImportUnderWay {
  name: string
  /** By which the service tells how far it is. */
  progressId: string
  sent?: Sent
}

/** How far an import is: bytes while it is sent, then rows as the service counts them. */
export function ImportProgress({ name, progressId, sent }: ImportUnderWay) {
  const isSent = sent !== undefined && sent.bytes >= sent.total
  const { data } = useQuery(importProgressQuery(progressId, isSent))
  if (data == null) return <SentProgress sending={{ name, ...(sent && { sent }) }} />
  const { done_rows: done, total_rows: total } = data
  return (
    <WorkProgress done={done} total={total} label={t('Import of {name}', { name })}>
      {total === null
        ? t('{done} rows read', { done: formatCount(done) })
        : t('{done} of {total} rows', { done: formatCount(done), total: formatCount(total) })}
    </WorkProgress>
  )
}
