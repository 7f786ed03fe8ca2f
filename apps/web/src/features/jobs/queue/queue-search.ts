import { type Priority, priorityOptions } from '../job-priority.tsx'
import type { QueueFilters } from '../jobs.api.ts'

/** How far ahead the timeline looks, in hours. */
export const timelineSpans = ['12', '24', '72', '168'] as const
export type TimelineSpan = (typeof timelineSpans)[number]

/** What the queue shows, as it stands in the address. */
export interface QueueSearch {
  /** The list without it. */
  view?: 'timeline'
  /** A day without it. */
  hours?: TimelineSpan
  running?: 'all'
  search?: string
  printer?: string
  filament?: string
  priority?: Priority
}

const longest = { search: 120, printer: 100, filament: 50 }

/** What is not understood, or is longer than the service takes, is left out. */
export function readQueueSearch(given: Record<string, unknown>): QueueSearch {
  const text = (name: keyof typeof longest) => {
    const value = given[name]
    return typeof value === 'string' && value !== '' && value.length <= longest[name] ? { [name]: value } : {}
  }
  const priority = priorityOptions.find(({ value }) => value === given.priority)?.value
  const hours = timelineSpans.find((each) => each === given.hours)
  return {
    ...(given.view === 'timeline' && { view: 'timeline' }),
    ...(hours && { hours }),
    ...(given.running === 'all' && { running: 'all' }),
    ...text('search'),
    ...text('printer'),
    ...text('filament'),
    ...(priority && { priority }),
  }
}

/** What is asked of the service. */
export function queueFiltersOf({ search, printer, filament, priority }: QueueSearch): QueueFilters {
  return {
    ...(search !== undefined && { search }),
    ...(printer !== undefined && { of_printer_id: printer }),
    ...(filament !== undefined && { filament_type: filament }),
    ...(priority !== undefined && { priority }),
  }
}
