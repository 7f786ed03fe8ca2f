import type { BodyOf } from '../../../lib/api/api-routes.ts'

export type JobChanges = BodyOf<'PATCH /jobs/{id}'>

/** What decides the place of a job. */
export interface Placed {
  id: string
  priority: 'low' | 'normal' | 'high' | 'urgent'
  due_date: string | null
}

export interface Move {
  /** The change that brings it there. */
  changes: JobChanges
  /** What else it takes on, because it decides before the position. */
  takesOn: { priority?: Placed['priority']; due_date?: string | null }
  /** The list as it will be. */
  order: string[]
}

/**
 * How a job comes to stand at `place` (from 0) of the list that is shown; undefined when it stands there already. Beside a
 * job of another priority or due date it takes on both: the queue is ordered by these first. At an edge between two such
 * groups it keeps its own where that is possible.
 */
export function moveTo(jobs: readonly Placed[], id: string, place: number): Move | undefined {
  const from = jobs.findIndex((job) => job.id === id)
  const moving = jobs[from]
  const to = Math.max(0, Math.min(place, jobs.length - 1))
  if (!moving || from === to) return undefined
  const others = jobs.filter((job) => job.id !== id)
  const [above, below] = [others[to - 1], others[to]]
  const anchor = [below, above].find((job) => job && isSameGroup(job, moving)) ?? (to < from ? below : above)
  if (!anchor) return undefined
  const takesOn = {
    ...(anchor.priority !== moving.priority && { priority: anchor.priority }),
    ...(anchor.due_date !== moving.due_date && { due_date: anchor.due_date }),
  }
  const position = anchor === below ? { before: anchor.id } : { after: anchor.id }
  const order = [...others.slice(0, to), moving, ...others.slice(to)].map((job) => job.id)
  return { changes: { ...takesOn, position }, takesOn, order }
}

/** The change that brings a job back to where it stands in this list, which is of before it was moved. */
export function wayBack(jobs: readonly Placed[], { id, priority, due_date }: Placed): JobChanges {
  const place = jobs.findIndex((job) => job.id === id)
  const own = { priority, due_date }
  const [above, below] = [jobs[place - 1], jobs[place + 1]]
  if (below && isSameGroup(below, { id, ...own })) return { ...own, position: { before: below.id } }
  if (above && isSameGroup(above, { id, ...own })) return { ...own, position: { after: above.id } }
  // Alone with its priority and due date: these decide.
  return own
}

function isSameGroup(a: Placed, b: Placed): boolean {
  return a.priority === b.priority && a.due_date === b.due_date
}

/** The place at which a job lands when it is dropped above or below another one. */
export function placeOfDrop(jobs: readonly Placed[], id: string, overId: string, edge: 'above' | 'below'): number {
  const from = jobs.findIndex((job) => job.id === id)
  const over = jobs.findIndex((job) => job.id === overId)
  const gap = edge === 'above' ? over : over + 1
  // Its own leaving moves everything behind it up by one.
  return from < gap ? gap - 1 : gap
}
