import { parseArgs } from 'node:util'
import { playRounds, requireWholeNumbers } from '../test/play-rounds.ts'

// `npm run cluster`: three processes of the service, PostgreSQL, Redis and an S3 store, 20 hubs with 200 simulated printers, and an
// hour of kills. `--seconds` makes it shorter, `--seed` plays another order of faults. Ends with 0 when every promise was held.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    seed: { type: 'string', default: '1' },
    hubs: { type: 'string', default: '20' },
    printers: { type: 'string', default: '10' },
  },
})
requireWholeNumbers(values)
playRounds('e2e/cluster/cluster-storm.system.test.ts', {
  CLUSTER_SECONDS: values.seconds,
  CLUSTER_SEED: values.seed,
  CLUSTER_HUBS: values.hubs,
  CLUSTER_PRINTERS: values.printers,
})
