import { expect, test } from 'vitest'
import { migrate } from '../../../db/migrate.ts'
import { silentLog } from '../../../db/setup/database-log.ts'
import { emptyDatabase, migrationsBefore } from '../../../test/run/earlier-schema.ts'

const database = emptyDatabase()

test('parts of kits from before have recipes by the files that print them, and those of people stay', async () => {
  const { sql, target } = database
  await migrate({ target, log: silentLog, directory: migrationsBefore('recipes-of-kit-parts') })
  const now = new Date('2026-01-01T00:00:00Z')
  await sql`insert into accounts (id, name, time_zone) values ('acc_1', 'Farm', 'UTC')`
  await sql`insert into products (account_id, id, name) values ('acc_1', 'prd_1', 'Lamp')`
  const files = [
    {
      id: 'fil_pla',
      is_sliced: true,
      filament_type: 'PLA;PETG',
      object_count: 4,
      number_of_units: 1,
      deleted_at: null,
    },
    { id: 'fil_stl', is_sliced: false, filament_type: null, object_count: null, number_of_units: 1, deleted_at: null },
    { id: 'fil_old', is_sliced: true, filament_type: null, object_count: null, number_of_units: 3, deleted_at: now },
  ]
  for (const [index, { id, deleted_at, ...facts }] of files.entries()) {
    await sql`insert into print_files (account_id, id, name, deleted_at) values ('acc_1', ${id}, ${`File ${id}`}, ${deleted_at})`
    await sql`
      insert into print_file_versions ${sql({
        account_id: 'acc_1',
        id: `ver_${index}`,
        print_file_id: id,
        version_number: 1,
        is_current_version: true,
        original_name: 'a.gcode',
        sha256: 'cd'.repeat(32),
        file_size_bytes: 1,
        format: 'gcode',
        metadata: sql.json({}),
        ...facts,
      })}`
  }
  const parts = [
    { sku: 'sku_1', file: 'fil_pla', type: 'petg', is_active: true },
    { sku: 'sku_2', file: 'fil_pla', type: 'ABS', is_active: true },
    { sku: 'sku_3', file: 'fil_stl', type: '', is_active: true },
    { sku: 'sku_4', file: 'fil_old', type: '', is_active: true },
    { sku: 'sku_5', file: 'fil_pla', type: '', is_active: false },
    { sku: 'sku_6', file: 'fil_pla', type: '', is_active: true },
  ]
  for (const [position, { sku, file, type, is_active }] of parts.entries()) {
    await sql`
      insert into kit_parts ${sql({
        account_id: 'acc_1',
        id: `kpt_${position}`,
        product_id: 'prd_1',
        name: `Part ${position}`,
        print_file_id: file,
        quantity_per_kit: 1,
        position,
        is_active,
        created_at: now,
        updated_at: now,
      })}`
    await sql`
      insert into skus (account_id, id, product_id, sku, filament_type, kit_part_id)
      values ('acc_1', ${sku}, 'prd_1', ${sku}, ${type}, ${`kpt_${position}`})`
  }
  await sql`
    insert into recipes (account_id, id, name, product_id, product_sku_id, print_file_id, units_per_plate, rank)
    values ('acc_1', 'rcp_own', 'Own', 'prd_1', 'sku_6', 'fil_pla', 9, 2)`

  await migrate({ target, log: silentLog })

  expect(
    await sql`select id, name, product_sku_id, print_file_id, units_per_plate, rank, is_active from recipes where account_id = 'acc_1' order by id`,
  ).toEqual([
    {
      id: 'rcp_1',
      name: 'File fil_pla',
      product_sku_id: 'sku_1',
      print_file_id: 'fil_pla',
      units_per_plate: 4,
      rank: 0,
      is_active: true,
    },
    expect.objectContaining({ id: 'rcp_own', units_per_plate: 9, rank: 2 }),
  ])
})
