import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Limits } from '../limits.ts'
import { readPrintFile } from '../read-print-file.ts'
import { buildBgcode } from '../test/build-bgcode.ts'
import { drawPixels, drawPng, encodeQoi } from '../test/draw-picture.ts'
import { refused } from '../test/refused.ts'
import { withTemporaryFile } from '../test/temporary-file.ts'

const read = (bytes: Buffer, limits?: Partial<Limits>) =>
  withTemporaryFile(bytes, (path) => readPrintFile(path, limits === undefined ? {} : { limits }))

const print = {
  'filament used [mm]': '1021.11,0.00',
  'filament used [g]': '3.05,0.00',
  'estimated printing time (normal mode)': '34m 33s',
}

test('all metadata blocks together make the facts', async () => {
  const file = await read(
    buildBgcode({
      printer: {
        printer_model: 'MK4S',
        filament_type: 'PLA;PETG',
        max_layer_z: '6.20',
        objects_info: '{"objects":[{"name":"a","polygon":[[0,0],[1,0],[1,1]]}]}',
      },
      print,
      slicer: {
        layer_height: '0.2',
        first_layer_height: '0.2',
        filament_colour: '#FF8000;#00FF00',
        print_settings_id: '0.20mm SPEED',
      },
    }),
  )
  expect(file).toMatchObject({
    format: 'bgcode',
    slicer: 'PrusaSlicer',
    slicerVersion: '2.8.1',
    printerModel: 'MK4S',
    printProfile: '0.20mm SPEED',
    printTimeSeconds: 2073,
    layerCount: 31,
    totalWeightG: 3.05,
    estimated: ['layerCount'],
    objects: [
      {
        id: '0',
        name: 'a',
        polygon: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
    ],
  })
  expect(file.filaments).toEqual([
    expect.objectContaining({ index: 0, type: 'PLA', color: '#FF8000', lengthMm: 1021.11 }),
  ])
})

test('a file without checksums is read too', async () => {
  expect(await read(buildBgcode({ hasChecksums: false, print }))).toMatchObject({
    printTimeSeconds: 2073,
    warnings: [],
  })
})

test('QOI becomes PNG, and a damaged one is left out', async () => {
  const qoi = encodeQoi(16, 16, drawPixels(16, 16, [9, 90, 200]))
  const thumbnails = [
    { format: 'qoi' as const, width: 16, height: 16, bytes: qoi },
    { format: 'qoi' as const, width: 16, height: 16, bytes: qoi.subarray(0, 100) },
    { format: 'png' as const, width: 8, height: 8, bytes: drawPng(8, 8, [1, 1, 1]) },
  ]
  const file = await read(buildBgcode({ thumbnails }))
  expect(file.thumbnails.map(({ width, mime }) => [width, mime])).toEqual([
    [16, 'image/png'],
    [8, 'image/png'],
  ])
  expect(file.warnings).toEqual(['Thumbnail 2 was left out: the QOI picture is cut short.'])
})

test('a metadata block that does not match its checksum is refused with its offset', async () => {
  const bytes = buildBgcode()
  bytes[25]! ^= 1
  expect(await refused(read(bytes))).toEqual({
    code: 'DAMAGED',
    message: 'At offset 10 a block does not match its checksum.',
  })
})

test('a truncated file is refused with the offset of the block that is incomplete', async () => {
  const bytes = buildBgcode()
  const { code, message } = await refused(read(bytes.subarray(0, bytes.length - 3)))
  expect(code).toBe('DAMAGED')
  expect(message).toMatch(/^At offset \d+ a block of \d+ bytes begins with \d+ bytes left\.$/)
})

test('a file that ends before its G-code is refused', async () => {
  expect(await refused(read(buildBgcode({ gcode: '' })))).toMatchObject({ code: 'DAMAGED' })
})

test('sizes are checked before anything is allocated for them', async () => {
  expect(await refused(read(buildBgcode(), { maxMetadataBytes: 8 }))).toMatchObject({ code: 'UNSAFE' })
  const huge = buildBgcode({ hasChecksums: false })
  huge.writeUInt32LE(0xffffffff, 14)
  expect(await refused(read(huge))).toMatchObject({ code: 'DAMAGED' })
})

test('a block that unpacks to more than it claims is refused', async () => {
  const bytes = buildBgcode({ slicer: { notes: 'x'.repeat(50_000) } })
  const at = bytes.indexOf(Buffer.from([2, 0, 1, 0]))
  bytes.writeUInt32LE(100, at + 4)
  const dataEnd = at + 14 + bytes.readUInt32LE(at + 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(at, dataEnd)), dataEnd)
  expect(await refused(read(bytes))).toEqual({
    code: 'DAMAGED',
    message: `At offset ${at} a block does not unpack to the 100 bytes it claims.`,
  })
})

test.each([
  [4, 'version'],
  [8, 'checksum kind'],
  [10, 'block type'],
  [12, 'compression'],
])('an unknown value at offset %d is refused as an unknown %s', async (offset, what) => {
  const bytes = buildBgcode()
  bytes.writeUInt16LE(99, offset)
  expect(await refused(read(bytes))).toEqual({ code: 'DAMAGED', message: expect.stringContaining(what) })
})
