import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/tone.ts'

export const taskTypes = ['collection', 'filament_change', 'assembly', 'quality_check', 'maintenance'] as const
export type TaskType = WorkCard['task_type']
export type TaskStatus = WorkCard['status']

export const typeWords: Record<TaskType, { word: string; icon: IconName }> = {
  collection: { word: t('Collection'), icon: 'stock' },
  filament_change: { word: t('Filament change'), icon: 'spool' },
  assembly: { word: t('Assembly'), icon: 'assembly' },
  quality_check: { word: t('Quality check'), icon: 'check' },
  maintenance: { word: t('Maintenance'), icon: 'settings' },
}

/** What a task is called where it says what it is: picking and packing travel as collections, and are none to people. */
export function kindOf({ task_type, source }: Pick<WorkCard, 'task_type' | 'source'>): {
  word: string
  icon: IconName
} {
  if (source === 'pick') return { word: t('Picking'), icon: 'order' }
  if (source === 'pack') return { word: t('Packing'), icon: 'ship' }
  return typeWords[task_type]
}

export const statusWords: Record<TaskStatus, { word: string; tone: Tone }> = {
  pending: { word: t('Pending'), tone: 'resting' },
  in_progress: { word: t('In progress'), tone: 'working' },
  completed: { word: t('Done'), tone: 'done' },
  cancelled: { word: t('Called off'), tone: 'away' },
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
  const where = printer?.name ?? t('the printer')
  if (source === 'plate') {
    return {
      label: t('Plate is clear'),
      effect: t('Clears the plate of {where}: its next job may start.', { where }),
      said: t('The plate of {where} is clear', { where }),
      takesRejects: job !== null,
    }
  }
  if (source === 'assembly') {
    return {
      label: t('All assembled'),
      effect: t('Puts the units into stock.'),
      said: t('Assembled: the units are in stock'),
      takesRejects: true,
    }
  }
  if (source === 'print_hours') {
    return {
      label: t('Maintained'),
      effect: t('Counts the print hours of {where} from zero.', { where }),
      said: t('{where} is maintained', { where }),
      takesRejects: false,
    }
  }
  if (source === 'pick') {
    return {
      label: t('All picked'),
      effect: t('Counts all units of the order as taken off the shelves. A task to pack the parcel follows.'),
      said: t('Picked: the order can be packed'),
      takesRejects: false,
    }
  }
  if (source === 'pack') {
    return {
      label: t('Packed'),
      effect: t('Makes the parcel: its units leave the stock.'),
      said: t('Packed: the parcel has left the stock'),
      takesRejects: false,
    }
  }
  if (source === 'product') {
    return {
      label: t('Makes no product'),
      effect: t('It adds no units to the stock.'),
      said: t('Its units do not go into stock'),
      takesRejects: false,
    }
  }
  if (task_type === 'filament_change' && filament_key !== null) {
    return { label: t('Loaded'), said: t('{where}: loaded', { where }), takesRejects: false }
  }
  return { label: t('Done'), said: t('Done: {title}', { title: farmText({ source }, title) }), takesRejects: false }
}

/** Whether only a person's answer ends it: what became of a plate that no one saw. */
export function asksForFate({ source, status, job }: Pick<WorkCard, 'source' | 'status' | 'job'>): boolean {
  return (
    source === 'unknown_fate' && job?.is_fate_unknown === true && (status === 'pending' || status === 'in_progress')
  )
}

/** A text of a task that the farm made, in the language of the page; what people wrote stays theirs. */
export const farmText = ({ source }: Pick<WorkCard, 'source'>, text: string): string =>
  source === 'person' ? text : serviceSentence(text)

/** Where a task takes a person: the place and the printer; undefined when its title says all there is. */
export function placeOf({
  printer,
  subtitle,
  source,
}: Pick<WorkCard, 'printer' | 'subtitle' | 'source'>): string | undefined {
  const parts = printer ? [printer.location, printer.name] : [farmText({ source }, subtitle)]
  return parts.filter(Boolean).join(' · ') || undefined
}
