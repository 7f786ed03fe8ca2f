import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { type Priority, priorityOptions } from './order-state.ts'

export const priorityWord = (priority: Priority) =>
  priorityOptions.find(({ value }) => value === priority)?.label ?? priority

/** A priority that differs from that of most orders. */
export function PriorityBadge({ priority }: { priority: Priority }) {
  if (priority === 'normal') return null
  const tone = priority === 'urgent' ? 'trouble' : priority === 'high' ? 'waiting' : 'away'
  return (
    <StatusBadge tone={tone} icon={priority === 'low' ? 'down' : 'up'}>
      {priorityWord(priority)}
    </StatusBadge>
  )
}
