import {
  type ConnectionProblem,
  type ConnectionProblemReason,
  type ConnectionProblemWords,
  connectionProblem,
} from '@printyard/protocol/connection-problems'
import { DriverError, type DriverErrorCode } from '../driver.ts'

const codes: Partial<Record<ConnectionProblemReason, DriverErrorCode>> = {
  unreachable: 'UNREACHABLE',
  refused: 'UNREACHABLE',
  no_answer: 'NO_ANSWER',
  busy: 'BUSY',
  not_supported: 'NOT_SUPPORTED',
}

/** Reason why there can be no connection to a printer, for programs as well; nothing was asked of the printer yet. */
export class ConnectionProblemError extends DriverError {
  readonly problem: ConnectionProblem
  /** SHA-256 of the certificate that was shown and not believed, where it was seen. */
  readonly certificateFingerprint: string | undefined

  constructor(
    reason: ConnectionProblemReason,
    words: Partial<ConnectionProblemWords> = {},
    options?: ErrorOptions & { certificateFingerprint?: string },
  ) {
    const problem = connectionProblem(reason, words)
    super(codes[reason] ?? 'REFUSED', problem.message, options)
    this.problem = problem
    this.certificateFingerprint = options?.certificateFingerprint
  }
}
