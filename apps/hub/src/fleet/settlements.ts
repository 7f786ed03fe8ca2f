import type { AttemptReport } from '@printyard/protocol/attempt'
import type { ServiceMessageBody } from '@printyard/protocol/messages'
import { isOpen, RELEASED } from '../journal/journal-state.ts'
import type { FleetJournal } from './fleet-journal.ts'
import type { Printer } from './printer.ts'

export type SettleRequest = ServiceMessageBody<'welcome'>['settle'][number]
export type ReleaseRequest = ServiceMessageBody<'release'>['attempts'][number]

/**
 * Answers what became of an attempt with what the journal holds. Of one that it does not hold nothing was ever started, unless the
 * journal was lost: then the name of the file that the printer shows may tell, whose printer looks out for it from here on.
 */
export async function settle(
  { attempt_id, printer_id, fence, run_id = null }: SettleRequest,
  journal: FleetJournal,
  printer: Printer | undefined,
): Promise<void> {
  const known = journal.state.attempts.get(attempt_id)
  const report: AttemptReport = known?.report ?? {
    attempt_id,
    printer_id,
    fence,
    phase: 'finished',
    outcome: 'not_started',
    evidence: { kind: 'journal', run_id: null, detail: 'the command never reached the hub' },
    happened_at: journal.timestamp(),
    reason_code: 'ORDER_LOST',
  }
  const identity = known?.identity ?? { file_name: '', run_id, run_before: null }
  if (!journal.isOwed(report)) await journal.report(report, identity)
  if (!known) printer?.recall({ report, identity })
}

/** Ends an attempt that is over for the service, so that it holds no printer any more. */
export async function release(
  { attempt_id }: ReleaseRequest,
  journal: FleetJournal,
  printer: Printer | undefined,
): Promise<void> {
  const known = journal.state.attempts.get(attempt_id)
  if (!known || !isOpen(known.report)) return
  if (printer) return printer.release(attempt_id)
  // This hub does not run its printer any more, so nothing else would ever end it.
  const report: AttemptReport = {
    ...known.report,
    phase: 'finished',
    outcome: 'unknown',
    evidence: { kind: 'journal', run_id: known.identity.run_id, detail: 'it is over for the service' },
    happened_at: journal.timestamp(),
    reason_code: RELEASED,
  }
  await journal.report(report, known.identity)
}
