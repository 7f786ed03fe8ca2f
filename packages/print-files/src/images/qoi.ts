/** A QOI picture that cannot be decoded; the message says why. */
export class QoiError extends Error {
  override readonly name = 'QoiError'
}

const headerBytes = 14
const endBytes = 8
/** A run of equal pixels is the densest thing QOI has: one byte for this many. */
const maxPixelsPerByte = 62
/** 16 MiB of pixels; thumbnails are far below. */
const maxPixels = 4 * 1024 * 1024

/**
 * Pixels (RGBA, row by row) of a "Quite OK Image", after the specification at https://qoiformat.org.
 * Throws QoiError when the picture ends early, is larger than allowed, or claims more than its bytes can hold.
 */
export function decodeQoi(bytes: Buffer, maxSide: number): { width: number; height: number; pixels: Buffer } {
  if (bytes.length < headerBytes + endBytes) throw new QoiError('the QOI picture is cut short')
  const width = bytes.readUInt32BE(4)
  const height = bytes.readUInt32BE(8)
  const count = width * height
  if (width === 0 || height === 0 || width > maxSide || height > maxSide || count > maxPixels) {
    throw new QoiError(`${width}x${height} is no size for a thumbnail`)
  }
  if (count > (bytes.length - headerBytes - endBytes) * maxPixelsPerByte) {
    throw new QoiError('the QOI picture is cut short')
  }
  const pixels = Buffer.alloc(count * 4)
  decodePixels(bytes, pixels)
  return { width, height, pixels }
}

function decodePixels(bytes: Buffer, pixels: Buffer): void {
  const seen = new Uint8Array(64 * 4)
  const dataEnd = bytes.length - endBytes
  let [red, green, blue, alpha] = [0, 0, 0, 255]
  let at = headerBytes
  for (let out = 0; out < pixels.length; ) {
    if (at >= dataEnd) throw new QoiError('the QOI picture is cut short')
    const tag = bytes[at++]!
    let run = 1
    if (tag >= 0xfe) {
      const size = tag === 0xff ? 4 : 3
      if (at + size > dataEnd) throw new QoiError('the QOI picture is cut short')
      red = bytes[at]!
      green = bytes[at + 1]!
      blue = bytes[at + 2]!
      if (size === 4) alpha = bytes[at + 3]!
      at += size
    } else if (tag >> 6 === 0) {
      red = seen[tag * 4]!
      green = seen[tag * 4 + 1]!
      blue = seen[tag * 4 + 2]!
      alpha = seen[tag * 4 + 3]!
    } else if (tag >> 6 === 1) {
      red = (red + ((tag >> 4) & 3) - 2) & 255
      green = (green + ((tag >> 2) & 3) - 2) & 255
      blue = (blue + (tag & 3) - 2) & 255
    } else if (tag >> 6 === 2) {
      if (at >= dataEnd) throw new QoiError('the QOI picture is cut short')
      const greenStep = (tag & 63) - 32
      const others = bytes[at++]!
      red = (red + greenStep - 8 + (others >> 4)) & 255
      green = (green + greenStep) & 255
      blue = (blue + greenStep - 8 + (others & 15)) & 255
    } else run = (tag & 63) + 1
    const slot = ((red * 3 + green * 5 + blue * 7 + alpha * 11) % 64) * 4
    seen[slot] = red
    seen[slot + 1] = green
    seen[slot + 2] = blue
    seen[slot + 3] = alpha
    for (; run > 0 && out < pixels.length; run--, out += 4) {
      pixels[out] = red
      pixels[out + 1] = green
      pixels[out + 2] = blue
      pixels[out + 3] = alpha
    }
  }
}
