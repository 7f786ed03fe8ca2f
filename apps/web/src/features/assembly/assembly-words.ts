import type { AssemblyTask } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import type { Tone } from '../../ui/tone.ts'

export const assemblyStatuses: Record<AssemblyTask['status'], { tone: Tone; word: string }> = {
  pending: { tone: 'waiting', word: t('Pending') },
  in_progress: { tone: 'working', word: t('In progress') },
  completed: { tone: 'done', word: t('Done') },
  cancelled: { tone: 'away', word: t('Cancelled') },
}

export const assemblyKinds: Record<AssemblyTask['kind'], string> = {
  print_assembly: t('Printed units'),
  kit_assembly: t('Kit'),
}

type Counted = Pick<AssemblyTask, 'quantity' | 'quantity_completed' | 'quantity_rejected'>

export const unitsLeft = ({ quantity, quantity_completed, quantity_rejected }: Counted): number =>
  Math.max(0, quantity - quantity_completed - quantity_rejected)

export const isOpen = ({ status }: Pick<AssemblyTask, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress'
