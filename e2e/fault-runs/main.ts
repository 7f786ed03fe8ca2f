import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

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
for (const [name, text] of Object.entries(numbers)) {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    process.stderr.write(`--${name} must be a whole number from 1 on: ${text}\n`)
    process.exit(2)
  }
}
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const child = spawn(
  process.execPath,
  [
    vitest,
    'run',
    '--project',
    'system',
    '--disable-console-intercept=true',
    'e2e/fault-runs/fault-runs.system.test.ts',
  ],
  {
    cwd: join(import.meta.dirname, '../..'),
    stdio: 'inherit',
    env: {
      ...process.env,
      FAULT_RUNS: numbers.runs,
      FAULT_FROM_SEED: numbers['from-seed'],
      FAULT_LANES: numbers.lanes,
      ...(thorough && { FAULT_THOROUGH: '1' }),
    },
  },
)
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
