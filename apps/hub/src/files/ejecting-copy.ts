import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FileToPrint } from '@printyard/protocol/commands'
import { describeError } from '../util/log.ts'
import type { HeldFile } from './file-cache.ts'
import { FileError } from './file-error.ts'

/** Place where copies of files with an ejection at their end lie while they are uploaded. */
export interface EjectingCopies {
  /**
   * Copies a held file and appends the ejection; the original stays as it is. The copy is verified: the original by its
   * hash while it is read, the whole by its size. Rejects with a `FileError`, or with the signal's reason, and leaves nothing.
   */
  make(file: FileToPrint, held: HeldFile, attemptId: string, gcode: string, signal: AbortSignal): Promise<HeldFile>
}

/** Formats to whose end G-code can be appended without touching what stands before it. */
export function canAppendTo(format: FileToPrint['format']): boolean {
  return format === 'gcode' || format === 'bgcode'
}

/** Opens the folder and removes what a killed hub left there: no print is uploaded across a restart. */
export async function openEjectingCopies(directory: string): Promise<EjectingCopies> {
  await mkdir(directory, { recursive: true })
  for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true })
  return {
    async make(file, held, attemptId, gcode, signal) {
      const path = join(directory, attemptId.replace(/[^A-Za-z0-9_-]/g, '_'))
      try {
        const sizeBytes = await copyAndAppend(file, held.path, path, gcode, signal)
        return { path, sizeBytes, release: () => void rm(path, { force: true }).catch(() => undefined) }
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined)
        if (error instanceof FileError || signal.aborted) throw error
        throw new FileError('FILE_STORE_FAILED', `the hub cannot store the file: ${describeError(error)}`, {
          cause: error,
        })
      }
    },
  }
}

async function copyAndAppend(
  file: FileToPrint,
  from: string,
  to: string,
  gcode: string,
  signal: AbortSignal,
): Promise<number> {
  const copy = await open(to, 'w', 0o600)
  try {
    const hash = createHash('sha256')
    let head = Buffer.alloc(0)
    for await (const chunk of createReadStream(from, { signal }) as AsyncIterable<Buffer>) {
      if (head.length < bgcodeHeaderBytes) head = Buffer.concat([head, chunk]).subarray(0, bgcodeHeaderBytes)
      hash.update(chunk)
      await copy.writeFile(chunk)
    }
    if (hash.digest('hex') !== file.sha256) {
      throw new FileError('FILE_CORRUPT', 'the file on the disk of the hub is not the one that was fetched')
    }
    const appended = file.format === 'bgcode' ? bgcodeBlock(head, gcode) : Buffer.from(`\n${gcode}`)
    await copy.writeFile(appended)
    await copy.sync()
    const { size } = await copy.stat()
    if (size !== file.size_bytes + appended.length) {
      throw new FileError('FILE_STORE_FAILED', `the copy has ${size} bytes after ${appended.length} were appended`)
    }
    return size
  } finally {
    await copy.close()
  }
}

const bgcodeHeaderBytes = 10
const gcodeBlock = 1
const uncompressed = 0
const plainText = 0

/**
 * A block of plain G-code for the end of a binary file, with the checksum that the file's header asks for: type,
 * compression, size, encoding, text. Source: the published specification of binary G-code.
 */
export function bgcodeBlock(fileHeader: Buffer, gcode: string): Buffer {
  const isKnown = fileHeader.length >= bgcodeHeaderBytes && fileHeader.toString('latin1', 0, 4) === 'GCDE'
  const checksumKind = isKnown ? fileHeader.readUInt16LE(8) : -1
  if (!isKnown || fileHeader.readUInt32LE(4) !== 1 || checksumKind < 0 || checksumKind > 1) {
    throw new FileError('FILE_CORRUPT', 'an ejection cannot be appended: this is no binary G-code of version 1')
  }
  const text = Buffer.from(gcode)
  const header = Buffer.alloc(10)
  header.writeUInt16LE(gcodeBlock, 0)
  header.writeUInt16LE(uncompressed, 2)
  header.writeUInt32LE(text.length, 4)
  header.writeUInt16LE(plainText, 8)
  const block = Buffer.concat([header, text])
  if (checksumKind === 0) return block
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(block))
  return Buffer.concat([block, checksum])
}
