/** A colour of 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number]

const BLOCK = 8
/** Codes of the differences between neighbouring blocks by how many bits a difference has; as the standard suggests them. */
const lengths = [2, 3, 3, 3, 3, 3, 4, 5, 6] as const
const codes = [0b00, 0b010, 0b011, 0b100, 0b101, 0b110, 0b1110, 0b11110, 0b111110] as const

/**
 * A baseline JPEG (ITU T.81) of flat squares of 8 × 8 pixels, one for each colour of the rows. A flat square is a single number
 * to a JPEG, so this takes no transform; it is all that a drawn picture of a simulated printer needs.
 */
export function flatJpeg(rows: readonly (readonly Rgb[])[]): Buffer {
  const width = (rows[0]?.length ?? 0) * BLOCK
  const height = rows.length * BLOCK
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    // The one number of a square is eight times its colour; dividing by eight gives the colour back.
    segment(0xdb, Buffer.from([0, BLOCK, ...Array.from({ length: 63 }, () => 1)])),
    segment(0xc0, frame(width, height)),
    segment(0xc4, Buffer.from([0x00, ...countsOf(lengths), ...lengths.keys()])),
    // Of all that a square may hold beside, only "nothing more" occurs: one code of one bit.
    segment(0xc4, Buffer.from([0x10, ...countsOf([1]), 0])),
    segment(0xda, Buffer.from([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
    squares(rows),
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

function frame(width: number, height: number): Buffer {
  const head = Buffer.from([8, 0, 0, 0, 0, 3])
  head.writeUInt16BE(height, 1)
  head.writeUInt16BE(width, 3)
  // Three components, none of them coarser than the others, all with the first table.
  return Buffer.concat([head, ...[1, 2, 3].map((id) => Buffer.from([id, 0x11, 0]))])
}

/** Answers how many codes there are of each length from 1 to 16 bits. */
function countsOf(bits: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, at) => bits.filter((length) => length === at + 1).length)
}

function squares(rows: readonly (readonly Rgb[])[]): Buffer {
  const bytes: number[] = []
  let held = 0
  let heldBits = 0
  const write = (value: number, bits: number) => {
    held = (held << bits) | value
    heldBits += bits
    while (heldBits >= 8) {
      const byte = (held >> (heldBits - 8)) & 0xff
      bytes.push(byte)
      // A marker begins with 255, so one among the data is followed by zero.
      if (byte === 0xff) bytes.push(0)
      heldBits -= 8
    }
    held &= (1 << heldBits) - 1
  }
  const before = [0, 0, 0]
  for (const row of rows) {
    for (const color of row) {
      for (const [at, value] of toYcc(color).entries()) {
        const difference = value - (before[at] ?? 0)
        before[at] = value
        const bits = 32 - Math.clz32(Math.abs(difference))
        write(codes[bits] ?? 0, lengths[bits] ?? 0)
        if (bits > 0) write(difference > 0 ? difference : difference + (1 << bits) - 1, bits)
        write(0, 1)
      }
    }
  }
  if (heldBits > 0) write((1 << (8 - heldBits)) - 1, 8 - heldBits)
  return Buffer.from(bytes)
}

/** Brightness and the two differences of colour, each around zero. */
function toYcc([red, green, blue]: Rgb): [number, number, number] {
  const bounded = (value: number) => Math.min(127, Math.max(-128, Math.round(value)))
  return [
    bounded(0.299 * red + 0.587 * green + 0.114 * blue - 128),
    bounded(-0.168736 * red - 0.331264 * green + 0.5 * blue),
    bounded(0.5 * red - 0.418688 * green - 0.081312 * blue),
  ]
}
