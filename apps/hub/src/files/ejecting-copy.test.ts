import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FileToPrint } from '@printyard/protocol/commands'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bgcodeBlock, openEjectingCopies } from './ejecting-copy.ts'

let directory: string
const never = new AbortController().signal
const gcode = '; ejection begin\nM140 S0\n; ejection end\n'

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'printyard-ejecting-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function store(content: Buffer, format: FileToPrint['format'] = 'gcode') {
  const path = join(directory, 'original')
  writeFileSync(path, content)
  const file: FileToPrint = {
    file_version_id: 'ver_1',
    name: `clip.${format}`,
    url_path: '/clip',
    size_bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    format,
    archive_plate: null,
    print_time_seconds: null,
    layer_count: null,
    filament_type: null,
    nozzle_temp: null,
    bed_temp: null,
  }
  return { file, held: { path, sizeBytes: content.length, release: () => undefined } }
}

const open = () => openEjectingCopies(join(directory, 'ejecting'))
const left = () => readdirSync(join(directory, 'ejecting'))

function fileHeader(checksumKind: number, version = 1): Buffer {
  const header = Buffer.alloc(10)
  header.write('GCDE')
  header.writeUInt32LE(version, 4)
  header.writeUInt16LE(checksumKind, 8)
  return header
}

test('a text file gets the ejection on a line of its own, and the original stays as it is', async () => {
  const content = Buffer.from(`${'G1 X1 Y1\n'.repeat(30_000)}; no line end`)
  const { file, held } = store(content)
  const copy = await (await open()).make(file, held, 'att_1', gcode, never)
  expect(readFileSync(copy.path)).toEqual(Buffer.concat([content, Buffer.from(`\n${gcode}`)]))
  expect(copy.sizeBytes).toBe(content.length + gcode.length + 1)
  expect(readFileSync(held.path)).toEqual(content)
})

test('the copy is gone when it is released', async () => {
  const { file, held } = store(Buffer.from('G28\n'))
  const copy = await (await open()).make(file, held, 'att_1', gcode, never)
  copy.release()
  await expect.poll(() => existsSync(copy.path)).toBe(false)
})

describe('a binary file gets a block of its own', () => {
  test.each([
    [0, 0],
    [1, 4],
  ])('with checksum kind %i it ends in %i bytes of checksum', async (kind, checksumBytes) => {
    const content = Buffer.concat([fileHeader(kind), Buffer.from('blocks')])
    const { file, held } = store(content, 'bgcode')
    const copy = await (await open()).make(file, held, 'att_1', gcode, never)
    const block = readFileSync(copy.path).subarray(content.length)
    expect(block.length).toBe(10 + gcode.length + checksumBytes)
    expect([block.readUInt16LE(0), block.readUInt16LE(2), block.readUInt32LE(4), block.readUInt16LE(8)]).toEqual([
      1,
      0,
      gcode.length,
      0,
    ])
    expect(block.toString('latin1', 10, 10 + gcode.length)).toBe(gcode)
    if (checksumBytes > 0) expect(block.readUInt32LE(10 + gcode.length)).toBe(crc32(block.subarray(0, -4)))
  })

  test.each([
    ['another version', fileHeader(1, 2)],
    ['another kind of checksum', fileHeader(2)],
    ['no header', Buffer.from('G28\nG1 X1 Y1\n')],
    ['nothing', Buffer.alloc(0)],
  ])('but not with %s', (_what, header) => {
    expect(() => bgcodeBlock(header, gcode)).toThrow('no binary G-code of version 1')
  })
})

describe('nothing is left behind', () => {
  test('when the original is not the one that was fetched', async () => {
    const { file, held } = store(Buffer.from('G28\n'))
    writeFileSync(held.path, 'G29\n')
    await expect((await open()).make(file, held, 'att_1', gcode, never)).rejects.toMatchObject({ code: 'FILE_CORRUPT' })
    expect(left()).toEqual([])
  })

  test('when the disk does not take it', async () => {
    const { file, held } = store(Buffer.from('G28\n'))
    const copies = await open()
    rmSync(join(directory, 'ejecting'), { recursive: true })
    await expect(copies.make(file, held, 'att_1', gcode, never)).rejects.toMatchObject({ code: 'FILE_STORE_FAILED' })
  })

  test('when it is given up', async () => {
    const { file, held } = store(Buffer.from('G28\n'))
    const givenUp = AbortSignal.abort(new Error('cancelled'))
    await expect((await open()).make(file, held, 'att_1', gcode, givenUp)).rejects.toThrow()
    expect(left()).toEqual([])
  })

  test('of a hub that was killed', async () => {
    const { file, held } = store(Buffer.from('G28\n'))
    await (await open()).make(file, held, 'att_1', gcode, never)
    expect(left()).toEqual(['att_1'])
    await open()
    expect(left()).toEqual([])
  })
})
