import { type Fleet, fleetJobs, fleetPrinters, startFleet } from '../farms/fleet.ts'
import { FleetCommands } from '../farms/fleet-commands.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'
import { until } from '../harness/until.ts'

const freedPrinters = 30

/** A farm of farms in one account. */
const large = { printers: 10_000, jobs: 100_000 }
/** So many of its printers have a command when the first ones are freed. */
const largeUnderWay = 1_000
/** What is timed is looked at this often. */
const often = { everyMs: 1 }

export const dispatch: Benchmark = {
  name: 'dispatch',
  what: `${fleetPrinters} printers have their plates cleared while ${fleetJobs} jobs are queued: until each has its command; then one is cleared at a time`,
  async run(scope) {
    const fleet = await startFleet(scope)
    const commands = new FleetCommands(fleet)
    const allMs = await dispatchAll(fleet, commands)
    const freedMs = await freeSome(fleet, commands, new Set())
    return {
      name: 'dispatch',
      goals: [
        lessThan('all printers have a command, in ms', allMs, 2_000),
        lessThan('a freed printer has its next command, median in ms', median(freedMs), 250),
      ],
      times_ms: { slowest_freed_printer: Math.round(Math.max(...freedMs)) },
    }
  },
}

export const dispatchLarge: Benchmark = {
  name: 'dispatch-large',
  what: `${large.printers} printers have their plates cleared while ${large.jobs} jobs are queued: until each has its command; more plates are cleared meanwhile and afterwards`,
  async run(scope) {
    const fleet = await startFleet(scope, large)
    const commands = new FleetCommands(fleet)
    const isOver = dispatchAll(fleet, commands)
    // Handled below: here it only must not end the process.
    isOver.catch(() => undefined)
    const freed = new Set<string>()
    const meanwhileMs: number[] = []
    await until('the first commands', () => commands.count >= largeUnderWay, often)
    while (commands.started.size < large.printers) meanwhileMs.push(await freeOne(fleet, commands, freed))
    const allMs = await isOver
    const afterwardsMs = await freeSome(fleet, commands, freed)
    const slowest = meanwhileMs.length === 0 ? null : Math.max(...meanwhileMs)
    return {
      name: 'dispatch-large',
      goals: [
        lessThan('all printers have a command, in ms', allMs, 5_000),
        // Few are freed in so short a time: the slowest of them counts.
        lessThan('a freed printer meanwhile, the slowest in ms', slowest, 250),
        lessThan('a freed printer afterwards, median in ms', median(afterwardsMs), 250),
      ],
      compared: { meanwhile: { freed: String(meanwhileMs.length) } },
    }
  },
}

/** From the clearing of all plates until the hubs hold a command for each of their printers. */
export async function dispatchAll(fleet: Fleet, commands = new FleetCommands(fleet)): Promise<number> {
  const startedAt = performance.now()
  const printers = fleet.hubs.flatMap(({ printerIds }) => printerIds).length
  await fleet.clearPlates()
  await until('a command for each printer', () => commands.started.size >= printers, often)
  return performance.now() - startedAt
}

async function freeSome(fleet: Fleet, commands: FleetCommands, freed: Set<string>): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < freedPrinters; count += 1) times.push(await freeOne(fleet, commands, freed))
  return times
}

/**
 * Lets the plate of a printer that has a command be done, and measures from the request to clear it until the hub has the next command
 * for it. No printer is taken twice.
 */
async function freeOne({ url, headers }: Fleet, commands: FleetCommands, freed: Set<string>): Promise<number> {
  const found = [...commands.started].find(([printerId]) => !freed.has(printerId))
  if (!found) throw new Error('No printer has a command.')
  const [printer_id, { hub, last }] = found
  freed.add(printer_id)
  const report = { attempt_id: String(last.args.attempt_id), printer_id, fence: last.fence }
  await hub.report({ ...report, phase: 'confirmed' })
  await hub.report({ ...report, phase: 'finished', outcome: 'done' })
  const startedAt = performance.now()
  const body = JSON.stringify({ action: 'clear_bed' })
  await fetchOk(`${url}/public/v1/printers/${printer_id}/control`, headers, { method: 'POST', body })
  await until('the next command of a printer', () => commands.started.get(printer_id)?.last !== last, often)
  return performance.now() - startedAt
}
