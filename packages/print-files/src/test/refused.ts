import { PrintFileError, type PrintFileErrorCode } from '../print-file-error.ts'

/** The code and message of the refusal that a promise is expected to end in. For tests only. */
export async function refused(promise: Promise<unknown>): Promise<{ code: PrintFileErrorCode; message: string }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof PrintFileError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('The file was read although it should have been refused.')
}
