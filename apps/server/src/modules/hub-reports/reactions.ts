import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context/context.ts'
import type { HubMessage, Named } from '../../live/hub-messages.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { takeKeptToken } from '../hubs/token-renewal.ts'
import { recordAttemptReport } from '../jobs/life/attempts.service.ts'
import { followMovedPrinter } from '../printers/settings/moved-printer.ts'
import { takeResult } from './command-result.ts'
import { believable } from './compare-hello.ts'
import { takeHeartbeat } from './heartbeat.ts'

/** A connection of a hub that reports something. */
export interface ReportingHub {
  connection: HubConnection
  log: FastifyBaseLogger
  /** Answers whether a line of the hub is still written to the log; `leftOut` lines were not since the last that was. */
  takeLogLine(): { isWritten: true; leftOut: number } | { isWritten: false }
}

/** What a hub that was welcomed can say; its telemetry goes to the live printers, by way of the gate of its connection. */
export type HubReport = Exclude<HubMessage, { type: 'hello' | 'telemetry' }>

/** Reaction of the service to a message. */
interface Reaction<M extends HubReport> {
  /** Done in the order in which the hub sent such messages, and acknowledged; the others are done as they come. */
  isStored: boolean
  react(context: Context, from: ReportingHub, message: M, at: Date): Promise<void> | void
}

const reactions: { [N in HubReport['type']]: Reaction<Named<N>> } = {
  heartbeat: { isStored: false, react: takeHeartbeat },
  attempt: {
    isStored: true,
    async react(context, { connection }, { id, report }) {
      const { accountId, hubId, namesReports, aheadMs = 0 } = connection
      const told = { messageId: namesReports ? id : undefined, hubAheadMs: aheadMs }
      await recordAttemptReport(context, accountId, hubId, believable(report, connection), told)
    },
  },
  // In its turn: the request that waits for the answer must find stored what the hub reported before it.
  result: { isStored: true, react: takeResult },
  still: {
    isStored: false,
    react: (context, { connection }, part) => context.stills.takePart(connection.hubId, part),
  },
  no_still: {
    isStored: false,
    react: (context, { connection }, refusal) => context.stills.takeRefusal(connection.hubId, refusal),
  },
  discovered: {
    isStored: false,
    react: (context, { connection }, found) => context.hubs.takeCandidates(connection, found),
  },
  connection_tested: {
    isStored: false,
    react(context, { connection }, result) {
      context.pending.answer('connection_test', connection.hubId, result.test_id, { kind: 'tested', result })
    },
  },
  printer_moved: {
    isStored: true,
    react: (context, { connection }, move) => followMovedPrinter(context, connection.accountId, connection.hubId, move),
  },
  token_kept: {
    isStored: true,
    react: (context, { connection }, { token_hash }) => takeKeptToken(context, connection, token_hash),
  },
  log: {
    isStored: false,
    react(_context, { log, takeLogLine }, { level, printer_id, message }) {
      const line = takeLogLine()
      if (!line.isWritten) return
      if (line.leftOut > 0) log.warn({ lines: line.leftOut }, 'a hub sent too many lines; some were left out')
      log[level]({ printer_id }, message)
    },
  },
}

export function reactionTo({ type }: HubReport): Reaction<HubReport> {
  return reactions[type]
}
