import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sampleOf } from '@printyard/protocol/test/sample'
import { expect, test } from 'vitest'

/** Where the command line keeps what Node compiled, so that seven programs do not begin by compiling the same. */
const compiledFolder = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url))
const program = fileURLToPath(new URL('../test/day-of-telemetry.ts', import.meta.url))
/** Measured are two to nine; one that kept anything of each report would keep hundreds. */
const MOST_BYTES_PER_REPORT = 50

const families = ['moonraker', 'octoprint', 'bambu', 'creality', 'elegoo', 'elegoo-cc2', 'prusalink']

/** What the program prints. */
interface Day {
  early: number
  late: number
  reports: number
  pictures: number
}

// Each has a process and a heap of its own, and most of its time is waiting: together they take as long as the slowest.
test.concurrent.each(sampleOf(families, 3))(
  'a day of reports leaves nothing behind in the %s driver',
  async (family) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, family], {
      timeout: 580_000,
      env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
    })
    const { early, late, reports, pictures } = JSON.parse(stdout) as Day
    expect(pictures).toBeGreaterThanOrEqual(5)
    expect((late - early) / reports).toBeLessThan(MOST_BYTES_PER_REPORT)
  },
  600_000,
)
