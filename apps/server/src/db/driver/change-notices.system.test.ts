import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'

const t = appForAllTests()

/** A session with these settings, and what the server tells it of its own changes. */
async function openSession(options: string) {
  const client = new pg.Client({ connectionString: t.db.url, options })
  await client.connect()
  onTestFinished(() => client.end())
  const told: string[] = []
  client.on('notice', ({ code, message = '' }) => {
    if (code === 'PY001') told.push(message)
  })
  return { client, told }
}

async function queueJobs(farm: TestFarm, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('job'))
  await t.db.sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units, quantity_per_print,
      plates_total, created_by)
    select v.account_id, job.id, 'queued', v.print_file_id, v.id, 'clip.gcode', 1, 1, 1, 'system'
    from print_file_versions v, unnest(${ids}::text[]) as job (id)
    where v.account_id = ${farm.account.id} and v.print_file_id = ${farm.fileId}`
  return ids
}

/** Changes all jobs of a farm on this session. */
const renameAll = (farm: TestFarm, client: pg.Client) =>
  client.query('update jobs set sku_name = $2 where account_id = $1', [farm.account.id, 'Red'])

test('a statement that changes many jobs tells of all in one notice', async () => {
  const farm = await createTestFarm(t)
  const ids = await queueJobs(farm, 40)
  const { client, told } = await openSession('-c printyard.notices=joined')
  await renameAll(farm, client)
  expect(told).toHaveLength(1)
  expect(told[0]?.split(',').sort()).toEqual(ids.sort())
  await client.query('update jobs set sku_name = $2 where account_id = $1', [newId('account'), 'Red'])
  expect(told).toHaveLength(1)
})

test('the time of a statement grows with its jobs alone, whatever the session changed before', async () => {
  const farm = await createTestFarm(t)
  const { client, told } = await openSession('-c printyard.notices=joined')
  await queueJobs(farm, 1)
  await renameAll(farm, client)
  const ids = await queueJobs(farm, 20_000)
  const startedMs = performance.now()
  await client.query('update jobs set sku_name = $2 where account_id = $1', [farm.account.id, 'Blue'])
  // Each compared with each takes a minute.
  expect(performance.now() - startedMs).toBeLessThan(15_000)
  expect(told.at(-1)?.split(',')).toHaveLength(ids.length + 1)
})

test('a process of a former version is told of each by a notice of its own', async () => {
  const farm = await createTestFarm(t)
  const ids = await queueJobs(farm, 3)
  const { client, told } = await openSession('')
  await renameAll(farm, client)
  expect(told.sort()).toEqual(ids.sort())
})

test('the connections of the service hear of each job that they have changed', async () => {
  const farm = await createTestFarm(t)
  const ids = await queueJobs(farm, 3)
  const heard: (string | undefined)[] = []
  t.db.coherence.onForget((id) => heard.push(id))
  await t.db.sql`update jobs set sku_name = 'Red' where account_id = ${farm.account.id}`
  expect(heard).toEqual(expect.arrayContaining(ids))
  expect(heard.filter((id) => id?.includes(','))).toEqual([])
})
