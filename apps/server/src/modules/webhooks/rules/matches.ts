import { isForEverybody } from '../../events/event-audience.ts'
import { listEventTypes } from '../../events/event-catalogue.ts'
import type { EventRow } from '../../events/event-feed.queries.ts'

/** What of the feed a webhook is sent. Empty lists filter nothing. */
interface WebhookFilter {
  event_types: readonly string[]
  subject_ids: readonly string[]
}

/** Sent to the webhook that is tested, and to no other. */
export const testType = 'webhook.tested'

/** True when an event is sent to a webhook: never one that is told to admins alone, as keys are not told of those either. */
export function matches(filter: WebhookFilter, { type, subject_id }: Pick<EventRow, 'type' | 'subject_id'>): boolean {
  if (type === testType || !isForEverybody(type)) return false
  const { event_types, subject_ids } = filter
  if (subject_ids.length > 0 && !subject_ids.includes(subject_id)) return false
  return event_types.length === 0 || event_types.some((pattern) => isOfType(type, pattern))
}

function isOfType(type: string, pattern: string): boolean {
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** Answers why a webhook cannot ask for a type; undefined when it can. */
export function findTypeProblem(pattern: string): string | undefined {
  const named = listEventTypes().filter(([type]) => isOfType(type, pattern))
  if (named.length === 0) return 'is no type of event; see the page of event types'
  if (named.every(([type]) => !isForEverybody(type))) return 'is visible to admins only, and not sent to webhooks'
  return undefined
}
