import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { startBambuSimulator } from '@printyard/virtual-printers/bambu/bambu-simulator'
import { startCrealitySimulator } from '@printyard/virtual-printers/creality/creality-simulator'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startCc2Simulator } from '@printyard/virtual-printers/elegoo/cc2-simulator'
import { startSdcpSimulator } from '@printyard/virtual-printers/elegoo/sdcp-simulator'
import { startMoonrakerSimulator } from '@printyard/virtual-printers/moonraker/moonraker-simulator'
import { startOctoPrintSimulator } from '@printyard/virtual-printers/octoprint/octoprint-simulator'
import { startPrusaLinkSimulator } from '@printyard/virtual-printers/prusalink/prusalink-simulator'
import { createDriver } from '../drivers/create-driver.ts'
import { createWaiter } from '../util/waiter.ts'
import { createRecordedLog } from './quiet-log.ts'
import { buildPrinter } from './test-service.ts'

/**
 * A program: feeds the driver of one family with a day of reports, one for each second, as fast as it takes them, and
 * prints how large the heap was after a fifth of the day and at its end, and how many reports came between. Fifty jobs go by
 * meanwhile. PrusaLink reports nothing by itself: it is asked, without the time between.
 */
const SECONDS_OF_A_DAY = 86_400
/** Behind each the printer is waited for, which takes longer than the reports. */
const BATCHES = 5
const JOBS = 50
const WAIT_MS = 240_000

interface Feed {
  type: PrinterSettings['connection_type']
  connection: Record<string, unknown>
  /** See `DriverContext`; 1 when left out. */
  waitFactor?: number
  /** How many seconds of the day lie between two reports; 1 when left out. */
  everySeconds?: number
  /** Sends the report of one second of the day, or has it ready for who asks; then it resolves when it was asked for. */
  send(second: number): void | Promise<void>
  close(): Promise<void>
}

const address = '127.0.0.1'
const apiKey = '0123456789abcdef0123456789abcdef'
const jobOf = (second: number) => Math.floor((second / SECONDS_OF_A_DAY) * JOBS)
const nozzleAt = (second: number) => Math.round(21_400 + 100 * Math.sin(second)) / 100

const printer = createVirtualPrinter({ id: 'day', model: 'Voron 2.4', speed: 1 })

