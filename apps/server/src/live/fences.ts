import type { Transaction } from '../db/database.ts'
import type { AccountId, HubId } from '../kernel/ids.ts'

/** A connection of a hub, and its place in the order of all of that hub. */
export interface FencedConnection {
  accountId: AccountId
  hubId: HubId
  /** Grows with each connection of a hub that is let in. */
  epoch?: number
}

/** A newer connection of the hub was let in: what an older one brings counts for nothing. */
export class StaleConnectionError extends Error {
  constructor(hubId: HubId) {
    super(`A newer connection of hub ${hubId} was let in.`)
  }
}

/** What was to be done on a connection is not wanted any more: who asked for it has taken it back. */
export class NotWantedError extends Error {}

/**
 * Which of several connections of one hub counts. One process knows that from memory; several ask the database, because neither
 * clocks nor messages tell whether another process was let in since.
 */
export interface HubFences {
  /** True when other processes may hold connections of the same hubs. */
  readonly isShared: boolean
  /** The place of a connection that is let in now: after all that were before. @param opening its place in this process */
  take(hub: Pick<FencedConnection, 'accountId' | 'hubId'>, opening: number): Promise<number>
  /**
   * Keeps newer connections out until the transaction is over. The first statement of each transaction that writes what a hub
   * reports.
   *
   * @throws StaleConnectionError when one was let in already, or there is no connection
   */
  hold(sql: Transaction, hubId: HubId, connection: FencedConnection | undefined): Promise<void>
  /**
   * Runs `work`, which ends at once, while the connection is certain to be the newest.
   *
   * @throws StaleConnectionError when it is not; `work` was not run
   * @throws NotWantedError when it is not wanted any more; `work` was not run
   */
  whileNewest(connection: FencedConnection, isStillWanted: StillWanted, work: () => void): Promise<void>
  /** Those of these connections that are not the newest of their hub any more. */
  findStale<C extends FencedConnection>(connections: readonly C[]): Promise<C[]>
  /** Says that a connection has ended, where it is still the newest. */
  release(connection: FencedConnection): Promise<void>
}

/** Asked in the transaction that holds the connection, before anything is done on it. */
type StillWanted = (sql: Transaction) => Promise<boolean>

/** The order of connections where no other process takes any: that in which they were opened. */
export const ownFences: HubFences = {
  isShared: false,
  take: async (_hub, opening) => opening,
  hold: async () => undefined,
  async whileNewest(_connection, _isStillWanted, work) {
    work()
  },
  findStale: async () => [],
  release: async () => undefined,
}
