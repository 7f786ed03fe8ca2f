import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '@printyard/server/db/database'
import { isDeadlock, isLockTimeout } from '@printyard/server/db/database-errors'
import { database, owner } from '@printyard/server/db/embedded/embedded-connection'
import { insertIntoDatabase, makeDataDirectory, type SeededFarm, seedFarm, startService } from '../farms/farm.ts'
import { insertsForPgbench, requireSameJobs } from '../farms/job-inserts.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { type Contestant, compareUnderLoad, ratioTo } from '../harness/load.ts'
import { findPgbench, runPgbench } from '../harness/pgbench.ts'
import { atLeast, type Benchmark } from '../harness/result.ts'
import { startBareServer } from '../harness/start-bare-server.ts'

/** Jobs that wait before each round: none, or many. */
const queues = { empty: 0, full: 100_000 }
const clients = [1, 8]
/** Each statement adds so many jobs, or removes them. */
const jobsPerStatement = 20_000
const turns = 5

/**
 * Queueing jobs beside pgbench, which sends the very inserts that the service ends up with to the same PostgreSQL, and beside a bare server
 * that does so for each request. All of them in turn, by one and by several clients that each wait for their last answer, and each round
 * with a queue as long as before.
 */
export const enqueue: Benchmark = {
  name: 'enqueue',
  what: 'POST /public/v1/jobs over 1 and 8 connections, beside pgbench with the two inserts that it comes to; with no job that waits, and with 100,000',
  async run(scope) {
    const pgbench = findPgbench()
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const farm = await seedFarm(dataDir)
    const paths = ['/public/v1/jobs']
    const headers = { authorization: `Bearer ${farm.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ print_file_id: farm.fileId, number_of_units: 1, quantity_per_print: 1 })
    const bare = await startBareServer(scope, 'inserts', [
      ...[dataDir, farm.accountId, farm.fileId, farm.versionId],
      String(Math.max(...clients)),
    ])
    const script = join(dataDir, 'inserts.sql')
    await writeFile(script, insertsForPgbench(farm))
    const inserts = { pgbench, socketFolder: join(dataDir, 'run'), user: owner, database, script }

    const prepare = (waiting: number) => () => insertIntoDatabase(dataDir, (sql) => makeQueue(sql, farm, waiting))
    await prepare(0)()
    for (const { url } of [service, bare]) await fetchOk(`${url}/public/v1/jobs`, headers, { method: 'POST', body })
    await runPgbench(inserts, 1, 1)
    await insertIntoDatabase(dataDir, (sql) => requireSameJobs(sql, farm.accountId))

    const rounds = Object.entries(queues).flatMap(([queue, waiting]) =>
      clients.flatMap((atOnce): Contestant[] => {
        const how = { atOnce, prepare: prepare(waiting) }
        const name = (what: string) => `${what}, ${atOnce} at once, ${queue}`
        const task = { paths, headers, body }
        return [
          { name: name('service'), process: service.process, task: { url: service.url, ...task }, ...how },
          { name: name('pgbench'), task: (seconds, count) => runPgbench(inserts, seconds, count), ...how },
          { name: name('bare'), process: bare.process, task: { url: bare.url, ...task }, ...how },
        ]
      }),
    )
    const servers = await compareUnderLoad(rounds, { turns })
    const ratio = (one: string, other: string) => {
      const [ours, theirs] = [one, other].map((name) => servers.find(({ server }) => server === name))
      return ours && theirs ? ratioTo(ours, theirs) : null
    }
    return {
      name: 'enqueue',
      servers,
      goals: [
        ...Object.keys(queues).flatMap((queue) =>
          clients.map((atOnce) =>
            atLeast(
              `of pgbench, ${atOnce} at once, ${queue}`,
              ratio(`service, ${atOnce} at once, ${queue}`, `pgbench, ${atOnce} at once, ${queue}`),
              0.5,
            ),
          ),
        ),
        ...clients.map((atOnce) =>
          atLeast(
            `with 100,000 waiting of an empty queue, ${atOnce} at once`,
            ratio(`service, ${atOnce} at once, full`, `service, ${atOnce} at once, empty`),
            0.8,
          ),
        ),
      ],
    }
  },
}

/** Adds jobs to the queue or takes them out of it until so many wait. */
async function makeQueue(sql: Sql, { accountId, fileId, versionId }: SeededFarm, waiting: number): Promise<void> {
  const [queue] = await sql<{ length: number }[]>`
    select count(*)::integer as length from jobs where account_id = ${accountId} and status = 'queued'`
  const surplus = (queue?.length ?? 0) - waiting
  for (let left = surplus; left > 0; left -= jobsPerStatement) {
    await besideForecasts(
      () => sql`
        delete from jobs where account_id = ${accountId} and id in (
          select id from jobs where account_id = ${accountId} and status = 'queued'
          order by created_at desc limit ${Math.min(left, jobsPerStatement)})`,
    )
  }
  for (let missing = -surplus; missing > 0; missing -= jobsPerStatement) {
    await sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
        quantity_per_print, plates_total, created_by, created_at, time_submitted)
      select ${accountId}, 'job_' || lpad((${missing}::integer - number)::text, 26, '0'), 'queued', ${fileId}, ${versionId},
        'clip.gcode', 1, 1, 1, 'system', now() - interval '1 day', now() - interval '1 day'
      from generate_series(1, ${Math.min(missing, jobsPerStatement)}::integer) number`
  }
  await sql`vacuum analyze jobs`
}

/** Repeats what fails because the service writes the forecasts of these very jobs, in another order. */
async function besideForecasts(remove: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await remove()
      return
    } catch (error) {
      if (attempts === 10 || !(isLockTimeout(error) || isDeadlock(error))) throw error
    }
  }
}
