import { startTwoHistories } from '../farms/two-histories.ts'
import { compareUnderLoad, connections, ratioTo } from '../harness/load.ts'
import { atMost, type Benchmark } from '../harness/result.ts'

const paths = ['/public/v1/analytics/overview']

export const overviewGrowth: Benchmark = {
  name: 'overview-growth',
  what: `GET /public/v1/analytics/overview over ${connections} connections, with 1,000,000 jobs beside 10,000`,
  async run(scope) {
    const { short, long } = await startTwoHistories(scope)
    const servers = await compareUnderLoad([
      { name: '10,000 jobs', process: short.process, task: { ...short.reader, paths } },
      { name: '1,000,000 jobs', process: long.process, task: { ...long.reader, paths } },
    ])
    const [few, many] = servers
    const times = few && many ? ratioTo(few, many) : null
    return { name: 'overview-growth', servers, goals: [atMost('times slower', times, 1.5)] }
  },
}
