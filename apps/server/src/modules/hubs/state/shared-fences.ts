import type { Database } from '../../../db/database.ts'
import type { HubId } from '../../../kernel/ids.ts'
import { type FencedConnection, type HubFences, NotWantedError, StaleConnectionError } from '../../../live/fences.ts'
import { holdEpoch, listNewest, releaseEpoch, takeEpoch } from './hub-connections.queries.ts'

/** The order of connections of all processes on one database. */
export function sharedFences(db: Pick<Database, 'sql' | 'beginForFarm'>, processId: string): HubFences {
  const hold: HubFences['hold'] = async (sql, hubId, connection) => {
    if (!connection || !(await holdEpoch(sql, placeOf(connection)))) throw new StaleConnectionError(hubId)
  }
  return {
    isShared: true,
    hold,
    async take({ accountId, hubId }) {
      const epoch = await takeEpoch(db.sql, accountId, hubId, processId)
      if (epoch === undefined) throw new StaleConnectionError(hubId)
      return epoch
    },
    async whileNewest(connection, isStillWanted, work) {
      let isDone = false
      try {
        await db.beginForFarm(connection.accountId, async (sql) => {
          await hold(sql, connection.hubId, connection)
          if (!(await isStillWanted(sql))) throw new NotWantedError('No one waits for it any more.')
          work()
          isDone = true
        })
      } catch (error) {
        // Nothing was written that an end of the transaction could undo.
        if (!isDone) throw error
      }
    },
    async findStale<C extends FencedConnection>(connections: readonly C[]) {
      if (connections.length === 0) return []
      const newest = new Map<HubId, number>(
        (await listNewest(db.sql, connections.map(placeOf))).map(({ hub_id, epoch }) => [hub_id, epoch]),
      )
      return connections.filter(({ hubId, epoch }) => newest.get(hubId) !== epoch)
    },
    release: (connection) => releaseEpoch(db.sql, placeOf(connection)),
  }
}

/** One that was not given an epoch holds none: epochs begin at 1. */
const placeOf = ({ accountId: account_id, hubId: hub_id, epoch = 0 }: FencedConnection) => ({
  account_id,
  hub_id,
  epoch,
})
