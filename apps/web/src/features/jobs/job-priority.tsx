import type { QueuedJob } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'

export type Priority = QueuedJob['priority']

/** For a choice, the most pressing first. */
export const priorityOptions: readonly { value: Priority; label: string }[] = [
  { value: 'urgent', label: t('Urgent') },
  { value: 'high', label: t('High') },
  { value: 'normal', label: t('Normal') },
  { value: 'low', label: t('Low') },
]

export const priorityWord = (priority: string) =>
  priorityOptions.find(({ value }) => value === priority)?.label ?? priority

/** A priority that differs from that of most jobs. */
export function PriorityBadge({ priority }: { priority: Priority }) {
  if (priority === 'normal') return null
  const tone = priority === 'urgent' ? 'trouble' : priority === 'high' ? 'waiting' : 'away'
  return (
    <StatusBadge tone={tone} icon={priority === 'low' ? 'down' : 'up'}>
      {priorityWord(priority)}
    </StatusBadge>
  )
}
