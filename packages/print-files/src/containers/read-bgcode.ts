import { crc32, inflateSync } from 'node:zlib'
import { addPrusaAmounts, estimateLayerCount } from '../gcode/dialect-prusa.ts'
import { addExtent } from '../gcode/plate-extent.ts'
import { objectsFromInfo } from '../gcode/print-objects.ts'
import { checkThumbnail, sortThumbnails } from '../images/thumbnails.ts'
import type { Limits } from '../limits.ts'
import { type PrintFile, unknownFacts } from '../print-file.ts'
import { PrintFileError } from '../print-file-error.ts'
import { completeAmounts, type FilamentBody } from '../settings/filament-weight.ts'
import { addProfile } from '../settings/profile.ts'
import { settingsFromLines } from '../settings/settings.ts'
import type { FileBytes } from './file-bytes.ts'

/** https://github.com/prusa3d/libbgcode/blob/main/doc/specifications.md */
const blockType = { fileMetadata: 0, gcode: 1, slicerMetadata: 2, printerMetadata: 3, printMetadata: 4, thumbnail: 5 }
const compression = { none: 0, deflate: 1, heatshrink12: 3 }
const fileHeaderBytes = 10

interface Block {
  offset: number
  type: number
  compression: number
  uncompressedBytes: number
  dataOffset: number
  dataBytes: number
  end: number
}

/**
 * Reads the metadata of PrusaSlicer's binary G-code. Sizes are checked against the file before anything is allocated,
 * and the checksums of the blocks that are read are verified; the G-code itself is only stepped over.
 */
export async function readBgcode(file: FileBytes, limits: Limits): Promise<PrintFile> {
  const { checksumBytes } = await readFileHeader(file)
  const settings = new Map<string, string>()
  const facts = unknownFacts()
  let gcodeBlocks = 0
  let thumbnails = 0
  for (let position = fileHeaderBytes; position < file.size; ) {
    const block = await readBlockHeader(file, position, checksumBytes)
    position = block.end
    if (block.type === blockType.gcode) gcodeBlocks++
    else if (block.type === blockType.thumbnail) {
      if (++thumbnails > limits.maxThumbnails) continue
      const picture = await readThumbnailBlock(file, block, checksumBytes, limits)
      if (typeof picture === 'string') facts.warnings.push(`Thumbnail ${thumbnails} was left out: ${picture}.`)
      else facts.thumbnails.push(picture)
    } else {
      const text = await readMetadataBlock(file, block, checksumBytes, limits)
      if (text === undefined)
        facts.warnings.push(`The metadata at offset ${block.offset} is packed in a way not known here.`)
      else addLines(settings, text)
    }
  }
  if (gcodeBlocks === 0) throw damaged(file.size, 'the file ends without any G-code')

  const profile = settingsFromLines(settings)
  const bodies = new Map<number, FilamentBody>()
  addPrusaAmounts({ facts, bodies, limits }, profile)
  addProfile(facts, profile)
  facts.objects = objectsFromInfo(settings.get('objects_info') ?? '', limits.maxObjects)
  addExtent(facts)
  facts.thumbnails = sortThumbnails(facts.thumbnails)
  // The layers are inside the packed G-code, so their number follows from the heights.
  estimateLayerCount(facts)
  completeAmounts(facts, (filament) => bodies.get(filament.index) ?? {})
  const producer = /^(.*?)\s+v?(\d\S*)/.exec((settings.get('Producer') ?? '').slice(0, 200))
  return {
    format: 'bgcode',
    isSliced: true,
    slicer: producer?.[1] ?? (settings.get('Producer') || null),
    slicerVersion: producer?.[2] ?? null,
    ...facts,
    plates: [],
  }
}

async function readFileHeader(file: FileBytes): Promise<{ checksumBytes: number }> {
  if (file.size < fileHeaderBytes) throw damaged(0, 'the file header is cut short')
  const header = await file.read(0, fileHeaderBytes)
  const version = header.readUInt32LE(4)
  const checksum = header.readUInt16LE(8)
  if (version !== 1) throw damaged(4, `version ${version} of the format is not known`)
  if (checksum > 1) throw damaged(8, `checksum kind ${checksum} is not known`)
  return { checksumBytes: checksum === 1 ? 4 : 0 }
}

