import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError } from '../driver.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { BUSY_ERROR, developerModeRemedy, errorSentence, STORAGE_ERROR, VERIFY_FAILED_ERROR } from './bambu-faults.ts'

/** The printer cannot read its card, or it has not closed a file yet that was stored a moment ago. */
export class StorageRefusalError extends DriverError {}

/** Answers what an answer refuses; undefined when it does not. */
export function refusalOf(answer: unknown): DriverError | undefined {
  const result = textIn(memberOf(answer, 'result'))?.toLowerCase() ?? ''
  const reason = textIn(memberOf(answer, 'reason'), 300)
  const code = numberIn(memberOf(answer, 'err_code'))
  const isUnsigned = code === VERIFY_FAILED_ERROR || /mqtt message verify failed/i.test(reason ?? '')
  if (isUnsigned) return new ConnectionProblemError('developer_mode_off', { message: developerModeRemedy })
  if (result !== 'fail' && result !== 'failed') return undefined
  const sentence = errorSentence(code) ?? reason ?? 'the printer refuses without a reason'
  if (code === STORAGE_ERROR) return new StorageRefusalError('REFUSED', sentence)
  return new DriverError(code === BUSY_ERROR ? 'BUSY' : 'REFUSED', sentence)
}
