import { DriverError, type DriverErrorCode } from '../../drivers/driver.ts'
import { FileError } from '../../files/file-error.ts'
import { JournalWriteError } from '../../journal/journal.ts'
import { describeError } from '../../util/log.ts'

/** Reason why a try ended before anything was started, as a stable code. */
export class NotStartedError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Answers what the service is told of an error that ended a try before anything was started. */
export function whyNotStarted(error: unknown): { code: string; detail: string } {
  const detail = describeError(error)
  if (error instanceof NotStartedError || error instanceof FileError) return { code: error.code, detail }
  if (error instanceof JournalWriteError) return { code: error.code, detail }
  if (error instanceof DriverError) return { code: refusalCode(error.code), detail }
  return { code: 'INTERNAL', detail }
}

const refusalCodes: Record<DriverErrorCode, string> = {
  NOT_SUPPORTED: 'NOT_SUPPORTED',
  UNREACHABLE: 'PRINTER_UNREACHABLE',
  REFUSED: 'PRINTER_REFUSED',
  BUSY: 'PRINTER_BUSY',
  WRONG_STATE: 'PRINTER_REFUSED',
  UPLOAD_BROKEN: 'UPLOAD_FAILED',
  NOT_MAPPED: 'FILAMENT_NOT_MAPPED',
  NO_ANSWER: 'PRINTER_UNREACHABLE',
}

/** The stable code for a refusal by the printer or its driver. */
export function refusalCode(code: DriverErrorCode): string {
  return refusalCodes[code]
}
