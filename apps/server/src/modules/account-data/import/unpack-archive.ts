import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { AccountDataError } from '../format/account-data-error.ts'
import { blockBytes, readHeader } from '../format/tar.ts'

/** The only names that an export has: an archive cannot write anywhere else. */
const knownName =
  /^(?:manifest\.json|SHA256SUMS|data\/[a-z0-9_]+\.jsonl|spreadsheets\/[a-z-]+\.csv|files\/[0-9a-f]{2}\/[0-9a-f]{64})$/

interface OpenEntry {
  file: FileHandle | undefined
  left: number
  padding: number
}

/** Unpacks an export that was written as one `.tar.gz` into an empty folder. @throws AccountDataError `EXPORT_DAMAGED` */
export async function unpackArchive(path: string, folder: string): Promise<void> {
  const source = createReadStream(path)
  const unzipped = createGunzip()
  source.on('error', (error) => unzipped.destroy(error))
  let buffered: Buffer = Buffer.alloc(0)
  let entry: OpenEntry | undefined
  let hasEnded = false
  try {
    for await (const piece of source.pipe(unzipped) as AsyncIterable<Buffer>) {
      buffered = buffered.length === 0 ? piece : Buffer.concat([buffered, piece])
      while (!hasEnded) {
        if (entry === undefined) {
          if (buffered.length < blockBytes) break
          const header = readHeader(buffered.subarray(0, blockBytes))
          buffered = buffered.subarray(blockBytes)
          if (header === undefined) hasEnded = true
          else entry = await openEntry(header, folder)
        }
        if (entry === undefined) continue
        buffered = await takeContent(entry, buffered)
        if (entry.left + entry.padding > 0) break
        await entry.file?.close()
        entry = undefined
      }
      if (hasEnded) break
    }
    if (!hasEnded) throw new RangeError('is cut off')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AccountDataError('EXPORT_DAMAGED', `${path} cannot be read: ${why}.`, { cause: error })
  } finally {
    await entry?.file?.close()
    source.destroy()
  }
}

async function openEntry(
  { name, size, isFile }: { name: string; size: number; isFile: boolean },
  folder: string,
): Promise<OpenEntry> {
  const padding = (blockBytes - (size % blockBytes)) % blockBytes
  // Folders, and what the tool of a person who packed it again has added, are passed over.
  if (!isFile || !knownName.test(name)) return { file: undefined, left: size, padding }
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return { file: await open(path, 'wx', 0o600), left: size, padding }
}

/** Writes what belongs to the entry, and answers what comes after it. */
async function takeContent(entry: OpenEntry, bytes: Buffer): Promise<Buffer> {
  const content = bytes.subarray(0, entry.left)
  if (content.length > 0) await entry.file?.appendFile(content)
  entry.left -= content.length
  if (entry.left > 0) return bytes.subarray(content.length)
  const skipped = Math.min(entry.padding, bytes.length - content.length)
  entry.padding -= skipped
  return bytes.subarray(content.length + skipped)
}
