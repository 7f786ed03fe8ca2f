import type { Context } from '../../context/context.ts'
import type { FencedConnection } from '../../live/fences.ts'
import type { AttemptReport, Named } from '../../live/hub-messages.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { doubtAttemptsOfHub, listLiveAttemptsOfHub } from '../attempts/attempts.queries.ts'
import { workIn } from '../events/work.ts'
import { lockHub, recordHello } from '../hubs/hubs.queries.ts'
import { journalLost, settleAttemptIn } from '../jobs/life/attempts.service.ts'
import { catchUpWithHub } from './restored-service.ts'

/**
 * Records what a hub says of itself when it connects, and compares what it says of its journal with what is known of it; true when that
 * journal was lost or rolled back. That the database itself was restored from a backup is noticed first, and dealt with by
 * `catchUpWithHub`. What a lost journal may have held is doubted for good, not only on this connection: the fate of every attempt that
 * was given to the hub before is unknown from here on, until something else than the absence of a record shows it.
 */
export function compareHello(
  context: Context,
  hub: FencedConnection,
  hello: Named<'hello'>,
  at: Date,
): Promise<boolean> {
  const { accountId, hubId } = hub
  return context.db.beginForFarm(accountId, async (sql) => {
    await context.fences.hold(sql, hubId, hub)
    await lockHub(sql, accountId, hubId)
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() })
    const isServiceBehind = await catchUpWithHub(context, work, hubId, hello)
    const journal = {
      id: hello.journal_id ?? null,
      position: hello.journal_position,
      knownReports: hello.known_reports,
      isServiceBehind,
    }
    const seen = { at, firmware_version: hello.agent_version, hardware_version: hello.hardware_version }
    const isLost = await recordHello(sql, accountId, hubId, seen, journal)
    if (!isLost) return false
    for (const { attempt_id } of await listLiveAttemptsOfHub(sql, accountId, hubId)) {
      await settleAttemptIn(context, work, attempt_id, {
        phase: 'starting',
        outcome: 'unknown',
        reason_code: journalLost,
        evidence: {
          kind: 'journal',
          run_id: null,
          detail: 'The hub lost its journal; what became of the start is not known',
        },
      })
    }
    // One whose fate is unknown already does not change by the claim; it must be doubted anyway.
    await doubtAttemptsOfHub(sql, accountId, hubId, journalLost)
    return true
  })
}

/** Takes "it never began" for no evidence from a hub that lost its journal: the fate of such a start stays unknown. */
export function believable(
  report: AttemptReport,
  connection: Pick<HubConnection, 'hasLostJournal'> | undefined,
): AttemptReport {
  if (!connection?.hasLostJournal) return report
  if (report.outcome !== 'not_started' || report.evidence.kind !== 'journal') return report
  return { ...report, phase: 'starting', outcome: 'unknown', reason_code: journalLost }
}
