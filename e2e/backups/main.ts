import { parseArgs } from 'node:util'
import { playRounds, requireWholeNumbers } from '../test/play-rounds.ts'

// Long runs: `npm run backup-rounds -- --rounds 50 --from-seed 1`. Ends with 0 when every round came back whole.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, 'from-seed': { type: 'string', default: '1' } },
})
requireWholeNumbers(values)
playRounds('e2e/backups/backup-rounds.system.test.ts', {
  BACKUP_ROUNDS: values.rounds,
  BACKUP_FROM_SEED: values['from-seed'],
})
