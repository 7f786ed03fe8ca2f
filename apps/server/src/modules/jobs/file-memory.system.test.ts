import { describe, expect, test } from 'vitest'
import { newId, readId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import type { Work } from '../events/work.ts'
import { clearCurrentVersion, setCurrentVersion } from '../files/files.queries.ts'
import { findFileForJob } from './jobs.queries.ts'

const t = appForAllTests()

const enqueue = ({ account, fileId }: TestFarm) =>
  account.request('POST', '/jobs', { print_file_id: fileId, number_of_units: 1, quantity_per_print: 1 })

async function queued(farm: TestFarm) {
  const answer = await enqueue(farm)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

/** Lets changes go untold, so that what is in memory is seen to be. */
async function untold(table: 'print_files' | 'print_file_versions', work: () => Promise<void>): Promise<void> {
  const trigger = t.db.sql(`${table}_tell`)
  await t.db.sql`/* every account: a table has one trigger */ alter table ${t.db.sql(table)} disable trigger ${trigger}`
  try {
    await work()
  } finally {
    await t.db
      .sql`/* every account: a table has one trigger */ alter table ${t.db.sql(table)} enable trigger ${trigger}`
  }
}

test('a file that nothing has changed since is taken from memory, in its own account alone', async () => {
  const [farm, other] = [await createTestFarm(t), await createTestFarm(t)]
  const { file_name } = await queued(farm)
  await untold('print_files', async () => {
    await t.db.sql`update print_files set name = 'Other' where account_id = ${farm.account.id} and id = ${farm.fileId}`
    expect(await queued(farm)).toMatchObject({ file_name })
  })
  expect((await enqueue({ ...farm, account: other.account })).statusCode).toBe(404)
})

test('the triggers tell of every column that a job takes over', async () => {
  const farm = await createTestFarm(t)
  const fileId = readId('printFile', farm.fileId) ?? newId('printFile')
  const { print_file_id, file_version_id, ...columns } = (await findFileForJob(t.db.sql, farm.account.id, fileId)) ?? {}
  expect([print_file_id, typeof file_version_id]).toEqual([farm.fileId, 'string'])
  const told = await t.db.sql<{ name: string }[]>`
    select distinct a.attname as name from pg_trigger g
    join pg_attribute a on a.attrelid = g.tgrelid and a.attnum = any(g.tgattr)
    where g.tgname in ('print_files_tell', 'print_file_versions_tell')`
  const which = ['account_id', 'id', 'deleted_at', 'is_current_version', 'print_file_id']
  expect(told.map(({ name }) => name).sort()).toEqual([...Object.keys(columns), ...which].sort())
})

describe('each thing that a job takes over is forgotten when it changes', () => {
  test('the name of the file', async () => {
    const farm = await createTestFarm(t)
    await queued(farm)
    await t.db.sql`update print_files set name = 'Other' where account_id = ${farm.account.id} and id = ${farm.fileId}`
    expect(await queued(farm)).toMatchObject({ file_name: 'Other' })
  })

  test.each([
    [{ print_time_seconds: 7_200 }, { estimated_print_time_minutes: 120 }],
    [{ filament_weight_grams: 12.5 }, { filament_needed_grams: 12.5 }],
    [{ filament_type: 'ABS' }, { filament_type: 'ABS', material_type: 'ABS' }],
    [{ filament_color: '#00FF00' }, { color: '#00FF00' }],
  ])('%j of its version', async (change, expected) => {
    const farm = await createTestFarm(t)
    expect(await queued(farm)).not.toMatchObject(expected)
    await t.db.sql`
      update print_file_versions set ${t.db.sql(change)}
      where account_id = ${farm.account.id} and print_file_id = ${farm.fileId}`
    expect(await queued(farm)).toMatchObject(expected)
  })

  test('that it is sliced', async () => {
    const farm = await createTestFarm(t)
    await queued(farm)
    await t.db.sql`
      update print_file_versions set is_sliced = false
      where account_id = ${farm.account.id} and print_file_id = ${farm.fileId}`
    expect((await enqueue(farm)).json()).toMatchObject({ error: { code: 'FILE_NOT_SLICED' } })
  })

  test('which version is the current one', async () => {
    const farm = await createTestFarm(t)
    const fileId = readId('printFile', farm.fileId) ?? newId('printFile')
    await queued(farm)
    const [version] = await t.db.sql`
      select * from print_file_versions where account_id = ${farm.account.id} and print_file_id = ${fileId}`
    const other = { id: newId('fileVersion'), version_number: 2, is_current_version: false, print_time_seconds: 3_600 }
    // The height is made from the others.
    const { metadata, filaments, max_z_mm: _, ...columns } = version ?? {}
    const row = { ...columns, ...other, metadata: t.db.sql.json(metadata), filaments: t.db.sql.json(filaments) }
    await t.db.sql`insert into print_file_versions ${t.db.sql(row)}`
    await t.db.begin(async (sql) => {
      const work = { sql, accountId: farm.account.id } as Work
      await clearCurrentVersion(work, fileId)
      expect(await setCurrentVersion(work, fileId, 2)).toBe(true)
    })
    expect(await queued(farm)).toMatchObject({ estimated_print_time_minutes: 60 })
  })

  test('that it was deleted', async () => {
    const farm = await createTestFarm(t)
    const { id } = await queued(farm)
    expect((await farm.account.request('POST', `/jobs/${id}/cancel`)).statusCode).toBe(200)
    expect((await farm.account.request('DELETE', `/files/${farm.fileId}`)).statusCode).toBe(200)
    expect((await enqueue(farm)).json()).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } })
  })
})

test('of a file that goes while the job is written there is no job and no event', async () => {
  const farm = await createTestFarm(t)
  await queued(farm)
  const deleted = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const deleting = t.db.begin(async (sql) => {
    await sql`update print_files set deleted_at = now() where account_id = ${farm.account.id} and id = ${farm.fileId}`
    held.resolve()
    await deleted.promise
  })
  await held.promise
  // Memory has not heard of it yet: it is not committed.
  const answer = enqueue(farm)
  await t.settled(async () => {
    const [waiting] = await t.db.sql`
      /* every account: locks are those of the server */
      select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%queued as (insert into jobs%' and datname = current_database()`
    return waiting !== undefined
  })
  deleted.resolve()
  await deleting
  expect((await answer).json()).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } })
  const [counts] = await t.db.sql`
    select (select count(*)::int from jobs where account_id = ${farm.account.id}) as jobs,
           (select count(*)::int from events where account_id = ${farm.account.id} and type = 'job.queued') as events`
  expect(counts).toEqual({ jobs: 1, events: 1 })
})
