import { type WebSocket, WebSocketServer } from 'ws'
import type { PrintPlan, VirtualPrinter, VirtualReport } from '../virtual-printer.ts'
import { changedFields } from '../wire/changed-fields.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { piecesOf, startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'

export interface CrealitySimulatorOptions {
  printer: VirtualPrinter
  /** A material box with PLA in 1A and PETG in 1B; such a printer starts nothing useful unless told a slot. */
  hasBox?: boolean
  /** Closes the connection once a start is accepted, as the firmware of the K1 does. */
  closesAfterStart?: boolean
  /** 0 takes any free one; it serves the WebSocket and the files. */
  port?: number
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

interface CrealitySimulator {
  readonly port: number
  /** Starts that would have printed air: a box is there and no slot was chosen. */
  readonly airPrints: number
  /** The slots of the last start, one for each filament, as they were asked for. */
  readonly lastSlots: readonly unknown[]
  /** Heartbeats that were answered with `ok`. */
  readonly heartbeatsAnswered: number
  /** Fields that hide what the machine does: what firmware says in moments that the simulation does not know. */
  pretend(fields: Record<string, unknown>): void
  /** The name of a job that is started stands beside the end of the one before, as long as this is on. */
  setEndsLinger(doLinger: boolean): void
  /** A person hangs another spool into a place of the material box, counted from 0; no one is told before he asks. */
  changeSpool(place: number, spool: { type: string; color: string }): void
  /** Tears every open connection. */
  cut(): void
  /** Sends this text to every client. */
  sendRaw(text: string): void
  close(): Promise<void>
}

const updateIntervalMs = 250
const heartbeatIntervalMs = 1_000
const folder = '/usr/data/printer_data/gcodes'
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

/** Creality's code for a nozzle that does not heat, as an example of a fault. */
const thermalFault = 2564

type Fields = Record<string, unknown>

/**
 * A printer of Creality's K series with its own firmware: JSON over a WebSocket, uploads over HTTP. No command is answered;
 * what does not fit is ignored, numbers come as text, changes come alone, and a client that leaves a heartbeat unanswered
 * is dropped.
 */
export async function startCrealitySimulator(options: CrealitySimulatorOptions): Promise<CrealitySimulator> {
  const { printer, hasBox = false, closesAfterStart = false, port = 0, planOf = () => defaultPlan } = options
  const boxes = structuredClone(fullBoxes)
  const plans = new Map<string, PrintPlan>()
  const clients = new Map<WebSocket, { sent: Fields; unansweredBeats: number }>()
  let pretended: Fields = {}
  let doEndsLinger = false
  let lingeringEnd: VirtualReport | undefined
  let airPrints = 0
  let heartbeatsAnswered = 0
  let matched: { path: string; slots: unknown[] } | null = null
  let lastSlots: readonly unknown[] = []

  const fieldsOf = (): Fields => ({
    ...machineFields(lingeringEnd ?? printer.report(), printer.report().fileName),
    cfsConnect: hasBox ? 1 : 0,
    ...pretended,
  })

  const set: Record<string, (value: unknown, signal: AbortSignal) => Promise<unknown> | undefined> = {
    pause: (value, signal) => (Number(value) === 1 ? printer.pause(signal) : printer.resume(signal)),
    stop: (_value, signal) => printer.stop(signal),
    cleanErr: (_value, signal) => (isRunning(printer.report()) ? undefined : printer.stop(signal)),
    nozzleTempControl: (value, signal) => printer.setTargets({ nozzle: Number(value) }, signal),
    bedTempControl: (value, signal) => printer.setTargets({ bed: Number((value as Fields).val) }, signal),
    boxTempControl: (value, signal) => printer.setTargets({ chamber: Number(value) }, signal),
    lightSw: (value, signal) => printer.setLight(Number(value) === 1, signal),
    gcodeCmd: (value, signal) => {
      if (value === 'LOAD_MATERIAL') return printer.loadFilament(signal)
      return value === 'QUIT_MATERIAL' ? printer.unloadFilament(signal) : undefined
    },
    opGcodeFile: (value, signal) => {
      const [action, path = ''] = String(value).split(/:(.*)/)
      if (action === 'deleteprt') return remove(path, signal)
      if (action !== 'printprt') return undefined
      if (hasBox) {
        airPrints += 1
        return undefined
      }
      return begin(path, signal)
    },
    colorMatch: (value) => {
      const { path, list } = value as { path: string; list: unknown[] }
      matched = { path, slots: list }
      return undefined
    },
    multiColorPrint: (value, signal) => {
      const { gcode } = value as { gcode: string }
      if (matched?.path !== gcode) {
        airPrints += 1
        return undefined
      }
      lastSlots = matched.slots
      return begin(gcode, signal)
    },
  }

  const begin = (path: string, signal: AbortSignal) => {
    const name = path.split('/').at(-1) ?? ''
    const plan = plans.get(name)
    if (!plan) return undefined
    const before = printer.report()
    return printer.startPrint(name, plan, signal).then(() => {
      if (doEndsLinger) lingeringEnd = before
      if (closesAfterStart) wire.cut()
    })
  }

  const remove = (path: string, signal: AbortSignal) => {
    const name = path.split('/').at(-1) ?? ''
    plans.delete(name)
    return printer.deleteFile(name, signal)
  }

  const onText = async (client: WebSocket, text: string, signal: AbortSignal) => {
    await untilHeard(printer, signal)
    const known = clients.get(client)
    if (!known) return
    if (text === 'ok') {
      heartbeatsAnswered += 1
      known.unansweredBeats = 0
      return
    }
    const { method, params } = JSON.parse(text) as { method: string; params: Fields }
    if (method === 'set') {
      for (const [name, value] of Object.entries(params)) {
        // Refused is ignored: there is no answer that could say so.
        if (Object.hasOwn(set, name)) await set[name]?.(value, signal)?.catch(() => undefined)
      }
      return
    }
    if (params.boxsInfo === 1) client.send(JSON.stringify(hasBox ? { boxsInfo: boxes } : {}))
    if (params.ReqPrinterPara === 1) {
      known.sent = fieldsOf()
      client.send(JSON.stringify(known.sent))
    }
  }

  const upload = async (request: WireRequest): Promise<WireAnswer> => {
    if (request.url.pathname === '/info') return { status: 200, body: { model: 'K1' } }
    const name = decodeURIComponent(request.url.pathname.replace('/upload/', '')).replaceAll(' ', '_')
    if (!request.url.pathname.startsWith('/upload/') || request.method !== 'POST') return { status: 404 }
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('file')
    if (!(file instanceof File)) return { status: 400 }
    const content = Buffer.from(await file.arrayBuffer())
    // A broken upload is a closed socket: the failure is passed on, which closes it.
    await printer.upload(name, content.length, piecesOf(content), request.signal)
    plans.set(name, planOf(name, content))
    return { status: 200, body: { code: 200, message: 'OK' } }
  }

  const wire = await startWireServer(printer, port, upload)
  const gateway = new WebSocketServer({ server: wire.http })
  gateway.on('connection', (client) => {
    const gone = new AbortController()
    clients.set(client, { sent: {}, unansweredBeats: 0 })
    let order = Promise.resolve()
    client.on('error', () => client.terminate())
    client.on('close', () => {
      clients.delete(client)
      gone.abort(new Error('the client has gone'))
    })
    client.on('message', (data) => {
      order = order.then(() => onText(client, data.toString(), gone.signal)).catch(() => undefined)
    })
  })

  const endUpdates = updateEvery(printer, updateIntervalMs, () => {
    const fields = fieldsOf()
    for (const [client, known] of clients) {
      const changed = changedFields(known.sent, fields)
      known.sent = fields
      if (Object.keys(changed).length > 0) client.send(JSON.stringify(changed))
    }
  })
  const endHeartbeats = updateEvery(printer, heartbeatIntervalMs, () => {
    for (const [client, known] of clients) {
      if (known.unansweredBeats > 10) client.terminate()
      known.unansweredBeats += 1
      client.send(JSON.stringify({ ModeCode: 'heart_beat' }))
    }
  })

  return {
    port: wire.port,
    get airPrints() {
      return airPrints
    },
    get lastSlots() {
      return lastSlots
    },
    get heartbeatsAnswered() {
      return heartbeatsAnswered
    },
    pretend(fields) {
      pretended = fields
    },
    setEndsLinger(doLinger) {
      doEndsLinger = doLinger
      if (!doLinger) lingeringEnd = undefined
    },
    changeSpool(place, spool) {
      const material = boxes.materialBoxs[1]?.materials[place]
      if (material) Object.assign(material, spool)
    },
    cut: wire.cut,
    sendRaw(text) {
      for (const client of clients.keys()) client.send(text)
    },
    async close() {
      endUpdates()
      endHeartbeats()
      gateway.close()
      await wire.close()
    },
  }
}

const fullBoxes = {
  materialBoxs: [
    { id: 0, type: 1, state: 0, materials: [{ id: 0, type: 'ABS', color: '#0000000', selected: 0, state: 1 }] },
    {
      id: 1,
      type: 0,
      state: 1,
      temp: 27,
      humidity: 39,
      materials: [
        { id: 0, type: 'PLA', color: '#0ba552a', selected: 1, percent: 100, state: 1 },
        { id: 1, type: 'PETG', color: '#007a92c', selected: 0, percent: 80, state: 1 },
        { id: 2, type: '', color: '', selected: 0, percent: 0, state: 0 },
      ],
    },
  ],
}

function isRunning({ runId, lastResult }: VirtualReport): boolean {
  return runId !== null && lastResult === null
}

function machineFields(report: VirtualReport, fileName: string | null): Fields {
  const { nozzle, bed, chamber } = report
  const isFailed = report.lastResult === 'failed' || report.activity === 'fault'
  return {
    state: stateOf(report),
    deviceState: 0,
    withSelfTest: 0,
    printProgress: Math.floor(report.progress * 100),
    dProgress: Math.floor(report.progress * 100),
    layer: report.layer,
    TotalLayer: report.totalLayers,
    printLeftTime: report.remainingSeconds ?? 0,
    printFileName: fileName === null ? '' : `${folder}/${fileName}`,
    nozzleTemp: nozzle.actual.toFixed(6),
    targetNozzleTemp: String(nozzle.target),
    maxNozzleTemp: 300,
    bedTemp0: bed.actual.toFixed(6),
    targetBedTemp0: String(bed.target),
    maxBedTemp: 120,
    ...(chamber && { boxTemp: String(chamber.actual), targetBoxTemp: chamber.target, maxBoxTemp: 0 }),
    lightSw: report.lightOn ? 1 : 0,
    materialStatus: report.filament ? 0 : 1,
    err: isFailed ? { errcode: thermalFault, key: 101 } : { errcode: 0, key: 0 },
    model: 'K1 Max',
    modelVersion: `printer hw ver:CR4CU220812S12;printer sw ver:${report.firmware};DWIN hw ver:;DWIN sw ver:;`,
    hostname: 'K1Max-3E1A',
  }
}

function stateOf(report: VirtualReport): number {
  if (report.lastResult === 'completed') return 2
  if (report.lastResult !== null) return 4
  if (report.activity === 'paused') return 5
  return report.runId !== null && report.activity !== 'idle' ? 1 : 0
}
