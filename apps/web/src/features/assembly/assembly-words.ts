import type { AssemblyTask } from '../../lib/api/api-schema.generated.ts'
import type { Tone } from '../../ui/tone.ts'

export const assemblyStatuses: Record<AssemblyTask['status'], { tone: Tone; word: string }> = {
  pending: { tone: 'waiting', word: 'Pending' },
  in_progress: { tone: 'working', word: 'In progress' },
  completed: { tone: 'done', word: 'Done' },
  cancelled: { tone: 'away', word: 'Cancelled' },
}

export const assemblyKinds: Record<AssemblyTask['kind'], string> = {
  print_assembly: 'Printed units',
  kit_assembly: 'Kit',
}

type Counted = Pick<AssemblyTask, 'quantity' | 'quantity_completed' | 'quantity_rejected'>

export const unitsLeft = ({ quantity, quantity_completed, quantity_rejected }: Counted): number =>
  Math.max(0, quantity - quantity_completed - quantity_rejected)

export const isOpen = ({ status }: Pick<AssemblyTask, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress'
