import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Where the command line keeps what Node compiled, so that six programs do not begin by compiling the same. */
const compiledFolder = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url))
const program = fileURLToPath(new URL('../testing/day-of-telemetry.ts', import.meta.url))
/** Measured is a fifth of a megabyte; one that kept each report would grow by tens. */
const MOST_GROWTH_BYTES = 4_000_000

// Each has a process and a heap of its own, and most of its time is waiting: together they take as long as the slowest.
test.concurrent.each(['moonraker', 'octoprint', 'bambu', 'creality', 'elegoo', 'elegoo-cc2'])(
  'a day of reports leaves nothing behind in the %s driver',
  async (family) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, family], {
      timeout: 280_000,
      env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
    })
    const { early, late, pictures } = JSON.parse(stdout) as { early: number; late: number; pictures: number }
    expect(pictures).toBeGreaterThanOrEqual(5)
    expect(late - early).toBeLessThan(MOST_GROWTH_BYTES)
  },
  300_000,
)
