import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runFarmDay } from './farm-day.ts'

// `npm run farm-day -- --printers 300 --hours 24 --speed 300 --seed 1`; `--no-hand-prints` leaves out what people print at the
// printers without telling anybody, one in each shift at each. Ends with 0 when every promise was held.
const { values } = parseArgs({
  options: {
    printers: { type: 'string', default: '300' },
    hours: { type: 'string', default: '24' },
    speed: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    'no-hand-prints': { type: 'boolean', default: false },
  },
})
const { 'no-hand-prints': hasNoHandPrints, ...numbers } = values
for (const [name, text] of Object.entries(numbers)) {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    process.stderr.write(`--${name} must be a whole number from 1 to 99999: ${text}\n`)
    process.exit(2)
  }
}
const dataDir = await mkdtemp(join(tmpdir(), 'printyard-farm-day-'))
try {
  // As root, PostgreSQL runs as another user who must be able to pass.
  await chmod(dataDir, 0o711)
  const { wrong, ...rest } = await runFarmDay({
    printers: Number(values.printers),
    hours: Number(values.hours),
    speed: Number(values.speed),
    seed: Number(values.seed),
    hasHandPrints: !hasNoHandPrints,
    dataDir,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(`${JSON.stringify({ ...rest, wrong }, undefined, 2)}\n`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
