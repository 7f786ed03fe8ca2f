import type { ServiceMessageBody } from '@printyard/protocol/messages'
import type { AccountId, CommandId, HubId, PrinterId } from '../kernel/ids.ts'
import type { Outage } from '../redis/outage.ts'

/** What one process asks another to do with a hub that is connected there. Credentials of printers never stand in it as they are. */
export type PeerQuestion =
  | { kind: 'command'; command_id: CommandId; fence: number; timeout_ms: number }
  | { kind: 'still'; printer_id: PrinterId; timeout_ms: number }
  | { kind: 'connection_test'; test: ServiceMessageBody<'test_connection'>; timeout_ms: number }
  | { kind: 'discover'; address: string | null }
  | { kind: 'release'; attempts: ServiceMessageBody<'release'>['attempts'] }
  | { kind: 'configure' }
  | { kind: 'disconnect'; message: string }
  | { kind: 'follow'; printer_id: PrinterId }

/**
 * Outcome of a question. `unreachable`: it certainly was not asked. `silent`: whether it was done is not known; `isTaken` when the
 * process said that it has it.
 */
export type PeerReply =
  | { kind: 'answered'; answer: unknown }
  | { kind: 'unreachable' }
  | { kind: 'silent'; isTaken: boolean }

/** A question about a hub, and to which process. */
export interface PeerTarget {
  accountId: AccountId
  hubId: HubId
  processId: string
}

/** The other processes of the service that work on the same database. */
export interface Peers {
  /** True when there can be others that are heard of: Redis is in the settings. */
  readonly isShared: boolean
  /** True when others can be asked at this moment. */
  readonly isReady: boolean
  /**
   * True when everything is known here that the others know of their hubs, so that a hub that is not known is with none of them. False
   * while messages do not arrive, and after that until the others have told what was missed.
   */
  readonly isCurrent: boolean
  /** Answers why others cannot be asked or heard although they should be; undefined when all is well. */
  outage(): Outage | undefined
  /**
   * Asks once and never again. Answers within `timeoutMs` and the time of the way; never rejects.
   *
   * @param giveUp asked when the process does not even say that it has the question; while it is false, the answer is waited for
   */
  ask(
    target: PeerTarget,
    question: PeerQuestion,
    timeoutMs: number,
    giveUp?: () => Promise<boolean>,
  ): Promise<PeerReply>
}

/** Where this is the only process, or no other is heard of. */
export const noPeers: Peers = {
  isShared: false,
  isReady: false,
  isCurrent: false,
  outage: () => undefined,
  ask: async () => ({ kind: 'unreachable' }),
}
