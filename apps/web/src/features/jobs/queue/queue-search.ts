import { type Priority, priorityOptions } from '../job-priority.tsx'
import type { QueueFilters } from '../jobs.api.ts'

/** What the queue shows, as it stands in the address. */
export interface QueueSearch {
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
  return {
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
