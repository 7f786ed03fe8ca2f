import type { NewEvent } from './events.queries.ts'

export type RecordedEventListener = (accountId: string, event: NewEvent) => void

const listeners = new Set<RecordedEventListener>()

/**
 * Calls the listener for each event that this process records, as soon as it is committed. What other processes record is
 * only found in the table. The returned function ends it.
 */
export function onRecordedEvent(listener: RecordedEventListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** To be called after the commit. */
export function tellRecordedEvent(accountId: string, event: NewEvent): void {
  for (const listener of listeners) listener(accountId, event)
}
