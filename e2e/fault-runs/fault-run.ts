import { setTimeout as wait } from 'node:timers/promises'
import { judge, type RunFigures } from './judge.ts'
import type { Lane } from './lane.ts'
import { createPerson, type JobNow } from './person.ts'
import { openRunFarm } from './run-farm.ts'
import type { PlannedFault, Scenario, ScenarioOptions } from './scenario.ts'
import { createStorm } from './storm.ts'

export interface RunVerdict {
  seed: number
  /** Everything that is wrong; empty when all promises were held. */
  wrong: string[]
  /** What happened, one line each, with milliseconds since the beginning. */
  trace: string[]
  /** The faults that found their moment. */
  struck: readonly PlannedFault[]
  figures: RunFigures
  ms: number
}

/** After the storm everything must come to an end within this, also on a machine that has much else to do. */
const patienceMs = 60_000
const lookMs = 15
/** Some faults wait for a phase that never comes, such as the second start of a job that was given up. */
const longestStormMs = 2_500

const over = ['completed', 'failed', 'cancelled']

/** Plays one scenario to its end and judges it by the logs of the simulated printers and by the tables. */
export async function runScenario(lane: Lane, scenario: Scenario, options: ScenarioOptions = {}): Promise<RunVerdict> {
  const beganAt = performance.now()
  const trace: string[] = []
  const note = (line: string) => void trace.push(`${Math.round(performance.now() - beganAt)} ms: ${line}`)
  const { db, accountId, proxy } = lane
  const farm = await openRunFarm(lane, scenario, options)
  const storm = createStorm(scenario, farm, note)
  const person = createPerson(farm, options.autoStart === true, note)
  const readJobs = () => db.sql<JobNow[]>`
    select j.id, j.status, a.id as attempt_id, a.outcome from jobs j
    left join attempts a on a.account_id = j.account_id and a.job_id = j.id and a.phase <> 'finished'
    where j.account_id = ${accountId} and j.id = any(${[...farm.jobIds]}) order by j.created_at, j.id`
  /** What the service itself says of that which comes to no end, and what stands before the machines. */
  async function noteWhy(): Promise<void> {
    for (const jobId of farm.jobIds) note(JSON.stringify(await lane.request('GET', `/jobs/${jobId}/explain`)))
    for (const printerId of farm.printerIds) {
      note(JSON.stringify(await lane.request('GET', `/printers/${printerId}`)))
      note(JSON.stringify(await lane.request('GET', `/printers/${printerId}/status`)))
      note(JSON.stringify(await farm.hands.use(printerId, { deed: 'look' })))
    }
  }

  try {
    proxy.onFrame = storm.passageOf
    const stormBeganAt = performance.now()
    const deadline = stormBeganAt + patienceMs
    let jobs = await readJobs()
    for (;;) {
      const isDone = jobs.every(({ status }) => over.includes(status))
      if (isDone && !storm.isBreaking) break
      if (performance.now() > deadline) {
        note(`stuck: ${JSON.stringify(jobs)}`)
        await noteWhy()
        break
      }
      if (!storm.isOver && (storm.haveAllStruck || performance.now() - stormBeganAt > longestStormMs)) await storm.end()
      await person.act(jobs, storm.isOver)
      await wait(lookMs)
      jobs = await readJobs()
    }
    await storm.end()
    await farm.standStill()
    const { wrong, figures } = await judge(farm)
    const unfinished = (await readJobs()).filter(({ status }) => !over.includes(status))
    if (unfinished.length > 0) wrong.push(`after ${patienceMs} ms not over: ${JSON.stringify(unfinished)}`)
    return {
      seed: scenario.seed,
      wrong,
      trace,
      struck: storm.struck,
      figures: { ...figures, stuck: unfinished.length, answered: person.work.answered },
      ms: performance.now() - beganAt,
    }
  } finally {
    proxy.onFrame = () => 'pass'
    await storm.end()
    proxy.isDown = false
    lane.clockOffsetMs = 0
    await farm.close()
  }
}
