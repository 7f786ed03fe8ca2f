import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import { formBody } from '../wire/file-body.ts'
import { isFull, type PrinterHttp } from '../wire/printer-http.ts'

const UPLOAD_BYTES_PER_SECOND = 100_000
const UPLOAD_LEAST_MS = 60_000

/** Stores a file at the printer over HTTP. Rejects with a `DriverError`, a `ConnectionProblemError` when its store is full. */
export async function uploadToCreality(
  http: PrinterHttp,
  { path, size_bytes: sizeBytes, onSent }: FileToUpload,
  storedName: string,
  signal: AbortSignal,
): Promise<void> {
  const body = formBody({ path: '' }, { field: 'file', fileName: storedName, path, sizeBytes, onSent })
  const timeoutMs = Math.max(UPLOAD_LEAST_MS, (sizeBytes / UPLOAD_BYTES_PER_SECOND) * 1_000)
  const uploadPath = `upload/${encodeURIComponent(storedName)}`
  const answer = await http.ask({ method: 'POST', path: uploadPath, body, timeoutMs, signal })
  if (isFull(answer)) throw new ConnectionProblemError('storage_full')
  const { status } = answer
  if (status >= 500) throw new DriverError('UPLOAD_BROKEN', `the upload is answered with status ${status}`)
  if (status >= 300) throw new DriverError('REFUSED', `the upload is answered with status ${status}`)
}
