import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/tone.ts'

export const taskTypes = ['collection', 'filament_change', 'assembly', 'quality_check', 'maintenance'] as const
export type TaskType = WorkCard['task_type']
export type TaskStatus = WorkCard['status']

export const typeWords: Record<TaskType, { word: string; icon: IconName }> = {
  collection: { word: 'Collection', icon: 'stock' },
  filament_change: { word: 'Filament change', icon: 'spool' },
  assembly: { word: 'Assembly', icon: 'assembly' },
  quality_check: { word: 'Quality check', icon: 'check' },
  maintenance: { word: 'Maintenance', icon: 'settings' },
}

export const statusWords: Record<TaskStatus, { word: string; tone: Tone }> = {
  pending: { word: 'Pending', tone: 'resting' },
  in_progress: { word: 'In progress', tone: 'working' },
  completed: { word: 'Done', tone: 'done' },
  cancelled: { word: 'Called off', tone: 'away' },
}

/** What finishing a task is called, and what it does besides closing it. */
interface Finish {
  label: string
  /** What happens with it beyond the task itself; undefined: nothing. */
  effect?: string
  /** Said when it is done. */
  said: string
  /** Whether bad units can be given with it. */
  takesRejects: boolean
}

type Finishable = Pick<WorkCard, 'title' | 'task_type' | 'source' | 'printer' | 'job' | 'filament_key'>

/** The name of the action that ends a task. A task that a person wrote does nothing but close. */
export function finishOf({ title, task_type, source, printer, job, filament_key }: Finishable): Finish {
  const where = printer?.name ?? 'the printer'
  if (source === 'plate') {
    return {
      label: 'Plate is clear',
      effect: `Clears the plate of ${where}: its next job may start.`,
      said: `The plate of ${where} is clear`,
      takesRejects: job !== null,
    }
  }
  if (source === 'assembly') {
    return {
      label: 'All assembled',
      effect: 'Puts the units into stock.',
      said: 'Assembled: the units are in stock',
      takesRejects: true,
    }
  }
  if (source === 'print_hours') {
    return {
      label: 'Maintained',
      effect: `Counts the print hours of ${where} from zero.`,
      said: `${where} is maintained`,
      takesRejects: false,
    }
  }
  if (source === 'pick') {
    return {
      label: 'All picked',
      effect: 'Counts all units of the order as taken off the shelves. A task asks for the parcel next.',
      said: 'Picked: the order can be packed',
      takesRejects: false,
    }
  }
  if (source === 'pack') {
    return {
      label: 'Packed',
      effect: 'Makes the parcel: its units leave the stock.',
      said: 'Packed: the parcel has left the stock',
      takesRejects: false,
    }
  }
  if (source === 'product') {
    return {
      label: 'Makes no product',
      effect: 'Nothing of it goes into stock.',
      said: 'Its units do not go into stock',
      takesRejects: false,
    }
  }
  if (task_type === 'filament_change' && filament_key !== null) {
    return { label: 'Loaded', said: `${where}: loaded`, takesRejects: false }
  }
  return { label: 'Done', said: `Done: ${title}`, takesRejects: false }
}

/** Whether only a person's answer ends it: what became of a plate that no one saw. */
export function asksForFate({ source, status, job }: Pick<WorkCard, 'source' | 'status' | 'job'>): boolean {
  return (
    source === 'unknown_fate' && job?.is_fate_unknown === true && (status === 'pending' || status === 'in_progress')
  )
}

/** Where a task takes a person: the place and the printer; undefined when its title says all there is. */
export function placeOf({ printer, subtitle }: Pick<WorkCard, 'printer' | 'subtitle'>): string | undefined {
  const parts = printer ? [printer.location, printer.name] : [subtitle]
  return parts.filter(Boolean).join(' · ') || undefined
}
