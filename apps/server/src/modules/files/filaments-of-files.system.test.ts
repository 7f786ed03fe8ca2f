import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountForAllTests } from '../../test/app/app-hooks.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'

const { t, account } = accountForAllTests()

const migration = readFileSync(new URL('../../../migrations/0033-filaments-of-files.sql', import.meta.url), 'utf8')
const backfill = /^update print_file_versions[^;]*/m.exec(migration)?.[0] ?? ''

const white = { index: 0, type: 'PLA', color: '#FFFFFF', presetId: 'GFA00', weightG: 12.76 }
const black = { index: 2, type: 'PETG', color: null, presetId: null, weightG: null }

/** What the migration makes of a version that was uploaded before it. */
async function filamentsAfter(archivePlate: number | null, metadata: object): Promise<unknown> {
  const id = await insertFile(t, account.id, {})
  await t.db.sql`
    update print_file_versions set archive_plate = ${archivePlate}, metadata = ${t.db.sql.json(metadata as never)}
    where account_id = ${account.id} and print_file_id = ${id}`
  await t.db.sql.unsafe(`/* every account: a migration changes the files of all */ ${backfill}`)
  const [row] = await t.db.sql`
    select filaments from print_file_versions where account_id = ${account.id} and print_file_id = ${id}`
  return row?.filaments
}

const kept = [
  { index: 0, type: 'PLA', color: '#FFFFFF', preset_id: 'GFA00', grams: 12.76 },
  { index: 2, type: 'PETG', color: null, preset_id: null, grams: null },
]

test('files from before get the filaments that their slicer named, in order', async () => {
  expect(await filamentsAfter(null, { filaments: [black, white] })).toEqual(kept)
})

test('of an archive those of the plate that is meant', async () => {
  const plates = [
    { index: 1, filaments: [black] },
    { index: 3, filaments: [white, black] },
  ]
  expect(await filamentsAfter(3, { filaments: [], plates })).toEqual(kept)
})

test('a file that names none has none', async () => {
  expect(await filamentsAfter(null, {})).toEqual([])
  expect(await filamentsAfter(7, { plates: [{ index: 1, filaments: [white] }] })).toEqual([])
})
