import { connectTestHub, type TestHub } from '@printyard/server/test/test-hub'

/** How long the prints take that are under way, in s. */
const printSeconds = 2 * 3_600
const layers = 300

/** Connects a hub whose printers all print and report each second, until the scope ends. */
export async function connectPrintingHub(
  scope: AsyncDisposableStack,
  url: string,
  token: string,
  printerIds: string[],
): Promise<void> {
  const hub = await connectTestHub(url, token)
  const timer = reportEachSecond(hub, printerIds)
  scope.defer(async () => {
    clearInterval(timer)
    await hub.close()
  })
}

/** Prints in all their stages, with heaters that swing about what they are to keep, as real ones do. */
function reportEachSecond(hub: TestHub, printerIds: string[]): NodeJS.Timeout {
  let second = 0
  return setInterval(() => {
    second += 1
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
  }, 1_000)
}
