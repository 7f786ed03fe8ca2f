import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { DriverError } from '../driver.ts'

/** A part of a file as the body of a request, read while it is sent, with what goes before and after it. */
export interface FileBody {
  readonly contentType: string
  /** Bytes of everything. */
  readonly totalBytes: number
  /** Throws a `DriverError` when the file is shorter than it was. */
  pieces(): AsyncGenerator<Uint8Array>
}

interface FilePart {
  path: string
  /** The first byte that is sent; left out: from the beginning. */
  startByte?: number
  sizeBytes: number
  /** Told how many of these bytes were handed over so far. */
  onSent?: ((sentBytes: number) => void) | undefined
}

/** A file as it is. */
export function fileBody(part: FilePart): FileBody {
  return {
    contentType: 'application/octet-stream',
    totalBytes: part.sizeBytes,
    pieces: () => piecesOf(part),
  }
}

/** A form of some fields and, behind them, a file. */
export function formBody(
  fields: Record<string, string>,
  file: FilePart & { field: string; fileName: string },
): FileBody {
  const boundary = `printyard-${randomUUID()}`
  const header = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`
  const texts = Object.entries(fields).map(([name, value]) => `${header(name)}\r\n${value}\r\n`)
  const fileHeader = header(file.field, `; filename="${inQuotes(file.fileName)}"`)
  const head = Buffer.from(`${texts.join('')}${fileHeader}content-type: application/octet-stream\r\n\r\n`)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    totalBytes: head.length + file.sizeBytes + tail.length,
    async *pieces() {
      yield head
      yield* piecesOf(file)
      yield tail
    },
  }
}

async function* piecesOf({ path, startByte = 0, sizeBytes, onSent }: FilePart): AsyncGenerator<Uint8Array> {
  if (sizeBytes === 0) return
  let sentBytes = 0
  for await (const piece of createReadStream(path, { start: startByte, end: startByte + sizeBytes - 1 })) {
    sentBytes += (piece as Buffer).length
    yield piece as Buffer
    onSent?.(sentBytes)
  }
  if (sentBytes < sizeBytes) throw new DriverError('UPLOAD_BROKEN', 'the file became shorter while it was sent')
}

/** As browsers write the name of a file into a form. */
function inQuotes(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
