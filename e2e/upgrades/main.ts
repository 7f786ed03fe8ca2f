import { parseArgs } from 'node:util'
import { playRounds, requireWholeNumbers } from '../test/play-rounds.ts'

// Long runs: `npm run upgrade-rounds -- --rounds 20 --from-seed 1`. Ends with 0 when every upgrade was finished or taken back whole.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, 'from-seed': { type: 'string', default: '1' } },
})
requireWholeNumbers(values)
playRounds('e2e/upgrades/upgrade-rounds.system.test.ts', {
  UPGRADE_ROUNDS: values.rounds,
  UPGRADE_FROM_SEED: values['from-seed'],
})
