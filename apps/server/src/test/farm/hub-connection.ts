import type { HubConnection } from '../../live/hubs.ts'

/** A connection of a hub that nothing listens at, opened and last active `at`; it may speak for any printer. */
export function hubConnection(
  made: Pick<HubConnection, 'accountId' | 'hubId'> & Partial<HubConnection>,
  at = new Date(0),
): HubConnection {
  return {
    socket: { send: () => undefined, close: () => undefined },
    connectedAt: at,
    lastHeartbeatAt: at,
    candidates: [],
    printerIds: Object.assign(new Set<string>(), { has: () => true }),
    hasLostJournal: false,
    ...made,
  }
}
