import { parseArgs } from 'node:util'
import { playRounds, requireWholeNumbers } from '../test/play-rounds.ts'

// Long runs: `npm run fault-runs -- --runs 5000`. Every fifty runs it prints its figures so far and the seed to go on from,
// which `--from-seed` takes; `--lanes` plays more at once, `--thorough` goes on after a failure. Ends with 0 when every
// promise was held.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    'from-seed': { type: 'string', default: '1' },
    lanes: { type: 'string', default: '6' },
    thorough: { type: 'boolean', default: false },
  },
})
const { thorough, ...numbers } = values
requireWholeNumbers(numbers)
playRounds('e2e/fault-runs/fault-runs.system.test.ts', {
  FAULT_RUNS: numbers.runs,
  FAULT_FROM_SEED: numbers['from-seed'],
  FAULT_LANES: numbers.lanes,
  ...(thorough && { FAULT_THOROUGH: '1' }),
})
