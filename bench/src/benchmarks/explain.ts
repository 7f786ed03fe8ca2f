import { fleetJobs, fleetPrinters, startFleet } from '../farms/fleet.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'
import { dispatchAll } from './dispatch.ts'

const rounds = 50

export const explain: Benchmark = {
  name: 'explain',
  what: `GET /public/v1/jobs/{id}/explain, one after another, with ${fleetPrinters} printers and ${fleetJobs} jobs`,
  async run(scope) {
    const fleet = await startFleet(scope)
    await dispatchAll(fleet)
    const timesMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const jobId = fleet.jobIds[fleet.jobIds.length - 1 - round * 20]
      const startedAt = performance.now()
      await fetchOk(`${fleet.url}/public/v1/jobs/${jobId}/explain`, fleet.headers)
      timesMs.push(performance.now() - startedAt)
    }
    return {
      name: 'explain',
      goals: [lessThan('median in ms', median(timesMs), 50)],
      times_ms: { slowest: Math.round(Math.max(...timesMs)) },
    }
  },
}
