import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import { startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'

export interface MoonrakerSimulatorOptions {
  printer: VirtualPrinter
  /** Left out: every address is trusted. */
  apiKey?: string
  /** What webcams are set up in it. */
  webcams?: readonly { name: string; snapshot_url: string; enabled: boolean }[]
  /** 0 takes any free one. */
  port?: number
  /** What the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

export interface MoonrakerSimulator {
  readonly port: number
  /** Tears every open connection. */
  cut(): void
  /** Sends this text to every client. */
  sendRaw(text: string): void
  /** Klipper stops for an emergency, or comes back from it. */
  setKlippy(state: 'ready' | 'shutdown' | 'disconnected'): void
  /** A person edits the configuration: the list of macros that clients know is an old one now. */
  forgetMacros(): void
  close(): Promise<void>
}

/** Klipper says what changed about four times a second. */
const updateIntervalMs = 250
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

interface Job {
  job_id: string
  filename: string
  status: string
}

class RpcFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Params = Record<string, unknown>
type Objects = Record<string, Record<string, unknown>>

/**
 * Moonraker 0.10 with a Klipper behind it that is a simulated printer: JSON-RPC over a WebSocket, uploads over HTTP, and the
 * answers of the real ones (pause with nothing to pause is ok, an unknown G-code is ok with a complaint beside it, a start
 * while another runs is `SD busy`, the last state stays until the next job).
 */
export async function startMoonrakerSimulator(options: MoonrakerSimulatorOptions): Promise<MoonrakerSimulator> {
  const { printer, apiKey, webcams = [], port = 0, planOf = () => defaultPlan } = options
  const plans = new Map<string, PrintPlan>()
  const clients = new Map<WebSocket, { isKnown: boolean; sent: Objects | null }>()
  const history: Job[] = []
  let hasMacros = true
  let klippy: 'ready' | 'shutdown' | 'disconnected' = 'ready'
  let before: VirtualReport = printer.report()
  if (before.runId !== null && before.fileName !== null) {
    history.push({ job_id: before.runId, filename: before.fileName, status: historyStatus(before) })
  }

  const requireReady = () => {
    if (klippy !== 'ready') throw new RpcFailure(503, 'Klippy Host not connected')
  }

  const methods: Record<string, (params: Params, signal: AbortSignal, client: WebSocket) => unknown> = {
    'server.connection.identify': (params, _signal, client) => {
      if (apiKey !== undefined && params.api_key !== apiKey) throw new RpcFailure(401, 'Invalid API Key')
      const known = clients.get(client)
      if (known) known.isKnown = true
      return { connection_id: 1 }
    },
    'server.info': () => ({
      klippy_connected: klippy !== 'disconnected',
      klippy_state: klippy,
      moonraker_version: 'v0.10.0',
    }),
    'printer.info': () => ({
      state: klippy,
      state_message: klippy === 'ready' ? 'Printer is ready' : 'Shutdown due to M112 command',
      software_version: printer.report().firmware,
      hostname: 'voron',
    }),
    'printer.objects.list': () => ({
      objects: [...Object.keys(objectsOf()), 'gcode_macro LOAD_FILAMENT', 'gcode_macro UNLOAD_FILAMENT'],
    }),
    'printer.objects.subscribe': (_params, _signal, client) => {
      requireReady()
      const known = clients.get(client)
      const objects = objectsOf()
      if (known) known.sent = objects
      return { eventtime: 1, status: objects }
    },
    'server.webcams.list': () => ({ webcams }),
    'server.history.list': () => ({ count: history.length, jobs: history.slice(-1) }),
    'server.files.metadata': (params) => {
      const plan = plans.get(String(params.filename))
      if (!plan) throw new RpcFailure(404, 'Metadata not available')
      return { estimated_time: plan.printTimeSeconds, layer_count: plan.layerCount, filament_type: 'PLA' }
    },
    'server.files.delete_file': async (params, signal) => {
      const name = String(params.path).replace(/^gcodes\//, '')
      if (!plans.delete(name)) throw new RpcFailure(404, `File ${name} does not exist`)
      await printer.deleteFile(name, signal)
      return { action: 'delete_file' }
    },
    'printer.print.start': async (params, signal) => {
      requireReady()
      const name = String(params.filename)
      const plan = plans.get(name)
      if (!plan) throw new RpcFailure(400, 'Unable to open file')
      if (isActive(printer.report())) throw new RpcFailure(400, 'SD busy')
      await printer.startPrint(name, plan, signal)
      return 'ok'
    },
    'printer.print.pause': async (_params, signal) => {
      requireReady()
      const { activity } = printer.report()
      if (isActive(printer.report()) && activity !== 'paused') await printer.pause(signal)
      return 'ok'
    },
    'printer.print.resume': async (_params, signal) => {
      requireReady()
      if (printer.report().activity === 'paused') await printer.resume(signal)
      return 'ok'
    },
    'printer.print.cancel': async (_params, signal) => {
      requireReady()
      if (isActive(printer.report())) await printer.stop(signal)
      return 'ok'
    },
    'printer.gcode.script': async (params, signal) => {
      requireReady()
      for (const line of String(params.script).split('\n')) await runGcode(line.trim(), signal)
      return 'ok'
    },
  }

  const runGcode = async (line: string, signal: AbortSignal) => {
    const [command = '', ...rest] = line.split(/\s+/)
    const values = Object.fromEntries(rest.map((pair) => pair.split('=')))
    if (command === 'SET_HEATER_TEMPERATURE') {
      const target = Number(values.TARGET)
      if (target > 300) throw new RpcFailure(400, 'Requested temperature out of range (0.0:300.0)')
      const part = heaterParts[String(values.HEATER)] ?? 'chamber'
      await printer.setTargets({ [part]: target }, signal)
    } else if (command === 'SET_PIN') await printer.setLight(Number(values.VALUE) > 0, signal)
    else if (command === 'LOAD_FILAMENT' && hasMacros) await printer.loadFilament(signal)
    else if (command === 'UNLOAD_FILAMENT' && hasMacros) await printer.unloadFilament(signal)
    else notify('notify_gcode_response', [`// Unknown command:"${command}"`])
  }

  const objectsOf = (): Objects => {
    const report = printer.report()
    const { nozzle, bed, chamber } = report
    const isRunning = isActive(report)
    return {
      webhooks: { state: klippy === 'ready' ? 'ready' : 'shutdown', state_message: '' },
      print_stats: {
        state: statsState(report),
        filename: report.fileName ?? '',
        message: report.lastResultReason ?? (report.activity === 'paused' ? (report.message ?? '') : ''),
        print_duration: report.progress * (plans.get(report.fileName ?? '')?.printTimeSeconds ?? 600),
        info: { total_layer: report.totalLayers || null, current_layer: isRunning ? report.layer : null },
      },
      virtual_sdcard: { progress: report.progress, is_active: isRunning, file_path: report.fileName },
      display_status: { progress: report.progress, message: null },
      idle_timeout: { state: isRunning || report.activity === 'changing_filament' ? 'Printing' : 'Idle' },
      extruder: { temperature: nozzle.actual, target: nozzle.target },
      heater_bed: { temperature: bed.actual, target: bed.target },
      ...(chamber && { 'temperature_sensor chamber': { temperature: chamber.actual } }),
      'output_pin caselight': { value: report.lightOn ? 1 : 0 },
    }
  }

  const notify = (method: string, params: unknown[]) => {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params })
    for (const [client, { isKnown }] of clients) if (isKnown) client.send(text)
  }

  const noteHistory = () => {
    const report = printer.report()
    const isNew = report.runId !== null && report.runId !== before.runId
    const isOver = isActive(before) && !isActive(report) && before.runId === report.runId
    if (isNew && report.fileName !== null) {
      history.push({ job_id: report.runId ?? '', filename: report.fileName, status: 'in_progress' })
      notify('notify_history_changed', [{ action: 'added', job: history.at(-1) }])
    }
    const job = history.at(-1)
    if ((isOver || (isNew && !isActive(report))) && job) {
      job.status = historyStatus(report)
      notify('notify_history_changed', [{ action: 'finished', job }])
    }
    before = report
  }

  /** Tells each client what changed since it was told last. */
  const update = () => {
    noteHistory()
    if (klippy !== 'ready') return
    const objects = objectsOf()
    for (const [client, known] of clients) {
      if (!known.sent) continue
      const changed = changesOf(known.sent, objects)
      known.sent = objects
      if (Object.keys(changed).length === 0) continue
      client.send(
        JSON.stringify({ jsonrpc: '2.0', method: 'notify_status_update', params: [changed, Date.now() / 1000] }),
      )
    }
  }

  const upload = async (request: WireRequest): Promise<WireAnswer> => {
    if (apiKey !== undefined && request.headers['x-api-key'] !== apiKey) return failure(401, 'Unauthorized')
    if (request.url.pathname !== '/server/files/upload' || request.method !== 'POST') return failure(404, 'Not Found')
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('file')
    if (!(file instanceof File)) return failure(400, 'No file name specified in upload form')
    if (isActive(printer.report()) && printer.report().fileName === file.name)
      return failure(403, 'File is loaded, upload not permitted')
    const content = Buffer.from(await file.arrayBuffer())
    const checksum = form.get('checksum')
    if (typeof checksum === 'string' && checksum !== createHash('sha256').update(content).digest('hex')) {
      return failure(422, 'File checksum mismatch')
    }
    try {
      await printer.upload(file.name, content.length, piecesOf(content), request.signal)
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return error.code === 'UPLOAD_BROKEN' ? failure(422, 'File checksum mismatch') : failure(403, error.message)
    }
    plans.set(file.name, planOf(file.name, content))
    return { status: 201, body: { result: { item: { path: file.name, root: 'gcodes' }, print_started: false } } }
  }

  const wire = await startWireServer(printer, port, upload)
  const gateway = new WebSocketServer({ noServer: true, autoPong: false })
  wire.http.on('upgrade', (request, socket: Duplex, head) => {
    if (request.url?.split('?')[0] !== '/websocket') return void socket.destroy()
    gateway.handleUpgrade(request, socket, head, (client) => welcome(client))
  })

  const welcome = (client: WebSocket) => {
    const gone = new AbortController()
    clients.set(client, { isKnown: apiKey === undefined, sent: null })
    client.on('error', () => client.terminate())
    client.on('ping', (data) => {
      untilHeard(printer, gone.signal).then(
        () => client.pong(data),
        () => undefined,
      )
    })
    client.on('close', () => {
      clients.delete(client)
      gone.abort(new Error('the client has gone'))
    })
    client.on('message', (data) => {
      const { id, method, params = {} } = JSON.parse(data.toString()) as { id: number; method: string; params?: Params }
      answerCall(method, params, gone.signal, client).then(
        (result) => client.send(JSON.stringify({ jsonrpc: '2.0', id, result })),
        (error: unknown) => {
          if (gone.signal.aborted) return
          const code = error instanceof RpcFailure ? error.status : 400
          const message = error instanceof Error ? error.message : String(error)
          client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, traceback: 'Traceback …' } }))
        },
      )
    })
  }

  const answerCall = async (method: string, params: Params, signal: AbortSignal, client: WebSocket) => {
    await untilHeard(printer, signal)
    const isKnown = clients.get(client)?.isKnown === true
    if (!isKnown && method !== 'server.connection.identify') throw new RpcFailure(401, 'Unauthorized')
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!answer) throw new RpcFailure(404, `Method not found: ${method}`)
    return answer(params, signal, client)
  }

  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    untilHeard(printer, AbortSignal.timeout(updateIntervalMs * 2))
      .then(update, () => undefined)
      .finally(() => {
        isAsking = false
      })
  }, updateIntervalMs)

  return {
    port: wire.port,
    cut: wire.cut,
    sendRaw(text) {
      for (const client of clients.keys()) client.send(text)
    },
    setKlippy(state) {
      klippy = state
      if (state === 'ready') notify('notify_klippy_ready', [])
      else notify(state === 'shutdown' ? 'notify_klippy_shutdown' : 'notify_klippy_disconnected', [])
    },
    forgetMacros() {
      hasMacros = false
    },
    async close() {
      clearInterval(timer)
      gateway.close()
      await wire.close()
    },
  }
}

const heaterParts: Record<string, string> = { extruder: 'nozzle', heater_bed: 'bed' }

const failure = (status: number, message: string): WireAnswer => ({
  status,
  body: { error: { code: status, message, traceback: 'Traceback …' } },
})

function isActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

function statsState(report: VirtualReport): string {
  if (report.lastResult === 'completed') return 'complete'
  if (report.lastResult === 'cancelled') return 'cancelled'
  if (report.lastResult === 'failed') return 'error'
  if (!isActive(report)) return 'standby'
  return report.activity === 'paused' || report.activity === 'changing_filament' ? 'paused' : 'printing'
}

function historyStatus(report: VirtualReport): string {
  if (report.lastResult === null) return 'in_progress'
  return report.lastResult === 'failed' ? 'error' : report.lastResult
}

function changesOf(old: Objects, now: Objects): Objects {
  const changed: Objects = {}
  for (const [name, fields] of Object.entries(now)) {
    const different = Object.entries(fields).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(old[name]?.[key]),
    )
    if (different.length > 0) changed[name] = Object.fromEntries(different)
  }
  return changed
}

async function* piecesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
