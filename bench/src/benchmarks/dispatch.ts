import { type Fleet, fleetJobs, fleetPrinters, startFleet } from '../farms/fleet.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const freedPrinters = 30
const waitTimeoutMs = 60_000

export const dispatch: Benchmark = {
  name: 'dispatch',
  what: `${fleetPrinters} printers become idle while ${fleetJobs} jobs are queued: until each has its order; then one is cleared at a time`,
  async run(scope) {
    const fleet = await startFleet(scope)
    const allMs = await dispatchAll(fleet)
    const freedMs: number[] = []
    for (let count = 0; count < freedPrinters; count += 1) freedMs.push(await freeOne(fleet, count))
    return {
      name: 'dispatch',
      goals: [
        lessThan('all printers have an order, in ms', allMs, 2_000),
        lessThan('a freed printer has its next order, median in ms', median(freedMs), 250),
      ],
      times_ms: { slowest_freed_printer: Math.round(Math.max(...freedMs)) },
    }
  },
}

/** From the first report until the hubs hold an order for each of their printers. */
export async function dispatchAll(fleet: Fleet): Promise<number> {
  const startedAt = performance.now()
  for (const { hub, printerIds } of fleet.hubs) for (const id of printerIds) hub.telemetry(id, { status: 'idle' })
  await until(() => fleet.hubs.reduce((sum, { hub }) => sum + hub.commands().length, 0) >= fleetPrinters)
  const elapsedMs = performance.now() - startedAt
  const ordered = new Set(fleet.hubs.flatMap(({ hub }) => hub.commands().map(({ printer_id }) => printer_id)))
  if (ordered.size !== fleetPrinters) throw new Error(`${ordered.size} printers have ${fleetPrinters} orders`)
  return elapsedMs
}

/** Lets one plate be done, and measures from the request to clear it until the hub has the next order. */
async function freeOne({ hubs, url, headers }: Fleet, count: number): Promise<number> {
  const { hub, printerIds } = hubs[count % hubs.length] as Fleet['hubs'][number]
  const printer_id = printerIds[count] as string
  const last = hub.commands().findLast((command) => command.printer_id === printer_id)
  const report = { attempt_id: String(last?.args.attempt_id), printer_id, fence: last?.fence ?? 0 }
  await hub.report({ ...report, phase: 'confirmed' })
  await hub.report({ ...report, phase: 'finished', outcome: 'done' })
  const orders = hub.commands().length
  const startedAt = performance.now()
  const body = JSON.stringify({ action: 'clear_bed' })
  await fetchOk(`${url}/public/v1/printers/${printer_id}/control`, headers, { method: 'POST', body })
  await until(() => hub.commands().length > orders)
  return performance.now() - startedAt
}

async function until(isReached: () => boolean): Promise<void> {
  const deadline = performance.now() + waitTimeoutMs
  while (!isReached()) {
    if (performance.now() > deadline) throw new Error(`Not reached within ${waitTimeoutMs} ms: ${isReached.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
