import type { Context } from '../../context/context.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import type { Named } from '../../live/hub-messages.ts'
import { followTrouble } from '../../live/recovery.ts'
import { recordHubSeen } from '../hubs/hubs.queries.ts'
import { clockAheadMs } from './hub-clock.ts'
import { hubProblems, isOfStorage, withTakeOver } from './hub-problems.ts'
import type { ReportingHub } from './reactions.ts'

interface Seen {
  context: Context
  accountId: AccountId
  at: Date
}

/** One write at a time for each hub: heartbeats in a flood, or before a slow database, must not pile up. */
function makeSeenWriter({ log }: Context): KeyedWorker<HubId, Seen> {
  return new KeyedWorker((hubId, { context, accountId, at }) => recordHubSeen(context.db.sql, accountId, hubId, at), {
    onError(error, hubId) {
      log.warn({ err: error, hub_id: hubId }, 'a heartbeat could not be recorded')
      return undefined
    },
  })
}

/**
 * Interval at which it is written that a hub was heard, although it is heard three times as often: small machines have disks that wear. While it is
 * connected the last heartbeat is known from memory.
 */
const writeEveryMs = 55_000

export function takeHeartbeat(
  context: Context,
  { connection }: Pick<ReportingHub, 'connection'>,
  heartbeat: Named<'heartbeat'>,
  at: Date,
): void {
  const { accountId, hubId } = connection
  connection.lastHeartbeatAt = at
  connection.aheadMs = clockAheadMs(heartbeat, at) ?? connection.aheadMs ?? 0
  connection.problems = withTakeOver(connection, hubProblems(heartbeat, at))
  connection.storage = followTrouble(connection.storage, connection.problems.some(isOfStorage), at)
  if (connection.seenWrittenAt && Math.abs(at.getTime() - connection.seenWrittenAt.getTime()) < writeEveryMs) return
  connection.seenWrittenAt = at
  void context.memory.hold(makeSeenWriter, context).request(hubId, { context, accountId, at })
}
