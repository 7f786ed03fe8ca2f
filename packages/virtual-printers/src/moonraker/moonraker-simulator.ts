import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError } from '../virtual-printer.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { piecesOf, startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'
import { createGcodeTurns } from './gcode-turns.ts'
import type { HappyHareChanger } from './happy-hare.ts'
import { GcodeError, runKlipperGcode } from './klipper-gcode.ts'
import {
  changedObjects,
  isRunActive as isActive,
  type KlipperObjects,
  klipperInfo,
  klipperObjects,
  pickObjects,
  type WantedObjects,
  wantedObjectsOf,
} from './klipper-objects.ts'
import { createMoonrakerHistory } from './moonraker-history.ts'
import { createPrintStats } from './print-stats.ts'

export interface MoonrakerSimulatorOptions {
  printer: VirtualPrinter
  /** Left out: every address is trusted. */
  apiKey?: string
  /** What webcams are set up in it. */
  webcams?: readonly { name: string; snapshot_url: string; enabled: boolean }[]
  /** A filament changer; none when left out. */
  changer?: HappyHareChanger
  /** 0 takes any free one. */
  port?: number
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

interface MoonrakerSimulator {
  readonly port: number
  /** The methods that were called, oldest first. */
  readonly calls: readonly string[]
  /** Tears every open connection. */
  cut(): void
  /** Sends this text to every client. */
  sendRaw(text: string): void
  /**
   * Klipper stops for an emergency or is out of Moonraker's sight, or comes back. What it prints goes on meanwhile; the history
   * says `klippy_shutdown` or `klippy_disconnect` of it and nothing after that.
   */
  setKlippy(state: 'ready' | 'shutdown' | 'disconnected'): void
  /** `FIRMWARE_RESTART`: what ran is lost, and Klipper comes back with nothing loaded. */
  restartKlipper(): Promise<void>
  /** Moonraker is killed and started again: connections break, and the history says `interrupted` of a job that goes on. */
  restartMoonraker(): void
  /** A line of G-code that a person enters in a front end. */
  runByHand(line: string): Promise<void>
  /** A person deletes the history. */
  forgetHistory(): void
  /** A Moonraker without `[history]`. */
  removeHistory(): void
  /** See `GcodeTurns`. */
  setLongGcode(isRunning: boolean): void
  /** See `GcodeTurns`. */
  setHeatingWaits(waits: boolean): void
  /** A person edits the configuration: the list of macros that clients know is an old one now. */
  forgetMacros(): void
  /** From now on so many bytes are free on its disk. It hangs up in the middle of a larger file, as the real program does. */
  setFreeBytes(bytes: number): void
  close(): Promise<void>
}

/** Klipper says what changed about four times a second. */
const updateIntervalMs = 250
/** A machine whose link is silent may keep us waiting; what it was asked is given up then. */
const CARRY_OUT_MS = 30_000
const SHUTDOWN_MESSAGE = 'Shutdown due to M112 command'
/** What JSON-RPC calls invalid parameters; over a socket Moonraker refuses credentials with it. */
const UNAUTHORIZED = -32_602
const METHOD_NOT_FOUND = -32_601
const DISK_BYTES = 16_000_000_000
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

interface Client {
  id: number
  isKnown: boolean
  /** What it subscribed to, with what it was told last. */
  subscription: { wanted: WantedObjects; sent: KlipperObjects } | null
}

/** `status` is a number of HTTP, except where JSON-RPC has its own. */
class RpcFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Params = Record<string, unknown>

/**
 * Moonraker 0.10 with a Klipper behind it that is a simulated printer: JSON-RPC over a WebSocket, uploads over HTTP, and the
 * answers of the real ones (pause with nothing to pause is ok, an unknown G-code is ok with a complaint beside it, a start
 * while another runs is `SD busy`, the last state stays until the next job).
 */
export async function startMoonrakerSimulator(options: MoonrakerSimulatorOptions): Promise<MoonrakerSimulator> {
  const { printer, apiKey, webcams = [], changer, port = 0, planOf = () => defaultPlan } = options
  const plans = new Map<string, PrintPlan>()
  const clients = new Map<WebSocket, Client>()
  const calls: string[] = []
  let nextClientId = 1
  const turns = createGcodeTurns(printer)
  const stats = createPrintStats(printer)
  const history = createMoonrakerHistory({
    printer,
    totalSeconds: stats.totalSeconds,
    onChange: (action, job) => hasHistory && notify('notify_history_changed', [{ action, job }]),
  })
  let hasHistory = true
  let freeBytes = DISK_BYTES
  let hasMacros = true
  let klippy: 'ready' | 'shutdown' | 'disconnected' = 'ready'

  const requireReady = () => {
    if (klippy === 'disconnected') throw new RpcFailure(503, 'Klippy Host not connected')
    if (klippy === 'shutdown') throw new RpcFailure(400, SHUTDOWN_MESSAGE)
  }

  const inGcodeOrder = async (work: (signal: AbortSignal) => Promise<void>) => {
    requireReady()
    await turns.take()
    requireReady()
    await work(AbortSignal.timeout(CARRY_OUT_MS))
    return 'ok'
  }

  const printFile = async (name: string, signal: AbortSignal) => {
    const plan = plans.get(name)
    if (!plan) throw new GcodeError('Unable to open file')
    if (isActive(printer.report())) throw new GcodeError('SD busy')
    // After an error in a file's G-code Klipper is ready for the next print.
    printer.acknowledgeFault()
    await printer.startPrint(name, plan, signal)
  }

  const runScript = async (script: string, signal: AbortSignal) => {
    const respond = (said: string) => notify('notify_gcode_response', [said])
    const resetFile = () => stats.reset()
    const options = { printer, respond, printFile, resetFile, hasMacros: () => hasMacros }
    for (const line of script.split('\n')) if (!changer?.run(line)) await runKlipperGcode(line, options, signal)
  }

  const methods: Record<string, (params: Params, signal: AbortSignal, client: WebSocket) => unknown> = {
    'server.connection.identify': (params, _signal, client) => {
      if (apiKey !== undefined && params.api_key !== apiKey) throw new RpcFailure(UNAUTHORIZED, 'Invalid API Key')
      const known = clients.get(client)
      if (known) known.isKnown = true
      return { connection_id: known?.id }
    },
    'server.websocket.id': (_params, _signal, client) => ({ websocket_id: clients.get(client)?.id }),
    'server.info': () => ({ ...serverInfo, klippy_connected: klippy !== 'disconnected', klippy_state: klippy }),
    'printer.info': () => ({
      ...klipperInfo,
      software_version: printer.report().firmware,
      state: klippy,
      state_message: klippy === 'ready' ? 'Printer is ready' : SHUTDOWN_MESSAGE,
    }),
    'printer.objects.list': () => ({
      objects: [...Object.keys(objectsOf()), 'gcode_macro LOAD_FILAMENT', 'gcode_macro UNLOAD_FILAMENT'],
    }),
    'printer.objects.subscribe': (params, _signal, client) => {
      requireReady()
      const known = clients.get(client)
      const wanted = wantedObjectsOf(params)
      const sent = pickObjects(objectsOf(), wanted)
      if (known) known.subscription = { wanted, sent }
      return { eventtime: eventTime(), status: sent }
    },
    'server.webcams.list': () => ({ webcams }),
    'server.history.list': ({ limit }) => {
      if (!hasHistory) throw new RpcFailure(METHOD_NOT_FOUND, 'Method not found')
      return { count: history.jobs.length, jobs: history.jobs.toReversed().slice(0, Number(limit ?? 50)) }
    },
    'server.history.get_job': ({ uid }) => {
      const job = history.jobs.find(({ job_id }) => job_id === uid)
      if (!job) throw new RpcFailure(404, `Invalid job uid: ${uid}`)
      return { job }
    },
    'server.files.list': async (_params, signal) =>
      (await printer.listFiles(signal)).map(({ fileName, sizeBytes }) => storedFile(fileName, sizeBytes)),
    'server.files.metadata': (params) => {
      const plan = plans.get(String(params.filename))
      if (!plan) throw new RpcFailure(404, 'Metadata not available')
      return { estimated_time: plan.printTimeSeconds, layer_count: plan.layerCount, filament_type: 'PLA' }
    },
    'server.files.delete_file': async (params, signal) => {
      const name = String(params.path).replace(/^gcodes\//, '')
      if (!plans.delete(name)) throw new RpcFailure(400, `Invalid file path: gcodes/${name}`)
      await printer.deleteFile(name, signal)
      return { item: { ...storedFile(name, 0), root: 'gcodes' }, action: 'delete_file' }
    },
    'printer.objects.query': (params) => {
      requireReady()
      return { eventtime: eventTime(), status: pickObjects(objectsOf(), wantedObjectsOf(params)) }
    },
    'printer.print.start': async (params, signal) => {
      requireReady()
      await printFile(String(params.filename), signal)
      return 'ok'
    },
    'printer.print.pause': () =>
      inGcodeOrder(async (signal) => {
        const { activity } = printer.report()
        if (isActive(printer.report()) && activity !== 'paused') await printer.pause(signal)
      }),
    'printer.print.resume': () =>
      inGcodeOrder(async (signal) => {
        if (printer.report().activity === 'paused') await printer.resume(signal)
      }),
    'printer.print.cancel': () =>
      inGcodeOrder(async (signal) => {
        if (isActive(printer.report())) await printer.stop(signal)
      }),
    'printer.gcode.script': (params, signal) => inGcodeOrder(() => runScript(String(params.script), signal)),
  }

  const objectsOf = (): KlipperObjects => {
    const report = printer.report()
    const printTimeSeconds = plans.get(report.fileName ?? '')?.printTimeSeconds ?? defaultPlan.printTimeSeconds
    const objects = klipperObjects(report, {
      state: klippy === 'ready' ? 'ready' : 'shutdown',
      stateMessage: klippy === 'ready' ? 'Printer is ready' : SHUTDOWN_MESSAGE,
      printTimeSeconds,
      totalSeconds: stats.totalSeconds(report),
      isReset: stats.isReset(report),
    })
    return changer ? { ...objects, mmu: changer.object } : objects
  }

  const notify = (method: string, params: unknown[]) => {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params })
    for (const [client, { isKnown }] of clients) if (isKnown) client.send(text)
  }

