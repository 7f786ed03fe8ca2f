import { fetchOk } from './fetch-ok.ts'
import { compareUnderLoad, connections, ratioTo } from './load.ts'
import { atMost, type Benchmark } from './result.ts'
import { median } from './statistics.ts'
import { type FarmWithHistory, longHistory, startTwoHistories } from './two-histories.ts'

const firstPage = '/public/v1/jobs/history?limit=50'
const lastPage = `${firstPage}&offset=${longHistory - 1_000}`
const deepReads = 7

export const historyDepth: Benchmark = {
  name: 'history-depth',
  what: `GET /public/v1/jobs/history, its first page over ${connections} connections, with 1,000,000 jobs beside 10,000; and a page at its end`,
  async run(scope) {
    const { short, long } = await startTwoHistories(scope)
    const servers = await compareUnderLoad([
      { name: 'first page of 10,000', process: short.process, task: { ...short.reader, paths: [firstPage] } },
      { name: 'first page of 1,000,000', process: long.process, task: { ...long.reader, paths: [firstPage] } },
    ])
    const [few, many] = servers
    const times = few && many ? ratioTo(few, many) : null
    return {
      name: 'history-depth',
      servers,
      times_ms: {
        'one reader, first page': await timeReads(long, firstPage),
        'one reader, by offset at the end': await timeReads(long, lastPage),
      },
      goals: [atMost('times slower', times, 1.5)],
    }
  },
}

/** Median of a few reads, one after another; the first, which may have to fetch from disk, does not count. */
async function timeReads({ reader }: FarmWithHistory, path: string): Promise<number> {
  const times: number[] = []
  for (let read = 0; read <= deepReads; read += 1) {
    const startedAt = performance.now()
    const { meta } = JSON.parse(await fetchOk(reader.url + path, reader.headers))
    if (meta.count !== 50) throw new Error(`${path} answers ${meta.count} jobs`)
    if (read > 0) times.push(performance.now() - startedAt)
  }
  return Math.round(median(times) * 10) / 10
}
