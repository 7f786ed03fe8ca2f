import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { withTemporaryFile } from '@printyard/print-files/test/temporary-file'
import { expect, test } from 'vitest'
import { readUsedFilaments } from './used-filaments.ts'

const soon = () => AbortSignal.timeout(10_000)
const built = (id: number, type: string, color: string) => ({ id, type, color, presetId: 'GFA00', usedM: 1, usedG: 3 })
const read = (content: Buffer | string, plate: number | null = null) =>
  withTemporaryFile(content, (path) =>
    readUsedFilaments(path, { format: plate === null ? 'gcode' : 'gcode-3mf', archive_plate: plate }, soon()),
  )

test('each plate names the filaments that it uses, by their place in the project', async () => {
  const archive = buildGcode3mf({
    plates: [
      { index: 1, filaments: [built(1, 'PLA', '#FFFFFF')] },
      { index: 3, filaments: [built(2, 'PETG', '#0a2ca5'), built(4, 'PLA', '#000000')] },
    ],
  })
  expect(await read(archive, 1)).toEqual([{ index: 0, type: 'PLA', colorHex: '#FFFFFF' }])
  expect(await read(archive, 3)).toEqual([
    { index: 1, type: 'PETG', colorHex: '#0A2CA5' },
    { index: 3, type: 'PLA', colorHex: '#000000' },
  ])
  expect(await read(archive, 2)).toBeNull()
})

test('an archive without that list names none', async () => {
  expect(await read(buildGcode3mf({ entries: { 'Metadata/slice_info.config': null } }), 1)).toBeNull()
})

test('a file that is no archive is refused', async () => {
  await expect(read('G1 X10\n', 1)).rejects.toBeInstanceOf(Error)
})

test('G-code uses the tools that feed filament in it', async () => {
  const lines = ['G28', 'M83', 'T0', 'G1 X10 Y10 E5', 'T2', 'G1 X20 Y10 E5', 'T1', 'G1 X30 Y10', '']
  expect(await read(lines.join('\n'))).toMatchObject([{ index: 0 }, { index: 2 }])
})
