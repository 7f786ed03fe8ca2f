import { crc32, deflateSync } from 'node:zlib'

/** What a built binary G-code holds; everything has a small, valid default. */
interface BuildBgcodeOptions {
  producer?: string
  printer?: Record<string, string>
  print?: Record<string, string>
  slicer?: Record<string, string>
  thumbnails?: { format: 'png' | 'jpg' | 'qoi'; width: number; height: number; bytes: Uint8Array }[]
  /** Plain G-code, cut into deflated blocks of 64 KiB as the format asks. */
  gcode?: string
  hasChecksums?: boolean
}

const thumbnailFormats = { png: 0, jpg: 1, qoi: 2 }
const gcodeBlockBytes = 64 * 1024

/** A binary G-code file in the order of the specification. For tests and sample files only; its G-code is not MeatPacked. */
export function buildBgcode(options: BuildBgcodeOptions = {}): Buffer {
  const hasChecksums = options.hasChecksums ?? true
  const header = Buffer.alloc(10)
  header.write('GCDE', 'latin1')
  header.writeUInt32LE(1, 4)
  header.writeUInt16LE(hasChecksums ? 1 : 0, 8)
  const block = (type: number, data: Uint8Array, parameters: number[], isDeflated: boolean) =>
    buildBlock(type, data, parameters, isDeflated, hasChecksums)
  const gcode = Buffer.from(options.gcode ?? 'M104 S215\nG1 X1 Y1 Z0.2 E1\n')
  const gcodeBlocks: Buffer[] = []
  for (let at = 0; at < gcode.length; at += gcodeBlockBytes) {
    gcodeBlocks.push(block(1, gcode.subarray(at, at + gcodeBlockBytes), [0], true))
  }
  return Buffer.concat([
    header,
    block(0, lines({ Producer: options.producer ?? 'PrusaSlicer 2.8.1' }), [0], false),
    block(3, lines(options.printer ?? { printer_model: 'MK4S', filament_type: 'PLA' }), [0], false),
    ...(options.thumbnails ?? []).map(({ format, width, height, bytes }) =>
      block(5, bytes, [thumbnailFormats[format], width, height], false),
    ),
    block(4, lines(options.print ?? { 'estimated printing time (normal mode)': '15m 0s' }), [0], false),
    block(2, lines(options.slicer ?? { layer_height: '0.2' }), [0], true),
    ...gcodeBlocks,
  ])
}

function lines(values: Record<string, string>): Buffer {
  return Buffer.from(
    Object.entries(values)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
}

function buildBlock(
  type: number,
  data: Uint8Array,
  parameters: number[],
  isDeflated: boolean,
  hasChecksums: boolean,
): Buffer {
  const packed = isDeflated ? deflateSync(data) : data
  const header = Buffer.alloc((isDeflated ? 12 : 8) + 2 * parameters.length)
  header.writeUInt16LE(type, 0)
  header.writeUInt16LE(isDeflated ? 1 : 0, 2)
  header.writeUInt32LE(data.length, 4)
  if (isDeflated) header.writeUInt32LE(packed.length, 8)
  parameters.forEach((value, i) => {
    header.writeUInt16LE(value, (isDeflated ? 12 : 8) + 2 * i)
  })
  const content = Buffer.concat([header, packed])
  const checksum = Buffer.alloc(hasChecksums ? 4 : 0)
  if (hasChecksums) checksum.writeUInt32LE(crc32(content))
  return Buffer.concat([content, checksum])
}
