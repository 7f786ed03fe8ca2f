import { encodePng } from '../images/png.ts'

type Color = [red: number, green: number, blue: number]

/** RGBA pixels of a block in three shades on a light ground: enough of a picture to be told from another. Tests and samples only. */
export function drawPixels(width: number, height: number, [red, green, blue]: Color): Buffer {
  const pixels = Buffer.alloc(width * height * 4)
  const shade = (factor: number) => [red * factor, green * factor, blue * factor, 255].map(Math.round)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width - 0.5, y / height - 0.5]
      const isTop = Math.abs(u) / 0.36 + Math.abs(v + 0.14) / 0.2 <= 1
      const isSide =
        Math.abs(u) <= 0.36 && v <= 0.34 - Math.abs(u) * 0.55 && v >= -0.14 + 0.2 * (1 - Math.abs(u) / 0.36)
      pixels.set(isTop ? shade(1) : isSide ? shade(u < 0 ? 0.8 : 0.6) : [238, 240, 243, 255], (y * width + x) * 4)
    }
  }
  return pixels
}

/** The same as a PNG. */
export function drawPng(width: number, height: number, color: Color): Buffer {
  return encodePng(width, height, drawPixels(width, height, color))
}

/** Pixels as QOI, every one written out in full. */
export function encodeQoi(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(14)
  header.write('qoif', 'latin1')
  header.writeUInt32BE(width, 4)
  header.writeUInt32BE(height, 8)
  header.set([4, 0], 12)
  const body: number[] = []
  for (let i = 0; i < pixels.length; i += 4) body.push(0xff, ...pixels.subarray(i, i + 4))
  return Buffer.concat([header, Buffer.from(body), Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])])
}
