import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../link-text.tsx'

interface MovementCauseProps {
  job_id: string | null
  job_name: string | null
  order_id: string | null
  order_number: string | null
  assembly_task_id: string | null
  notes: string
}

/** What a quantity changed for: the job, order or assembly, each leading to its page, and what a person wrote. */
export function MovementCause(movement: MovementCauseProps) {
  const { job_id, job_name, order_id, order_number, assembly_task_id, notes } = movement
  const parts: { key: string; part: ReactNode }[] = []
  if (job_id !== null) {
    parts.push({
      key: 'job',
      part: (
        <LinkText to="/jobs/$jobId" params={{ jobId: job_id }}>
          {job_name ?? t('The job')}
        </LinkText>
      ),
    })
  }
  if (order_id !== null) {
    parts.push({
      key: 'order',
      part: (
        <LinkText to="/orders/$orderId" params={{ orderId: order_id }}>
          {order_number === null ? t('The order') : t('Order {number}', { number: order_number })}
        </LinkText>
      ),
    })
  }
  if (assembly_task_id !== null) {
    parts.push({
      key: 'assembly',
      part: (
        <LinkText to="/assembly/$assemblyId" params={{ assemblyId: assembly_task_id }}>
          {t('The assembly')}
        </LinkText>
      ),
    })
  }
  if (notes !== '') parts.push({ key: 'notes', part: notes })
  if (parts.length === 0) return '–'
  return (
    <span>
      {parts.map(({ key, part }, index) => (
        <span key={key}>
          {index > 0 && ' · '}
          {part}
        </span>
      ))}
    </span>
  )
}
