import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

// Long runs: `npm run fault-runs -- --runs 20000 --from-seed 1`. Ends with 0 when every promise was held.
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, 'from-seed': { type: 'string', default: '1' } },
})
for (const [name, text] of Object.entries(values)) {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    process.stderr.write(`--${name} must be a whole number from 1 on: ${text}\n`)
    process.exit(2)
  }
}
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const child = spawn(
  process.execPath,
  [vitest, 'run', '--project', 'system', '--bail', '1', 'apps/cli/src/fault-runs/fault-runs.system.test.ts'],
  {
    cwd: join(import.meta.dirname, '../../../..'),
    stdio: 'inherit',
    env: { ...process.env, FAULT_RUNS: values.runs, FAULT_FROM_SEED: values['from-seed'] },
  },
)
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
