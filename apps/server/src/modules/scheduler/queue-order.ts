import type { JobFacts } from '../matching/farm-facts.ts'

type Place = Pick<JobFacts, 'id' | 'priority_rank' | 'due_date' | 'queue_position'>

/** The order of the queue: priority, then due date (none is last), then position, which is age until a person drags. */
export function compareInQueue(a: Place, b: Place): number {
  return (
    a.priority_rank - b.priority_rank ||
    (a.due_date?.getTime() ?? Number.MAX_VALUE) - (b.due_date?.getTime() ?? Number.MAX_VALUE) ||
    a.queue_position - b.queue_position ||
    compareIds(a, b)
  )
}

/** Something to decide by where nothing else does, the same in every process. */
export function compareIds(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
