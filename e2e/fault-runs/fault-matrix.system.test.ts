import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunVerdict, runScenario } from './fault-run.ts'
import { type Lane, openLanes } from './lane.ts'
import { faults, matrixScenario, phases } from './scenario.ts'

/**
 * Here a service, a hub or a connection ends in this process, at an exact phase. That whole processes ended by SIGKILL keep the
 * same promises is shown, at moments that no one chooses, by `service-killed`, `database-killed` and `two-services` beside the
 * command line and by the hub's `kill`.
 *
 * Runs wait more than they work, so several go side by side; each test then looks at its own.
 */
const laneCount = 6
const cells = faults.flatMap((fault) => phases.map((phase) => ({ fault, phase })))
const verdicts = new Map<string, RunVerdict>()
let lanes: Lane[] = []

beforeAll(async () => {
  lanes = await openLanes(laneCount)
  const waiting = [...cells]
  await Promise.all(
    lanes.map(async (lane) => {
      for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
        verdicts.set(`${cell.fault} ${cell.phase}`, await runScenario(lane, matrixScenario(cell.fault, cell.phase)))
      }
    }),
  )
}, 600_000)
afterAll(() => Promise.all(lanes.map((lane) => lane.close())), 60_000)

describe.each(faults)('%s', (fault) => {
  test.each(phases)(
    'at %s starts nothing twice or on a plate that carries anything, and says of no print what it was not',
    (phase) => {
      const verdict = verdicts.get(`${fault} ${phase}`)
      expect(verdict?.wrong, verdict?.trace.join('\n')).toEqual([])
    },
  )
})

test('every fault found its moment in at least three phases', () => {
  for (const fault of faults) {
    const struck = phases.filter((phase) => (verdicts.get(`${fault} ${phase}`)?.struck.length ?? 0) > 0)
    expect({ fault, struck: struck.length >= 3 }).toEqual({ fault, struck: true })
  }
})
