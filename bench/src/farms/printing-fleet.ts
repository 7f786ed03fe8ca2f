import { fetchOk } from '../harness/fetch-ok.ts'
import type { Fleet } from './fleet.ts'

type Hub = Fleet['hubs'][number]['hub']

const heartbeatMs = 20_000
const layers = 300

/** A print that is under way, as its hub knows it. */
interface Print {
  hub: Hub
  attemptId: string
  fence: number
  progress: number
}

/** A fleet whose printers print what they are told to, and report each second. */
interface PrintingFleet {
  /** Printers that print at this moment. */
  readonly printing: number
  /** Lets a print end well; a person takes it off its plate, and the next one is sent. */
  finishOne(): Promise<void>
}

/** Has all printers say that they are idle, and does as it is told from then on, until the scope ends. */
export function startPrinting(scope: AsyncDisposableStack, { hubs, url, headers }: Fleet): PrintingFleet {
  const prints = new Map<string, Print>()
  /** In the order in which they began. */
  const order: string[] = []
  let second = 0
  let failure: unknown

  for (const { hub } of hubs) {
    hub.onCommand(({ kind, printer_id, fence, args }) => {
      if (kind === 'print') {
        const attemptId = String((args as { attempt_id?: unknown }).attempt_id)
        prints.set(printer_id, { hub, attemptId, fence, progress: 0 })
        order.push(printer_id)
        hub.telemetry(printer_id, { status: 'printing', progress: 0, run: runOf(attemptId) })
        hub.report({ attempt_id: attemptId, printer_id, fence, phase: 'confirmed' }).catch((error: unknown) => {
          failure ??= error
        })
      }
      return { ok: true }
    })
  }

  function reportAll(): void {
    second += 1
    for (const { hub, printerIds } of hubs) {
      const printers = printerIds.flatMap((id, place) => {
        const print = prints.get(id)
        return print ? [{ printer_id: id, full: false, state: progressOf(print, second + place) }] : []
      })
      hub.send('telemetry', { printers })
    }
  }

  function beat(): void {
    for (const { hub, printerIds } of hubs) {
      hub.send('heartbeat', { uptime_seconds: second, printer_count: printerIds.length, problems: [] })
    }
  }

  const timers = [setInterval(reportAll, 1_000), setInterval(beat, heartbeatMs)]
  scope.defer(() => {
    for (const timer of timers) clearInterval(timer)
  })
  for (const { hub, printerIds } of hubs) for (const id of printerIds) hub.telemetry(id, { status: 'idle' })

  return {
    get printing() {
      return prints.size
    },
    async finishOne() {
      if (failure !== undefined) throw failure
      const printerId = order.shift()
      const print = printerId === undefined ? undefined : prints.get(printerId)
      if (printerId === undefined || !print) throw new Error('No printer prints.')
      prints.delete(printerId)
      const { hub, attemptId, fence } = print
      const attempt = { attempt_id: attemptId, printer_id: printerId, fence }
      hub.telemetry(printerId, { status: 'idle' })
      await hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
      const init = { method: 'POST', body: JSON.stringify({ action: 'clear_bed' }) }
      await fetchOk(`${url}/public/v1/printers/${printerId}/control`, headers, init)
    },
  }
}

const runOf = (attemptId: string) => ({ file_name: 'clip.gcode', job_id: attemptId, attempt_id: attemptId })

/** A hundredth of a per cent each second, with heaters that swing about what they are to keep. */
function progressOf(print: Print, phase: number) {
  print.progress = Math.min(99.9, print.progress + 0.014)
  const swing = Math.sin(phase / 3)
  return {
    progress: print.progress,
    nozzle_temp: 215 + swing * 0.4,
    target_nozzle_temp: 215,
    bed_temp: 60 + swing * 0.2,
    target_bed_temp: 60,
    layer_num: Math.floor((print.progress / 100) * layers),
    total_layers: layers,
    remaining_time_minutes: Math.round((100 - print.progress) * 1.2),
  }
}
