import type { StillErrorCode } from '@printyard/protocol/still'
import { CodedError } from '../../util/coded-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError, type DriverErrorCode } from '../driver.ts'

/** Reason why a camera gives no picture. */
export class StillError extends CodedError<StillErrorCode> {}

const codes: Record<DriverErrorCode, StillErrorCode> = {
  NOT_SUPPORTED: 'NOT_SUPPORTED',
  UNREACHABLE: 'PRINTER_UNREACHABLE',
  REFUSED: 'CAMERA_REFUSED',
  BUSY: 'CAMERA_OFF',
  WRONG_STATE: 'CAMERA_OFF',
  UPLOAD_BROKEN: 'INTERNAL',
  NOT_MAPPED: 'INTERNAL',
  NO_ANSWER: 'TIMEOUT',
}

/** Answers what went wrong on the way to a picture, as its asker is told. */
export function asStillError(error: unknown): StillError {
  if (error instanceof StillError) return error
  if (error instanceof DriverError) return new StillError(codes[error.code], error.message, { cause: error })
  if (error instanceof CredentialsRefusedError) return new StillError('CAMERA_REFUSED', error.message, { cause: error })
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new StillError('TIMEOUT', 'the camera gave no whole picture in time', { cause: error })
  }
  return new StillError('INTERNAL', error instanceof Error ? error.message : String(error), { cause: error })
}