  /** Tells each client what changed since it was told last. */
  const update = () => {
    turns.look()
    if (klippy === 'disconnected') return
    sendChanges()
    // The real one writes a job down after it has told that it runs, or that it is over.
    history.look()
  }

  const sendChanges = () => {
    const objects = objectsOf()
    for (const [client, { subscription }] of clients) {
      if (!subscription) continue
      const current = pickObjects(objects, subscription.wanted)
      const changed = changedObjects(subscription.sent, current)
      subscription.sent = current
      if (Object.keys(changed).length === 0) continue
      client.send(JSON.stringify({ jsonrpc: '2.0', method: 'notify_status_update', params: [changed, eventTime()] }))
    }
  }

  const answerHttp = async (request: WireRequest): Promise<WireAnswer> => {
    // What ways in there are is told to everybody.
    if (request.url.pathname === '/access/info') {
      const info = { default_source: 'moonraker', available_sources: ['moonraker'], login_required: false }
      return { status: 200, body: { result: info } }
    }
    if (apiKey !== undefined && request.headers['x-api-key'] !== apiKey) return failure(401, 'Unauthorized')
    if (request.url.pathname === '/server/info') return { status: 200, body: { result: { klippy_state: klippy } } }
    if (request.url.pathname === '/server/files/directory') {
      const disk_usage = { total: DISK_BYTES, used: DISK_BYTES - freeBytes, free: freeBytes }
      return { status: 200, body: { result: { dirs: [], files: [], disk_usage } } }
    }
    if (request.url.pathname !== '/server/files/upload' || request.method !== 'POST') return failure(404, 'Not Found')
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('file')
    if (!(file instanceof File)) return failure(400, 'No file name specified in upload form')
    if (isActive(printer.report()) && printer.report().fileName === file.name)
      return failure(403, 'File is loaded, upload not permitted')
    const content = Buffer.from(await file.arrayBuffer())
    if (content.length > freeBytes) throw new Error('its disk is full: it hangs up')
    const checksum = form.get('checksum')
    if (typeof checksum === 'string' && checksum !== createHash('sha256').update(content).digest('hex')) {
      return failure(422, 'File checksum mismatch')
    }
    try {
      await printer.upload(file.name, content.length, piecesOf(content), request.signal)
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      if (error.code === 'STORAGE_FULL') return failure(500, '[Errno 28] No space left on device')
      return error.code === 'UPLOAD_BROKEN' ? failure(422, 'File checksum mismatch') : failure(403, error.message)
    }
    plans.set(file.name, planOf(file.name, content))
    return {
      status: 201,
      body: {
        item: { ...storedFile(file.name, content.length), root: 'gcodes' },
        print_started: false,
        print_queued: false,
        action: 'create_file',
      },
    }
  }