const feeds: Record<string, () => Promise<Feed>> = {
  async moonraker() {
    const { port, sendRaw, close } = await startMoonrakerSimulator({ printer, apiKey })
    const notify = (method: string, params: unknown[]) => sendRaw(JSON.stringify({ jsonrpc: '2.0', method, params }))
    return {
      type: 'moonraker',
      connection: { address, port, api_key: apiKey },
      send(second) {
        const filename = `job-${jobOf(second)}.gcode`
        const job = { job_id: String(jobOf(second)), filename, status: 'in_progress' }
        if (second % 1_000 === 0) notify('notify_history_changed', [{ action: 'added', job }])
        const changed = { extruder: { temperature: nozzleAt(second) }, print_stats: { state: 'printing', filename } }
        notify('notify_status_update', [changed, second])
        notify('notify_gcode_response', [`// second ${second}`])
      },
      close,
    }
  },
  async octoprint() {
    const { port, sendRaw, close } = await startOctoPrintSimulator({ printer, apiKey })
    const flags = { operational: true, printing: true }
    return {
      type: 'octoprint',
      connection: { address, port, api_key: apiKey },
      send(second) {
        const name = `job-${jobOf(second)}.gcode`
        const temps = [{ time: second, tool0: { actual: nozzleAt(second), target: 215 } }]
        const job = { file: { name, path: name, date: jobOf(second) } }
        sendRaw(
          JSON.stringify({ current: { state: { text: 'Printing', flags }, job, temps, progress: { completion: 5 } } }),
        )
      },
      close,
    }
  },
  async bambu() {
    const credentials = { serial: '01P00A123456789', accessCode: '12345678' }
    const simulator = await startBambuSimulator({ printer, model: 'P1S', ...credentials })
    const { mqttPort: port, ftpsPort: ftps_port, sendFields, close } = simulator
    return {
      type: 'bambu',
      connection: { address, port, ftps_port, serial: credentials.serial, access_code: credentials.accessCode },
      send: (second) =>
        sendFields({
          gcode_state: 'RUNNING',
          nozzle_temper: nozzleAt(second),
          subtask_id: String(jobOf(second)),
          subtask_name: `job-${jobOf(second)}`,
          gcode_file: `job-${jobOf(second)}.gcode`,
        }),
      close,
    }
  },
  async creality() {
    const { port, sendRaw, close } = await startCrealitySimulator({ printer })
    return {
      type: 'creality',
      connection: { address, port, http_port: port },
      send: (second) =>
        sendRaw(JSON.stringify({ nozzleTemp: String(nozzleAt(second)), printFileName: `/job-${jobOf(second)}.gcode` })),
      close,
    }
  },
  async elegoo() {
    const { port, sendRaw, close } = await startSdcpSimulator({ printer })
    return {
      type: 'elegoo',
      connection: { address, port, protocol: 'sdcp' },
      send: (second) => sendRaw(JSON.stringify({ Status: { TempOfNozzle: nozzleAt(second), TimeStamp: second } })),
      close,
    }
  },
  async prusalink() {
    const password = 'Pass-word-1'
    const { port, answerOnce, close } = await startPrusaLinkSimulator({ printer, password })
    return {
      type: 'prusalink',
      connection: { address, port, password },
      // A second of waiting is a twentieth of a millisecond then, and no wait at all.
      waitFactor: 0.000_05,
      // A question and its answer cost twenty times what a report on a socket does.
      everySeconds: 3,
      send(second) {
        const id = jobOf(second) + 1
        const printing = { state: 'PRINTING', temp_nozzle: nozzleAt(second), target_nozzle: 215 }
        return answerOnce(
          { printer: printing, job: { id, progress: 5, time_remaining: 60 }, storage: { path: '/usb/' } },
          { id, file: { name: `JOB${id}~1.GCO`, display_name: `job-${id}.gcode` } },
        )
      },
      close,
    }
  },
  async 'elegoo-cc2'() {
    const credentials = { serial: 'F01AB2C3D4E5F6G', accessCode: 'Pass-word-1' }
    const { port, httpPort, sendRaw, close } = await startCc2Simulator({ printer, ...credentials })
    const connection = { address, port, http_port: httpPort, protocol: 'mqtt', serial: credentials.serial }
    return {
      type: 'elegoo',
      connection: { ...connection, access_code: credentials.accessCode },
      send: (second) =>
        sendRaw(JSON.stringify({ method: 6000, result: { extruder: { temperature: nozzleAt(second) }, second } })),
      close,
    }
  },
}

const [family = ''] = process.argv.slice(2)
const startFeed = feeds[family]
if (!startFeed || !globalThis.gc)
  throw new Error(`node --expose-gc day-of-telemetry.ts ${Object.keys(feeds).join('|')}`)
const collect = globalThis.gc

await printer.powerOn()
const feed = await startFeed()
const folder = mkdtempSync(join(tmpdir(), 'printyard-day-'))
const driver = await createDriver(buildPrinter({ connection_type: feed.type, connection: feed.connection }), {
  log: createRecordedLog(),
  clock: Date.now,
  dataDir: folder,
  virtualSpeed: 1,
  waitFactor: feed.waitFactor ?? 1,
})
let pictures = 0
const waiter = createWaiter<PrinterState>()
driver.onState((state) => {
  pictures += 1
  waiter.show(state)
})
await driver.start(AbortSignal.timeout(600_000))
await waiter.until(({ status }) => status === 'idle', { awaited: 'the printer to be idle', timeoutMs: WAIT_MS })

const heapBytes = async () => {
  // What just arrived is let go of first.
  await new Promise((resolve) => setTimeout(resolve, 20))
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
let early = 0
let reports = 0
for (let batch = 0; batch < BATCHES; batch += 1) {
  const seconds = SECONDS_OF_A_DAY / BATCHES
  const asked: (void | Promise<void>)[] = []
  for (let second = batch * seconds; second < (batch + 1) * seconds; second += feed.everySeconds ?? 1) {
    asked.push(feed.send(second))
  }
  await Promise.all(asked)
  if (batch > 0) reports += asked.length
  // Behind them on the same wire comes what the machine itself reports: then they have all been heard.
  const bed = 40 + (batch % 2)
  await printer.setTargets({ bed }, AbortSignal.timeout(WAIT_MS))
  const heard = (state: PrinterState) => state.target_bed_temp === bed
  await waiter.until(heard, { awaited: 'the batch to be heard', timeoutMs: WAIT_MS })
  if (batch === 0) early = await heapBytes()
}
const late = await heapBytes()
await driver.stop()
await feed.close()
await printer.powerOff()
rmSync(folder, { recursive: true })
process.stdout.write(`${JSON.stringify({ early, late, reports, pictures })}\n`)
