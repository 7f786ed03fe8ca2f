import { HUB_STALE_AFTER_MS } from '@printyard/protocol/version'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import type { ConnectedHubs } from '../../live/hubs.ts'
import { findOwnHub } from '../../live/own-printer.ts'

export interface HubPresence {
  is_online: boolean
  /** Null when it never connected. */
  last_seen_at: Date | null
  is_stale: boolean
}

/** Answers whether a hub is there: a connected one is known from memory, one that left by when it was last seen. */
export function hubPresence(
  hubs: Pick<ConnectedHubs, 'find'>,
  accountId: AccountId,
  hub: { id: HubId; last_seen_at: Date | null },
  now: Date,
): HubPresence {
  const connection = findOwnHub(hubs, accountId, hub.id)
  const seenAt = connection?.lastHeartbeatAt ?? hub.last_seen_at
  return {
    is_online: connection !== undefined,
    last_seen_at: seenAt,
    is_stale: seenAt === null || now.getTime() - seenAt.getTime() > HUB_STALE_AFTER_MS,
  }
}
