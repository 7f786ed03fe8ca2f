import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../testing/day-of-telemetry.ts', import.meta.url))
/** Measured is a fifth of a megabyte; one that kept each report would grow by tens. */
const MOST_GROWTH_BYTES = 4_000_000

test.each(['moonraker', 'octoprint', 'bambu', 'creality', 'elegoo', 'elegoo-cc2'])(
  'a day of reports leaves nothing behind in the %s driver',
  async (family) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, family], {
      timeout: 280_000,
    })
    const { early, late, pictures } = JSON.parse(stdout) as { early: number; late: number; pictures: number }
    expect(pictures).toBeGreaterThan(10)
    expect(late - early).toBeLessThan(MOST_GROWTH_BYTES)
  },
  300_000,
)
