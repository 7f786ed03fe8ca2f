import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { FarmEvent, LiveFields, LiveMessage } from './live-message.ts'

/**
 * What a feature says of its cache in its `*.api.ts`: which events touch which of its keys, and how it takes in what a
 * printer says at this moment. The rules of all features stand in `app/live-rules.ts`.
 */
export interface LiveRule {
  /** Types of events: `job.started`, or `job.*` for all of a kind; `hub` and `candidates` for the messages of those names. */
  on: readonly string[]
  /** Keys (or beginnings of keys) to read again. `subjectId` is the thing the event is about. */
  keys: (subjectId: string | null, event: FarmEvent | undefined) => readonly QueryKey[]
}

/** Puts into the cache what only the message says, and no route answers. */
export type LiveNote = (queryClient: QueryClient, message: LiveMessage) => void

/** Writes what changed into the cache; called at most once per animation frame, with one entry per printer. */
export type LivePatch = (queryClient: QueryClient, changed: ReadonlyMap<string, LiveFields>) => void

/** The keys that a message touches. Live fields touch none: they are patched in. */
export function keysTouchedBy(rules: readonly LiveRule[], message: LiveMessage): QueryKey[] {
  if (message.kind === 'hub' || message.kind === 'candidates') {
    return keysOf(rules, message.kind, message.hub_id, undefined)
  }
  if (message.kind === 'change') return keysOf(rules, message.event.type, message.event.subject_id, message.event)
  return []
}

function keysOf(
  rules: readonly LiveRule[],
  type: string,
  subjectId: string | null,
  event: FarmEvent | undefined,
): QueryKey[] {
  return rules
    .filter(({ on }) => on.some((pattern) => matches(pattern, type)))
    .flatMap(({ keys }) => [...keys(subjectId, event)])
}

function matches(pattern: string, type: string): boolean {
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** Adds what is new of a printer to what waits to be shown. */
export function mergeLiveFields(waiting: Map<string, LiveFields>, fields: LiveFields): void {
  waiting.set(fields.printer_id, { ...waiting.get(fields.printer_id), ...fields })
}
