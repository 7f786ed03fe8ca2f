import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

// Long runs: `npm run upgrade-rounds -- --rounds 20 --from-seed 1`. Ends with 0 when every upgrade was finished or taken back whole.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, 'from-seed': { type: 'string', default: '1' } },
})
for (const [name, text] of Object.entries(values)) {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    process.stderr.write(`--${name} must be a whole number from 1 on: ${text}\n`)
    process.exit(2)
  }
}
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const file = 'e2e/upgrades/upgrade-rounds.system.test.ts'
const child = spawn(
  process.execPath,
  [vitest, 'run', '--project', 'system', '--disable-console-intercept=true', file],
  {
    cwd: join(import.meta.dirname, '../..'),
    stdio: 'inherit',
    env: { ...process.env, UPGRADE_ROUNDS: values.rounds, UPGRADE_FROM_SEED: values['from-seed'] },
  },
)
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
