import { type ConnectionProblem, connectionProblem } from '@printyard/protocol/connection-problems'
import { DriverError } from '../driver.ts'
import { ConnectionProblemError } from './connection-problem-error.ts'
import { CredentialsRefusedError } from './keep-connected.ts'

/** Answers what ended a connection that could not be made, in the one vocabulary of connection problems. */
export function problemOf(error: unknown): ConnectionProblem {
  if (error instanceof ConnectionProblemError) return error.problem
  if (error instanceof CredentialsRefusedError) return connectionProblem('credentials_wrong')
  if (error instanceof DOMException && error.name === 'TimeoutError') return connectionProblem('no_answer')
  if (!(error instanceof DriverError)) return connectionProblem('unknown')
  switch (error.code) {
    case 'UNREACHABLE':
      return connectionProblem(errorNumberOf(error) === 'ECONNREFUSED' ? 'refused' : 'unreachable')
    case 'NO_ANSWER':
      return connectionProblem('no_answer')
    case 'BUSY':
      return connectionProblem('busy')
    case 'NOT_SUPPORTED':
      return connectionProblem('not_supported')
    case 'REFUSED':
    case 'WRONG_STATE':
    case 'UPLOAD_BROKEN':
    case 'NOT_MAPPED':
      return connectionProblem('not_this_family')
  }
}

/** The system's own name of a failure, from as deep as it was wrapped. */
function errorNumberOf(error: unknown): string | undefined {
  for (let here = error; here instanceof Error; here = here.cause) {
    if ('code' in here && typeof here.code === 'string' && /^E[A-Z]+$/.test(here.code)) return here.code
  }
  return undefined
}