  const wire = await startWireServer(printer, port, answerHttp)
  const gateway = new WebSocketServer({ noServer: true, autoPong: false })
  wire.http.on('upgrade', (request, socket: Duplex, head) => {
    if (request.url?.split('?')[0] !== '/websocket') return void socket.destroy()
    // A wrong key is let in as well, and may do nothing but say who it is.
    const hasKey = request.headers['x-api-key'] === apiKey
    gateway.handleUpgrade(request, socket, head, (client) => welcome(client, hasKey))
  })

  const welcome = (client: WebSocket, hasKey: boolean) => {
    const gone = new AbortController()
    clients.set(client, { id: nextClientId++, isKnown: apiKey === undefined || hasKey, subscription: null })
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
        (result) => {
          if (!gone.signal.aborted) client.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
        },
        (error: unknown) => {
          if (gone.signal.aborted) return
          const code = error instanceof RpcFailure ? error.status : 400
          const message = error instanceof Error ? error.message : String(error)
          client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
        },
      )
    })
  }

  const answerCall = async (method: string, params: Params, signal: AbortSignal, client: WebSocket) => {
    await untilHeard(printer, signal)
    calls.push(method)
    const isKnown = clients.get(client)?.isKnown === true
    if (!isKnown && method !== 'server.connection.identify') throw new RpcFailure(UNAUTHORIZED, 'Unauthorized')
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!answer) throw new RpcFailure(METHOD_NOT_FOUND, 'Method not found')
    return answer(params, signal, client)
  }

  const setKlippy = (state: typeof klippy) => {
    klippy = state
    if (state === 'shutdown') sendChanges()
    if (state === 'ready') return notify('notify_klippy_ready', [])
    notify(state === 'shutdown' ? 'notify_klippy_shutdown' : 'notify_klippy_disconnected', [])
    history.loseKlipper(state === 'shutdown' ? 'klippy_shutdown' : 'klippy_disconnect')
  }

  const stopUpdates = updateEvery(printer, updateIntervalMs, update)

  return {
    port: wire.port,
    calls,
    cut: wire.cut,
    sendRaw(text) {
      for (const client of clients.keys()) client.send(text)
    },
    setKlippy,
    async restartKlipper() {
      setKlippy('disconnected')
      if (isActive(printer.report())) await printer.stop(AbortSignal.timeout(CARRY_OUT_MS))
      printer.acknowledgeFault()
      stats.reset()
      setKlippy('ready')
    },
    restartMoonraker() {
      history.startAgain()
      wire.cut()
    },
    runByHand: (line) => runScript(line, AbortSignal.timeout(CARRY_OUT_MS)),
    forgetHistory: history.forget,
    removeHistory() {
      hasHistory = false
    },
    setLongGcode: turns.setLongGcode,
    setHeatingWaits: turns.setHeatingWaits,
    forgetMacros() {
      hasMacros = false
    },
    setFreeBytes(bytes) {
      freeBytes = bytes
    },
    async close() {
      stopUpdates()
      gateway.close()
      await wire.close()
    },
  }
}

/** Klipper's clock: seconds since some moment. */
const eventTime = () => performance.now() / 1_000

const storedFile = (path: string, size: number) => ({ path, modified: Date.now() / 1_000, size, permissions: 'rw' })

const serverInfo = {
  components: ['history', 'file_manager'],
  failed_components: [],
  registered_directories: ['gcodes'],
  warnings: [],
  websocket_count: 1,
  moonraker_version: 'v0.10.0',
  missing_klippy_requirements: [],
  api_version: [1, 5, 0],
  api_version_string: '1.5.0',
}

const failure = (status: number, message: string): WireAnswer => ({
  status,
  body: { error: { code: status, message, traceback: 'Traceback …' } },
})
