import { type FarmWithHistory, longHistory, startTwoHistories } from '../farms/two-histories.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { compareUnderLoad, connections, ratioTo } from '../harness/load.ts'
import { atMost, type Benchmark } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const history = '/public/v1/jobs/history'
const firstPage = `${history}?limit=50`
/** A hundred jobs are not in the history, because they wait; the last pages lie behind these. */
const depth = longHistory - 1_000
const byOffset = `${firstPage}&offset=${depth}`
const deepReads = 7

export const historyDepth: Benchmark = {
  name: 'history-depth',
  what: `GET ${history} over ${connections} connections: its first page with 1,000,000 jobs beside 10,000, and beside a page at its end by cursor`,
  async run(scope) {
    const { short, long } = await startTwoHistories(scope)
    const walkStartedAt = performance.now()
    const byCursor = `${firstPage}&cursor=${await walkTo(long, depth)}`
    const walkedMs = performance.now() - walkStartedAt
    const servers = await compareUnderLoad([
      { name: 'first page of 10,000', process: short.process, task: { ...short.reader, paths: [firstPage] } },
      { name: 'first page of 1,000,000', process: long.process, task: { ...long.reader, paths: [firstPage] } },
      { name: `by cursor at row ${depth}`, process: long.process, task: { ...long.reader, paths: [byCursor] } },
    ])
    const [few, many, deep] = servers
    return {
      name: 'history-depth',
      servers,
      times_ms: {
        'one reader, first page': await timeReads(long, firstPage),
        'one reader, by cursor at the end': await timeReads(long, byCursor),
        'one reader, by offset at the end': await timeReads(long, byOffset),
        'one reader, each page of 100 of the walk to there': Math.round((walkedMs / (depth / 100)) * 10) / 10,
      },
      goals: [
        atMost('times slower with more jobs', few && many ? ratioTo(few, many) : null, 1.5),
        atMost('times slower by cursor at the end', many && deep ? ratioTo(many, deep) : null, 1.5),
      ],
    }
  },
}

/** The cursor behind so many rows, a multiple of 100, as a client comes by it: page by page. */
async function walkTo({ reader }: FarmWithHistory, rows: number): Promise<string> {
  let cursor = ''
  for (let walked = 0; walked < rows; walked += 100) {
    const path = `${history}?limit=100${cursor && `&cursor=${cursor}`}`
    const { meta } = JSON.parse(await fetchOk(reader.url + path, reader.headers))
    if (!meta.next_cursor) throw new Error(`The history ends after ${walked + meta.count} jobs`)
    cursor = meta.next_cursor
  }
  return cursor
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
