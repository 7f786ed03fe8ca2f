import {
  type ConnectionProblem,
  type ConnectionProblemReason,
  type ConnectionProblemWords,
  connectionProblem,
} from '@printyard/protocol/connection-problems'
import { DriverError, type DriverErrorCode } from './driver.ts'

const codes: Partial<Record<ConnectionProblemReason, DriverErrorCode>> = {
  unreachable: 'UNREACHABLE',
  refused: 'UNREACHABLE',
  no_answer: 'NO_ANSWER',
  busy: 'BUSY',
  not_supported: 'NOT_SUPPORTED',
}

/** Why there can be no connection to a printer, for programs as well; nothing was asked of the printer yet. */
export class ConnectionProblemError extends DriverError {
  readonly problem: ConnectionProblem

  constructor(reason: ConnectionProblemReason, words: Partial<ConnectionProblemWords> = {}, options?: ErrorOptions) {
    const problem = connectionProblem(reason, words)
    super(codes[reason] ?? 'REFUSED', problem.message, options)
    this.problem = problem
  }
}
