import type { Limits } from '../limits.ts'
import type { Thumbnail } from '../print-file.ts'
import { encodePng } from './png.ts'
import { decodeQoi, QoiError } from './qoi.ts'

const pngMagic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * A picture as it may be shown, or the reason why not. The kind is taken from its magic bytes, the size from its own
 * header; QOI, which no browser shows, becomes PNG.
 */
export function checkThumbnail(bytes: Buffer, limits: Limits): Thumbnail | string {
  if (bytes.length > limits.maxThumbnailBytes) return 'it is too large'
  if (bytes.subarray(0, 4).toString('latin1') === 'qoif') return fromQoi(bytes, limits)
  const found = pngSize(bytes) ?? jpegSize(bytes)
  if (found === undefined) return 'it is neither PNG, JPEG nor QOI, or it is damaged'
  if (!isSensibleSide(found.width, limits) || !isSensibleSide(found.height, limits)) {
    return `${found.width}x${found.height} is no size for a thumbnail`
  }
  return { ...found, bytes }
}

/** Best first: PNG before JPEG, then the larger one. */
export function sortThumbnails(thumbnails: readonly Thumbnail[]): Thumbnail[] {
  const rank = (thumbnail: Thumbnail) => (thumbnail.mime === 'image/png' ? 0 : 1)
  return [...thumbnails].sort((a, b) => rank(a) - rank(b) || b.width * b.height - a.width * a.height)
}

function fromQoi(bytes: Buffer, limits: Limits): Thumbnail | string {
  try {
    const { width, height, pixels } = decodeQoi(bytes, limits.maxThumbnailSide)
    return { width, height, mime: 'image/png', bytes: encodePng(width, height, pixels) }
  } catch (error) {
    if (error instanceof QoiError) return error.message
    throw error
  }
}

type Picture = Omit<Thumbnail, 'bytes'>

function pngSize(bytes: Buffer): Picture | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngMagic)) return undefined
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), mime: 'image/png' }
}

/** The size stands in the first start-of-frame segment; the segments before it are stepped over. */
function jpegSize(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let position = 2
  while (position + 9 <= bytes.length && bytes[position] === 0xff) {
    const marker = bytes[position + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      return { width: bytes.readUInt16BE(position + 7), height: bytes.readUInt16BE(position + 5), mime: 'image/jpeg' }
    }
    position += 2 + Math.max(2, bytes.readUInt16BE(position + 2))
  }
  return undefined
}

function isSensibleSide(side: number, limits: Limits): boolean {
  return side > 0 && side <= limits.maxThumbnailSide
}
