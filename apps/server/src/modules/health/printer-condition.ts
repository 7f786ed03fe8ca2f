import { HUB_STALE_AFTER_MS } from '@printyard/protocol/version'
import type { HubId } from '../../kernel/ids.ts'
import type { PrinterState } from '../../live/hub-messages.ts'
import type { ToldCondition } from '../printers/state/printer-state.queries.ts'

/** Reason why a printer is out of reach. */
type OfflineCause = 'no_hub' | 'hub_offline' | 'not_reported' | 'no_answer'

/** Condition of a printer: whether it is in reach and works, as far as it can be seen. */
export type Condition = { reach: 'offline'; cause: OfflineCause } | { reach: 'online'; hasError: boolean }

interface Standing {
  /** Null for a printer without a hub. */
  hubId: HubId | null
  isHubOnline: boolean
  /** Time when any process was last told something by its hub, and since when this one has looked: hubs take a while to come back. */
  hubSeenAt: Date | null
  watchedSince: Date
  /** What its own hub says of it. */
  live: Pick<PrinterState, 'status'> | undefined
}

/**
 * The condition of a printer; undefined while its hub is away for so short that it may be about to come back, or is connected to
 * another process.
 */
export function conditionOf(
  { hubId, isHubOnline, hubSeenAt, watchedSince, live }: Standing,
  now: Date,
): Condition | undefined {
  if (hubId === null) return { reach: 'offline', cause: 'no_hub' }
  if (!isHubOnline) {
    const seenAtMs = Math.max(hubSeenAt?.getTime() ?? 0, watchedSince.getTime())
    return now.getTime() - seenAtMs > HUB_STALE_AFTER_MS ? { reach: 'offline', cause: 'hub_offline' } : undefined
  }
  if (!live) return { reach: 'offline', cause: 'not_reported' }
  if (live.status === 'offline') return { reach: 'offline', cause: 'no_answer' }
  return { reach: 'online', hasError: live.status === 'error' }
}

/** Answers what events are to say of a printer from now on. An error of one that is out of reach is not over: it is not seen. */
export function conditionToTell(told: ToldCondition, condition: Condition): ToldCondition {
  if (condition.reach === 'offline') return { told_offline: true, told_error: told.told_error }
  return { told_offline: false, told_error: condition.hasError }
}
