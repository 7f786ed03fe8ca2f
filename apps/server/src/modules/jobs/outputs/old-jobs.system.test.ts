import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationsDirectory } from '../../../db/migrate.ts'
import { silentLog } from '../../../db/setup/database-log.ts'
import { temporaryDirectory } from '../../../test/run/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/run/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('jobs of before have one output each, with what was credited and rejected of it; those without a SKU have none', async () => {
  const { sql, target } = database
  await sql`drop schema public cascade`
  await sql`create schema public`
  const files = readdirSync(migrationsDirectory).sort()
  const before = files.slice(
    0,
    files.findIndex((file) => file.endsWith('-job-outputs.sql')),
  )
  expect(before.length).toBeGreaterThan(40)
  const directory = temporaryDirectory()
  for (const file of before) copyFileSync(join(migrationsDirectory, file), join(directory, file))
  await migrate({ target, log: silentLog, directory })

  await sql`insert into accounts (id, name) values ('acc_1', 'Farm')`
  await sql`insert into products (account_id, id, name) values ('acc_1', 'prd_1', 'Clip')`
  await sql`insert into skus (account_id, id, product_id, sku) values ('acc_1', 'sku_1', 'prd_1', 'CLIP')`
  await sql`insert into inventory_items (account_id, id, product_sku_id, ready_stock) values ('acc_1', 'inv_1', 'sku_1', 4)`
  await sql`insert into print_files (account_id, id, name) values ('acc_1', 'fil_1', 'clip')`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    values ('acc_1', 'ver_1', 'fil_1', 1, true, 'clip.gcode', 'ab', 1, 'gcode', true, '{}')`
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, product_sku_id, file_name, number_of_units,
      quantity_per_print, plates_total, plates_done, units_rejected, requires_assembly, created_by)
    values ('acc_1', 'job_queued', 'queued', 'fil_1', 'ver_1', 'sku_1', 'clip', 3, 2, 2, 0, 0, true, 'system'),
           ('acc_1', 'job_done', 'completed', 'fil_1', 'ver_1', 'sku_1', 'clip', 6, 2, 3, 3, 1, false, 'system'),
           ('acc_1', 'job_bare', 'completed', 'fil_1', 'ver_1', null, 'clip', 6, 2, 3, 3, 1, false, 'system')`
  await sql`
    insert into stock_movements (account_id, id, inventory_item_id, stock, reason, change, quantity_before, quantity_after,
      job_id, actor)
    values ('acc_1', 'mov_1', 'inv_1', 'ready', 'job_completed', 5, 0, 5, 'job_done', 'system'),
           ('acc_1', 'mov_2', 'inv_1', 'ready', 'manual', -1, 5, 4, null, 'system')`
  const jobs = () =>
    sql`select to_jsonb(j) - 'recipe_id' - 'option_position' - 'order_item_id' as job from jobs j where j.account_id = 'acc_1' order by id`
  const known = await jobs()

  await migrate({ target, log: silentLog })
  expect(await jobs()).toEqual(known)
  expect(await sql`select * from job_outputs where account_id = 'acc_1' order by job_id`).toEqual([
    {
      account_id: 'acc_1',
      job_id: 'job_done',
      product_sku_id: 'sku_1',
      is_main: true,
      units_per_plate: 2,
      units: 6,
      units_credited: 5,
      units_rejected: 1,
      requires_assembly: false,
    },
    {
      account_id: 'acc_1',
      job_id: 'job_queued',
      product_sku_id: 'sku_1',
      is_main: true,
      units_per_plate: 2,
      units: 3,
      units_credited: 0,
      units_rejected: 0,
      requires_assembly: true,
    },
  ])
})
