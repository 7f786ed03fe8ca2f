import type { HubConnection } from '../../live/hubs.ts'
import type { LivePrinter } from '../../live/printers.ts'
import type { RefusalRow } from './matching.queries.ts'

/** What a hub answers when its own disk does not take a command or its file. */
const causedByStorage: readonly (string | null)[] = ['JOURNAL_FAILED', 'FILE_STORE_FAILED']

/**
 * True when what a start was refused for was seen to end since, so that the refusal counts for nothing any more: the hub has
 * room again, or the printer was not ready for a while and is. What shows no end, such as a start that a printer refuses
 * although it says that it is ready, is waited out.
 */
export function isCauseGone(
  { reason_code, finished_at }: Pick<RefusalRow, 'reason_code' | 'finished_at'>,
  hub: Pick<HubConnection, 'connectedAt' | 'storage'> | undefined,
  live: Pick<LivePrinter, 'readiness'> | undefined,
): boolean {
  if (!causedByStorage.includes(reason_code)) return isAfter(live?.readiness.recoveredAt, finished_at)
  if (!hub?.storage || hub.storage.troubledSince !== null) return false
  return isAfter(hub.storage.recoveredAt, finished_at) || isAfter(hub.connectedAt, finished_at)
}

function isAfter(moment: Date | null | undefined, refusedAt: Date): boolean {
  return moment !== null && moment !== undefined && moment > refusedAt
}