async function readBlockHeader(file: FileBytes, offset: number, checksumBytes: number): Promise<Block> {
  if (file.size - offset < 8) throw damaged(offset, 'a block header is cut short')
  const header = await file.read(offset, Math.min(12, file.size - offset))
  const type = header.readUInt16LE(0)
  const packing = header.readUInt16LE(2)
  const uncompressedBytes = header.readUInt32LE(4)
  if (type > blockType.thumbnail) throw damaged(offset, `block type ${type} is not known`)
  if (packing > compression.heatshrink12) throw damaged(offset, `compression ${packing} is not known`)
  const isPacked = packing !== compression.none
  if (isPacked && header.length < 12) throw damaged(offset, 'a block header is cut short')
  const dataBytes = isPacked ? header.readUInt32LE(8) : uncompressedBytes
  const dataOffset = offset + (isPacked ? 12 : 8) + (type === blockType.thumbnail ? 6 : 2)
  const end = dataOffset + dataBytes + checksumBytes
  if (end > file.size)
    throw damaged(offset, `a block of ${end - offset} bytes begins with ${file.size - offset} bytes left`)
  return { offset, type, compression: packing, uncompressedBytes, dataOffset, dataBytes, end }
}

/** The whole block, its checksum verified. */
async function readBlock(file: FileBytes, block: Block, checksumBytes: number, maxBytes: number): Promise<Buffer> {
  if (block.dataBytes > maxBytes || block.uncompressedBytes > maxBytes) {
    throw new PrintFileError(
      'UNSAFE',
      `The block at offset ${block.offset} is larger than is allowed (${maxBytes} bytes).`,
    )
  }
  const bytes = await file.read(block.offset, block.end - block.offset)
  const content = bytes.subarray(0, bytes.length - checksumBytes)
  if (checksumBytes > 0 && crc32(content) !== bytes.readUInt32LE(content.length)) {
    throw damaged(block.offset, 'a block does not match its checksum')
  }
  return content
}

/** The text of a metadata block, or undefined when it is packed or written in a way this reader does not know. */
async function readMetadataBlock(
  file: FileBytes,
  block: Block,
  checksumBytes: number,
  limits: Limits,
): Promise<string | undefined> {
  const content = await readBlock(file, block, checksumBytes, limits.maxMetadataBytes)
  const data = content.subarray(block.dataOffset - block.offset)
  const encoding = content.readUInt16LE(block.dataOffset - block.offset - 2)
  if (encoding !== 0 || block.compression > compression.deflate) return undefined
  if (block.compression === compression.none) return data.toString('utf8')
  let text: Buffer
  try {
    text = inflateSync(data, { maxOutputLength: Math.max(1, block.uncompressedBytes) })
  } catch (cause) {
    throw damaged(block.offset, `a block does not unpack to the ${block.uncompressedBytes} bytes it claims`, cause)
  }
  if (text.length !== block.uncompressedBytes) {
    throw damaged(
      block.offset,
      `a block unpacks to ${text.length} instead of the ${block.uncompressedBytes} bytes it claims`,
    )
  }
  return text.toString('utf8')
}

async function readThumbnailBlock(file: FileBytes, block: Block, checksumBytes: number, limits: Limits) {
  if (block.dataBytes > limits.maxThumbnailBytes) return 'it is too large'
  if (block.compression !== compression.none) return 'it is packed'
  const content = await readBlock(file, block, checksumBytes, limits.maxThumbnailBytes)
  return checkThumbnail(content.subarray(block.dataOffset - block.offset), limits)
}

function addLines(settings: Map<string, string>, text: string): void {
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=')
    if (equals > 0) settings.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim())
  }
}

function damaged(offset: number, what: string, cause?: unknown): PrintFileError {
  return new PrintFileError('DAMAGED', `At offset ${offset} ${what}.`, { cause })
}
