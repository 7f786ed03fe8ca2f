import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import { blameFullDisk } from '../upload/full-disk.ts'
import { formBody } from '../wire/file-body.ts'
import { type HttpAnswer, isFull, type PrinterHttp } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'

const UPLOAD_BYTES_PER_SECOND = 100_000
const UPLOAD_LEAST_MS = 60_000

/** Stores a file in Moonraker over HTTP. Rejects with a `DriverError`, a `ConnectionProblemError` when its disk is full. */
export async function uploadToMoonraker(http: PrinterHttp, file: FileToUpload, signal: AbortSignal): Promise<void> {
  const body = formBody(
    { root: 'gcodes', checksum: await sha256Of(file, signal) },
    { field: 'file', fileName: file.file_name, path: file.path, sizeBytes: file.size_bytes, onSent: file.onSent },
  )
  const timeoutMs = Math.max(UPLOAD_LEAST_MS, (file.size_bytes / UPLOAD_BYTES_PER_SECOND) * 1_000)
  const question = { method: 'POST', path: 'server/files/upload', body, timeoutMs, signal } as const
  const freeSpace = {
    path: 'server/files/directory?path=gcodes',
    freeIn: (json: unknown) => memberOf(json, 'result', 'disk_usage', 'free'),
  }
  try {
    accept(await http.ask(question))
  } catch (error) {
    await blameFullDisk(error, { http, ...freeSpace, file, signal })
  }
}

function accept(answer: HttpAnswer): void {
  if (answer.status === 201 || answer.status === 200) return
  const message = textIn(memberOf(answer.json, 'error', 'message'), 300) ?? `status ${answer.status}`
  if (isFull(answer)) throw new ConnectionProblemError('storage_full')
  if (answer.status === 401) throw new ConnectionProblemError('credentials_wrong')
  if (answer.status === 403) throw new DriverError('BUSY', message)
  // 422: what arrived is not what was sent.
  throw new DriverError(answer.status === 422 || answer.status >= 500 ? 'UPLOAD_BROKEN' : 'REFUSED', message)
}

async function sha256Of({ path }: FileToUpload, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}
