import type { Actor } from '../../kernel/actor.ts'
import { isAtLeast } from '../../kernel/policy.ts'
import { listEventTypes } from './event-catalogue.ts'
import type { EventRow } from './event-feed.queries.ts'

/** Viewer: a person with their role, or a key. */
export type Viewer = Pick<Actor, 'role' | 'userId'>

/** What stands before the dot in the types that are told to admins and the person whom they are about. */
const guardedAreas = new Set(
  listEventTypes().flatMap(([type, { audience }]) => (audience === 'admins' ? type.split('.', 1) : [])),
)

/**
 * The types of what is about people's ways in: sign-ins, passwords, invitations, keys. A pattern that means the same here and
 * in PostgreSQL. It goes by areas, so that types which other versions wrote are guarded as well.
 */
export const guardedTypes = `^(${[...guardedAreas].join('|')})[.]`
const isGuarded = new RegExp(guardedTypes)

/** True when a person is told everything: those who may look at the audit, and no key. */
export function seesEverything({ role }: Viewer): boolean {
  return role !== undefined && isAtLeast(role, 'admin')
}

/** True when a person is told of an event. Of people's ways in, others than those who run the account hear only their own. */
export function canSee(viewer: Viewer, event: Pick<EventRow, 'type' | 'subject_id' | 'data'>): boolean {
  if (!isGuarded.test(event.type) || seesEverything(viewer)) return true
  if (viewer.userId === undefined) return false
  // Written by `recordEvent` alone, which takes nothing but objects.
  const { user_id } = event.data as Record<string, unknown>
  return event.subject_id === viewer.userId || user_id === viewer.userId
}

/** True when an event is told to every member and to every key that may read, whatever it is about. */
export function isForEverybody(type: string): boolean {
  return !isGuarded.test(type)
}
