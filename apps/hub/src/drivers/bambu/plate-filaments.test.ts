import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { withTemporaryFile } from '@printyard/print-files/test/temporary-file'
import { expect, test } from 'vitest'
import { readPlateFilaments } from './plate-filaments.ts'

const soon = () => AbortSignal.timeout(10_000)
const built = (id: number, type: string, color: string) => ({ id, type, color, presetId: 'GFA00', usedM: 1, usedG: 3 })

test('each plate names the filaments that it uses, by their place in the project', async () => {
  const archive = buildGcode3mf({
    plates: [
      { index: 1, filaments: [built(1, 'PLA', '#FFFFFF')] },
      { index: 3, filaments: [built(2, 'PETG', '#0a2ca5'), built(4, 'PLA', '#000000')] },
    ],
  })
  const plates = await withTemporaryFile(archive, (path) => readPlateFilaments(path, soon()))
  expect(plates.get(1)).toEqual([{ index: 0, type: 'PLA', colorHex: '#FFFFFF' }])
  expect(plates.get(3)).toEqual([
    { index: 1, type: 'PETG', colorHex: '#0A2CA5' },
    { index: 3, type: 'PLA', colorHex: '#000000' },
  ])
})

test('an archive without that list names none', async () => {
  const archive = buildGcode3mf({ entries: { 'Metadata/slice_info.config': null } })
  const plates = await withTemporaryFile(archive, (path) => readPlateFilaments(path, soon()))
  expect(plates.size).toBe(0)
})

test('a file that is no archive is refused', async () => {
  const reading = withTemporaryFile('G1 X10\n', (path) => readPlateFilaments(path, soon()))
  await expect(reading).rejects.toBeInstanceOf(Error)
})
