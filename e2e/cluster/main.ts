import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { playRounds, requireWholeNumbers } from '../test/play-rounds.ts'

// `npm run cluster`: three processes of the service, PostgreSQL, Redis and an S3 store, 20 hubs with 200 simulated printers, and an
// hour of kills. `--seconds` makes it shorter, `--seed` plays another order of faults. Ends with 0 when every promise was held.
// `--beside FOLDER` plays a rolling upgrade instead: FOLDER is a checkout of the former version with its dependencies, whose process runs
// first, and beside one of this version.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    seed: { type: 'string', default: '1' },
    hubs: { type: 'string', default: '20' },
    printers: { type: 'string', default: '10' },
    beside: { type: 'string' },
  },
})
const { beside, ...numbers } = values
requireWholeNumbers(numbers)
if (beside === undefined) {
  playRounds('e2e/cluster/cluster-storm.system.test.ts', {
    CLUSTER_SECONDS: numbers.seconds,
    CLUSTER_SEED: numbers.seed,
    CLUSTER_HUBS: numbers.hubs,
    CLUSTER_PRINTERS: numbers.printers,
  })
} else {
  playRounds('e2e/cluster/two-versions.system.test.ts', { CLUSTER_BESIDE: resolve(beside) })
}
