import { insertIntoDatabase, makeDataDirectory, type SeededFarm, seedFarm, startService } from '../farms/farm.ts'
import { compareUnderLoad, ratioTo } from '../harness/load.ts'
import { atLeast, type Benchmark } from '../harness/result.ts'
import { startBareServer } from '../harness/start-bare-server.ts'

/** Jobs that wait in the second half. */
const waiting = 100_000
/** Each statement adds so many of them. */
const jobsPerStatement = 10_000

export const enqueue: Benchmark = {
  name: 'enqueue',
  what: 'POST /public/v1/jobs over 1 and 8 connections, beside the two inserts that it comes to; then with 100,000 jobs that wait',
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const farm = await seedFarm(dataDir)
    const paths = ['/public/v1/jobs']
    const headers = { authorization: `Bearer ${farm.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ print_file_id: farm.fileId, number_of_units: 1, quantity_per_print: 1 })
    const bare = await startBareServer(scope, 'inserts', [dataDir, farm.accountId, farm.fileId, farm.versionId, '8'])

    async function measure(atOnce: number, when: string) {
      const servers = await compareUnderLoad(
        [
          {
            name: `service, ${atOnce} at once, ${when}`,
            process: service.process,
            task: { url: service.url, paths, headers, body },
          },
          {
            name: `bare, ${atOnce} at once, ${when}`,
            process: bare.process,
            task: { url: bare.url, paths, headers, body },
          },
        ],
        { atOnce, turns: 5 },
      )
      await emptyQueue(dataDir, farm, when === 'full')
      const [ours, inserts] = servers
      return { servers, rate: ours?.requests_per_s ?? 0, ratio: ours && inserts ? ratioTo(ours, inserts) : null }
    }

    await emptyQueue(dataDir, farm, false)
    const one = await measure(1, 'empty')
    const eight = await measure(8, 'empty')
    await emptyQueue(dataDir, farm, true)
    const full = await measure(8, 'full')
    return {
      name: 'enqueue',
      servers: [one, eight, full].flatMap(({ servers }) => servers),
      goals: [
        atLeast('ratio, 1 at once', one.ratio, 0.5),
        atLeast('ratio, 8 at once', eight.ratio, 0.5),
        atLeast('with 100,000 waiting, of the empty queue', eight.rate > 0 ? full.rate / eight.rate : null, 0.8),
      ],
    }
  },
}

/** Takes what was queued out of the queue, so that each part begins with as many that wait: none, or 100,000. */
async function emptyQueue(dataDir: string, { accountId, fileId, versionId }: SeededFarm, isFull: boolean) {
  await insertIntoDatabase(dataDir, async (sql) => {
    for (let count = jobsPerStatement; count === jobsPerStatement; ) {
      const removed = await sql`
        delete from jobs where account_id = ${accountId} and id in (
          select id from jobs where account_id = ${accountId} and status = 'queued' limit ${jobsPerStatement})`
      count = removed.count
    }
    for (let added = 0; isFull && added < waiting; added += jobsPerStatement) {
      await sql`
        insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
          quantity_per_print, plates_total, created_by)
        select ${accountId}, 'job_' || lpad((${added}::integer + number)::text, 26, '0'), 'queued', ${fileId}, ${versionId},
          'clip.gcode', 1, 1, 1, 'system'
        from generate_series(1, ${jobsPerStatement}::integer) number`
    }
    await sql`vacuum analyze jobs`
  })
}
