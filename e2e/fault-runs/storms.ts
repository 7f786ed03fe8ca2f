import { type RunVerdict, runScenario } from './fault-run.ts'
import type { RunFigures } from './judge.ts'
import type { Lane } from './lane.ts'
import { drawScenario, type FaultName } from './scenario.ts'

interface Storms {
  fromSeed: number
  runs: number
  /** Printers take their jobs by themselves in these runs. */
  isAutoStart(seed: number): boolean
  /** Whether all runs are played whatever goes wrong; else a failure is the last. */
  isThorough?: boolean
  /** Told of each run as it ends. */
  onRun?(verdict: RunVerdict, sofar: StormsReport): void
}

interface StormsReport {
  played: number
  /** Seeds that held every promise. */
  green: number
  failures: RunVerdict[]
  figures: RunFigures
  /** How often each fault found its moment. */
  struck: Map<FaultName, number>
  /** All seeds before it have been played: where to go on. */
  nextSeed: number
}

const noFigures: RunFigures = {
  attempts: 0,
  starts: 0,
  doubleStarts: 0,
  startsOnOccupiedPlate: 0,
  startsByHand: 0,
  startsAfterHand: 0,
  stuck: 0,
  answered: 0,
}

/** Plays seed after seed, as many at once as there are lanes: runs wait more than they work. */
export async function playStorms(lanes: readonly Lane[], storms: Storms): Promise<StormsReport> {
  const { fromSeed, runs, isAutoStart, isThorough = false, onRun } = storms
  const report: StormsReport = {
    played: 0,
    green: 0,
    failures: [],
    figures: { ...noFigures },
    struck: new Map(),
    nextSeed: fromSeed,
  }
  const running = new Set<number>()
  let next = fromSeed
  await Promise.all(
    lanes.map(async (lane) => {
      while (next < fromSeed + runs && (isThorough || report.failures.length === 0)) {
        const seed = next
        next += 1
        running.add(seed)
        const verdict = await runScenario(lane, drawScenario(seed), { autoStart: isAutoStart(seed) })
        running.delete(seed)
        report.played += 1
        report.nextSeed = Math.min(next, ...running)
        if (verdict.wrong.length === 0) report.green += 1
        else report.failures.push(verdict)
        for (const name of Object.keys(noFigures) as (keyof RunFigures)[]) report.figures[name] += verdict.figures[name]
        for (const { fault } of verdict.struck) report.struck.set(fault, (report.struck.get(fault) ?? 0) + 1)
        onRun?.(verdict, report)
      }
    }),
  )
  return report
}

/** One failed run for people, with the way to see it again. */
export function describeFailure({ seed, wrong, trace }: RunVerdict): string {
  return [`seed ${seed} (again: FAULT_SEED=${seed})`, ...wrong, ...trace].join('\n  ')
}

/** All figures in a line. */
export function describeFigures({ played, green, figures, struck }: StormsReport): string {
  return [
    `${played} runs, ${green} green`,
    `${figures.attempts} attempts`,
    `${figures.starts} starts of ours, ${figures.doubleStarts} double, ${figures.startsOnOccupiedPlate} on an occupied plate`,
    `${figures.startsByHand} starts by hand, ${figures.startsAfterHand} followed by one of ours`,
    `${figures.answered} fates asked of a person`,
    `${figures.stuck} jobs stuck`,
    `${struck.get('twin_hub') ?? 0} times two hubs of one identity`,
  ].join('; ')
}
