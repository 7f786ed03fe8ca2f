import { connectTestHub, type TestHub } from '@printyard/server/test/farm/test-hub'
import { fetchOk } from '../harness/fetch-ok.ts'
import { insertAccountWithHubs, insertIntoDatabase } from './farm.ts'

/** How long the prints take that are under way, in s. */
const printSeconds = 2 * 3_600
const layers = 300

/** How long the last of a thousand hubs that connect at once may wait for its welcome. */
const welcomeTimeoutMs = 120_000

/** Printers that are added at once. */
const addedAtOnce = 8

/** Hubs with their printers in an account of its own. */
export interface FarmOfHubs {
  key: string
  headers: Record<string, string>
  hubs: { token: string; printerIds: string[] }[]
}

/** Adds hubs and their printers to a running service: printers by the API, since what a hub is told of them is encrypted by it. */
export async function addHubsWithPrinters(
  url: string,
  dataDir: string,
  { hubs: hubCount, printersEach }: { hubs: number; printersEach: number },
): Promise<FarmOfHubs> {
  const { key, hubs } = await insertIntoDatabase(dataDir, (sql) => insertAccountWithHubs(sql, hubCount))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const farm = hubs.map(({ token }) => ({ token, printerIds: [] as string[] }))
  let next = 0
  async function addSome(): Promise<void> {
    while (next < hubCount * printersEach) {
      const number = next++
      const index = Math.floor(number / printersEach)
      const printer = { name: `Printer ${number}`, model: 'MK4S', hub_id: hubs[index]?.id, connection_type: 'virtual' }
      const init = { method: 'POST', body: JSON.stringify(printer) }
      farm[index]?.printerIds.push(JSON.parse(await fetchOk(`${url}/public/v1/printers`, headers, init)).data.id)
    }
  }
  await Promise.all(Array.from({ length: addedAtOnce }, addSome))
  return { key, headers, hubs: farm }
}

/** A farm of one hub whose printers all print, until the scope ends. */
export async function startPrintingFarm(
  scope: AsyncDisposableStack,
  url: string,
  dataDir: string,
  printers: number,
): Promise<FarmOfHubs> {
  const farm = await addHubsWithPrinters(url, dataDir, { hubs: 1, printersEach: printers })
  for (const { token, printerIds } of farm.hubs) await connectPrintingHub(scope, url, token, printerIds)
  return farm
}

/** Connects a hub whose printers all print and report each second, until the scope ends. */
export async function connectPrintingHub(
  scope: AsyncDisposableStack,
  url: string,
  token: string,
  printerIds: string[],
): Promise<void> {
  const hub = await connectTestHub(url, token, 0, undefined, undefined, [], {}, undefined, welcomeTimeoutMs)
  const stop = reportEachSecond(hub, printerIds)
  scope.defer(async () => {
    stop()
    await hub.close()
  })
}

/** Does something each second, from a second on, so often in the long run too: an interval adds how late it was each time. */
function eachSecond(work: (second: number) => void): () => void {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout
  function plan(second: number): void {
    timer = setTimeout(
      () => {
        work(second)
        plan(second + 1)
      },
      startedAt + second * 1_000 - performance.now(),
    )
  }
  plan(1)
  return () => clearTimeout(timer)
}

/** Prints in all their stages, with heaters that swing about what they are to keep, as real ones do. */
function reportEachSecond(hub: TestHub, printerIds: string[]): () => void {
  return eachSecond((second) => {
    hub.send('telemetry', {
      printers: printerIds.map((printerId, number) => {
        const done = ((number / printerIds.length + second / printSeconds) % 1) * 100
        const swing = Math.sin(second / 3 + number)
        return {
          printer_id: printerId,
          full: second === 1,
          state: {
            status: 'printing' as const,
            status_reason: null,
            progress: done,
            nozzle_temp: 215 + swing * 0.4,
            target_nozzle_temp: 215,
            bed_temp: 60 + swing * 0.2,
            target_bed_temp: 60,
            layer_num: Math.floor((done / 100) * layers),
            total_layers: layers,
            remaining_time_minutes: Math.round(((100 - done) / 100) * (printSeconds / 60)),
          },
        }
      }),
    })
  })
}
