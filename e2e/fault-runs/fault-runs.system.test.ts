import { isWhole, sampleSeed } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lane, openLanes } from './lane.ts'
import { drawScenario } from './scenario.ts'
import { describeFailure, describeFigures, playStorms } from './storms.ts'

/**
 * `FAULT_SEED=n` plays one run again; `FAULT_RUNS=n` plays so many, from `FAULT_FROM_SEED` on, in `FAULT_LANES` lanes.
 * Printers of every fifth run take their jobs by themselves; with `FAULT_AUTO_START=1` those of all runs do. With
 * `FAULT_THOROUGH=1` a failed run is not the last. `npm run fault-runs` sets these.
 */
const { FAULT_SEED: only, FAULT_TRACE, FAULT_AUTO_START, FAULT_THOROUGH } = process.env
/** Storms with two hubs of one identity are among as many from any seed on. */
const sampleSize = 60
const defaultRuns = isWhole ? sampleSize : 12
const defaultSeed = isWhole ? 1 : sampleSeed * defaultRuns
const runs = only === undefined ? Number(process.env.FAULT_RUNS ?? defaultRuns) : 1
const fromSeed = Number(only ?? process.env.FAULT_FROM_SEED ?? defaultSeed)
const laneCount = Number(process.env.FAULT_LANES ?? 6)
const isAutoStart = (seed: number) => FAULT_AUTO_START !== undefined || seed % 5 === 0
const progressEvery = 50
/** What the slowest run may take, were there no others beside it. */
const msPerRun = 6_000

let lanes: Lane[] = []
beforeAll(async () => {
  lanes = await openLanes(Math.min(laneCount, runs))
}, 120_000)
afterAll(() => Promise.all(lanes.map((lane) => lane.close())), 60_000)

test(
  'in all storms nothing starts twice or on a plate that carries anything, and no job is lost, stuck or said to be what it is not',
  async () => {
    const report = await playStorms(lanes, {
      fromSeed,
      runs,
      isAutoStart,
      isThorough: FAULT_THOROUGH !== undefined,
      onRun(verdict, sofar) {
        if (FAULT_TRACE) console.log(verdict.seed, Math.round(verdict.ms), only ? verdict.trace.join('\n') : '')
        if (verdict.wrong.length > 0) console.log(describeFailure(verdict))
        if (sofar.played % progressEvery === 0) console.log(`${describeFigures(sofar)}; on from seed ${sofar.nextSeed}`)
      },
    })
    console.log(describeFigures(report))
    expect(report.failures.map(describeFailure).join('\n')).toBe('')
    // Fewer runs need not have one.
    if (runs >= sampleSize) expect(report.struck.get('twin_hub')).toBeGreaterThan(0)
  },
  120_000 + runs * msPerRun,
)

/** The first storms that have two hubs of one identity. Their moment may not come in one of them. */
const twinSeeds = Array.from({ length: 10 * sampleSize }, (_, index) => index + 1)
  .filter((seed) => drawScenario(seed).faults.some(({ fault }) => fault === 'twin_hub'))
  .slice(0, 3)

test.runIf(only === undefined && runs < sampleSize)(
  'the same holds with two hubs of one identity, in whichever part of the storms is played',
  async () => {
    let struck = 0
    for (const fromSeed of twinSeeds) {
      if (struck > 0) break
      const report = await playStorms(lanes, { fromSeed, runs: 1, isAutoStart })
      expect(report.failures.map(describeFailure).join('\n')).toBe('')
      struck = report.struck.get('twin_hub') ?? 0
    }
    expect(struck).toBeGreaterThan(0)
  },
  120_000 + twinSeeds.length * msPerRun,
)
