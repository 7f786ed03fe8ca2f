import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import type { PrinterHttp } from '../wire/printer-http.ts'
import { numberIn } from '../wire/wire-values.ts'

const QUESTION_TIMEOUT_MS = 10_000

interface FreeSpaceQuestion {
  http: PrinterHttp
  /** What tells how much is free, and where in its answer that stands, in bytes. */
  path: string
  freeIn(json: unknown): unknown
  file: FileToUpload
  signal: AbortSignal
}

/**
 * For an upload that broke off or was answered with a fault of the program: one whose disk is full before a file is whole hangs
 * up without a word, and one that meets it later says no more than that something went wrong. Rejects with a
 * `ConnectionProblemError` when less is free than the file needs, else with `cause`.
 */
export async function blameFullDisk(
  cause: unknown,
  { http, path, freeIn, file, signal }: FreeSpaceQuestion,
): Promise<never> {
  if (!(cause instanceof DriverError && (cause.code === 'NO_ANSWER' || cause.code === 'UPLOAD_BROKEN'))) throw cause
  const question = { method: 'GET', path, timeoutMs: QUESTION_TIMEOUT_MS, signal } as const
  const answer = await http.ask(question).catch((error: unknown) => {
    if (error instanceof DriverError) return undefined
    throw error
  })
  const freeBytes = numberIn(freeIn(answer?.json))
  if (freeBytes !== null && freeBytes < file.size_bytes) throw new ConnectionProblemError('storage_full', {}, { cause })
  throw cause
}
