import type { Journal } from '../journal/journal.ts'
import { acknowledge, type OutboxMessage } from '../journal/journal-state.ts'

/** Brings the journal's outbox to the service: in order, everything again on a new connection, nothing twice on one. */
export interface Outbox {
  /** Sends what this connection has not carried yet. */
  flush(): void
  /** A new connection has started. */
  startAfresh(): void
  acknowledge(ids: readonly string[]): void
}

/** `send` answers false when there is no connection to carry the message. */
export function createOutbox(journal: Journal, send: (message: OutboxMessage) => boolean): Outbox {
  const carried = new Set<string>()
  return {
    flush() {
      for (const message of journal.state.outbox.values()) {
        if (carried.has(message.id)) continue
        if (!send(message)) return
        carried.add(message.id)
      }
    },
    startAfresh: () => carried.clear(),
    acknowledge(ids) {
      const owed = ids.filter((id) => journal.state.outbox.has(id))
      acknowledge(journal.state, owed)
      if (owed.length > 0) journal.appendLazily({ t: 'ack', ids: owed })
    },
  }
}
