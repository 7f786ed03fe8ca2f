import type { Fragment, Sql } from '../../../db/database.ts'
import type { JobRow } from '../../../db/rows.generated.ts'

type Place = Pick<JobRow, 'id' | 'priority_rank' | 'due_date' | 'queue_position'>

/** The order of the queue: priority, then due date (none is last), then position, which is age until a person drags. */
export function compareInQueue(a: Place, b: Place): number {
  return (
    a.priority_rank - b.priority_rank ||
    (a.due_date?.getTime() ?? Number.MAX_VALUE) - (b.due_date?.getTime() ?? Number.MAX_VALUE) ||
    a.queue_position - b.queue_position ||
    compareIds(a, b)
  )
}

/** The same order in SQL, of the jobs `j`, just as the index `jobs_queue` has it: no due date is one that never comes. */
export const placeInQueue = (sql: Sql): Fragment =>
  sql`j.priority_rank, coalesce(j.due_date, 'infinity'), j.queue_position, j.id`

/** The place of this job, to be compared with that of others by the index. */
export const placeOf = (sql: Sql, job: Place): Fragment =>
  sql`${job.priority_rank}, coalesce(${job.due_date}::timestamptz, 'infinity'), ${job.queue_position}, ${job.id}`

/** Something to decide by where nothing else does, the same in every process. */
export function compareIds(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
