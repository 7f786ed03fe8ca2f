import { type FileHandle, open, stat } from 'node:fs/promises'
import { FileBytes } from './containers/file-bytes.ts'
import { readArchive, unsliced } from './containers/read-archive.ts'
import { readBgcode } from './containers/read-bgcode.ts'
import { isSystemError, ZipArchive } from './containers/zip-archive.ts'
import { readGcode } from './gcode/read-gcode.ts'
import { type Limits, resolveLimits } from './limits.ts'
import type { PrintFile } from './print-file.ts'
import { PrintFileError, quoteName } from './print-file-error.ts'
import { type ContentKind, recognize, recognizedBytes } from './recognize.ts'

export interface ReadOptions {
  /** Replaces some of the default limits. */
  limits?: Partial<Limits>
  /** Stops the reading; the promise is then rejected with the signal's reason. */
  signal?: AbortSignal
}

/**
 * Reads what a print file says about itself. The format is decided by content, never by name, and the file is never
 * held in memory as a whole. Missing metadata is `null`, not an error: PrintFileError is thrown only for a file that
 * is not known (`NOT_A_PRINT_FILE`), breaks its format (`DAMAGED`), exceeds the limits (`UNSAFE`) or cannot be read
 * from disk (`UNREADABLE`).
 */
export async function readPrintFile(path: string, options: ReadOptions = {}): Promise<PrintFile> {
  const limits = resolveLimits(options.limits)
  return withRecognizedFile(path, options.signal, async (kind, file) => {
    if (kind === 'zip') {
      const archive = await ZipArchive.open(path, limits, options.signal)
      try {
        return await readArchive(archive, limits)
      } finally {
        archive.close()
      }
    }
    if (kind === 'bgcode') return readBgcode(file, limits)
    if (kind !== 'gcode') return unsliced(kind)
    const { facts, slicer, slicerVersion } = await readGcode(file.chunks(), limits)
    return { format: 'gcode', isSliced: true, slicer, slicerVersion, ...facts, plates: [] }
  })
}

/** Opens a file, tells what it is, and closes it after use. Disk errors become `UNREADABLE`. */
export async function withRecognizedFile<T>(
  path: string,
  signal: AbortSignal | undefined,
  use: (kind: ContentKind, file: FileBytes) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let handle: FileHandle | undefined
  try {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    const stats = await stat(path)
    if (!stats.isFile()) throw new PrintFileError('UNREADABLE', `${quoteName(path)} is not a regular file.`)
    handle = await open(path, 'r')
    const file = new FileBytes(handle, stats.size, signal)
    const head = Buffer.from(await file.read(0, Math.min(recognizedBytes, stats.size)))
    const kind = recognize(head, stats.size)
    if (kind === undefined) throw new PrintFileError('NOT_A_PRINT_FILE', describeUnknown(head))
    return await use(kind, file)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new PrintFileError('UNREADABLE', `${quoteName(path)} cannot be read: ${error.code}.`, { cause: error })
  } finally {
    await handle?.close()
  }
}

function describeUnknown(head: Buffer): string {
  if (head.length === 0) return 'The file is empty.'
  const looks = looksLike(head)
  return `This is not a print file${looks === undefined ? '' : `; it looks like ${looks}`}.`
}

const signatures: readonly (readonly [bytes: string, what: string])[] = [
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['47494638', 'a picture'],
  ['25504446', 'a PDF document'],
  ['504b', 'an archive that is cut short'],
  ['526172211a07', 'an archive; unpack it first'],
  ['377abcaf271c', 'an archive; unpack it first'],
  ['1f8b', 'an archive; unpack it first'],
  ['4d5a', 'a program'],
  ['7f454c46', 'a program'],
]

/** Answers what people would call a file that is none of ours, by its first bytes. */
function looksLike(head: Buffer): string | undefined {
  const found = signatures.find(([bytes]) => head.toString('hex', 0, bytes.length / 2) === bytes)
  if (found) return found[1]
  const start = head.subarray(0, 4096)
  if (start.includes(0)) return undefined
  const text = start.toString('utf8')
  if (/^\s*<(!doctype html|html)\b/i.test(text)) return 'a web page'
  return text.includes('\ufffd') && !text.endsWith('\ufffd') ? undefined : 'text'
}
