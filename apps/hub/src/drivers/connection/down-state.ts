import { connectionProblems, MOST_PROBLEMS } from '@printyard/protocol/connection-problems'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describeError } from '../../util/log.ts'
import { ConnectionProblemError } from './connection-problem-error.ts'
import { problemOf } from './problem-of.ts'

/** Answers what is said of a printer that is out of reach, with the problem that keeps it there. */
export function downState(error: unknown): PrinterState {
  return unknownPrinterState(describeError(error).slice(0, 500), [reportedProblem(error)])
}

/** A failure as the service is told of it; words that say no more than the reason does are left out. */
export function reportedProblem(error: unknown): ReportedProblem {
  const { reason, message } = problemOf(error)
  const fingerprint = error instanceof ConnectionProblemError ? error.certificateFingerprint : undefined
  return {
    reason,
    message: message === connectionProblems[reason].message ? null : message.slice(0, 500),
    ...(fingerprint !== undefined && { certificate_fingerprint: fingerprint }),
  }
}

/** The problems of both, each reason once, as many as a report may hold. */
export function joinProblems(first: readonly ReportedProblem[], second: readonly ReportedProblem[]): ReportedProblem[] {
  const more = second.filter(({ reason }) => !first.some((known) => known.reason === reason))
  return [...first, ...more].slice(0, MOST_PROBLEMS)
}
