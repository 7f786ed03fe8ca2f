import { createHash } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import { changedFields } from '../wire/changed-fields.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { piecesOf, startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'
import { jobsOf, nameIn } from './sdcp-jobs.ts'

export interface Cc2SimulatorOptions {
  printer: VirtualPrinter
  serial: string
  accessCode: string
  /** Port of the broker and of the file service; 0 takes any free one. */
  port?: number
  httpPort?: number
  /** A Canvas with these spools in its trays, null for an empty one; none when left out. */
  canvas?: readonly (CanvasSpool | null)[]
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

interface CanvasSpool {
  type: string
  /** `#RRGGBB`. */
  color: string
}

interface Cc2Simulator {
  readonly port: number
  readonly httpPort: number
  /** Number of times that the full status was asked for. */
  readonly fullStatusCount: number
  /** Number of connections the file service has seen. */
  readonly httpConnectionCount: number
  /** What was published to be done: numbers of methods, in order. */
  readonly asked: readonly number[]
  /** From which tray each tool of the last start was printed: what is not told is the tray used last, and an unknown tray is the first. */
  readonly toolTrays: ReadonlyMap<number, number>
  /** A person changes what is in a tray; connected clients are told that something changed, and not what. */
  changeSpool(tray: number, spool: CanvasSpool | null): void
  /** Lets this many changes of status happen without telling anybody. */
  loseChanges(count: number): void
  /** Other clients that are registered; more than three leave no room. */
  setOtherClients(count: number): void
  /** Registrations stay unanswered, as in cloud mode. */
  setLanOnly(isOn: boolean): void
  /** Forgets the next piece of a file. */
  losePiece(): void
  /** Tears every open connection. */
  cut(): void
  /** The names of a job that is started stand beside the end of the one before, as long as this is on. */
  setEndsLinger(doLinger: boolean): void
  /** Publishes this text as a change of status. */
  sendRaw(text: string): void
  close(): Promise<void>
}

const mostClients = 4
/** A file service that sees a new connection for each piece has enough at the fourth. */
const mostConnectionsForAFile = 3
const updateIntervalMs = 250
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

type Fields = Record<string, unknown>

interface Incoming {
  content: Buffer[]
  received: number
  connectionsBefore: number
}

/**
 * An Elegoo Centauri Carbon 2 in LAN-only mode: an MQTT broker on the printer at which clients register, numbered changes
 * of status, and uploads in ranges over HTTP on a single connection. How the last job ended stays until the next, without
 * its names; those are in its record of jobs, which no power cut wipes out.
 */
export async function startCc2Simulator(options: Cc2SimulatorOptions): Promise<Cc2Simulator> {
  const { printer, serial, accessCode, port = 0, httpPort = 0, planOf = () => defaultPlan } = options
  const canvas = options.canvas && [...options.canvas]
  const toolTrays = new Map<number, number>()
  let activeTray = 0
  const plans = new Map<string, PrintPlan>()
  const registered = new Set<string>()
  const incoming = new Map<string, Incoming>()
  const asked: number[] = []
  let otherClients = 0
  let isLanOnly = true
  let isPieceLost = false
  let changesToLose = 0
  let changeId = 100
  let fullStatusCount = 0
  let httpConnectionCount = 0
  let doEndsLinger = false
  let lingeringEnd: VirtualReport | undefined
  const statusNow = () => {
    const fields = statusFields(printer.report())
    return lingeringEnd ? { ...fields, machine_status: statusFields(lingeringEnd).machine_status } : fields
  }
  let before = statusNow()

  const broker = new Aedes({
    authenticate(_client, username, password, done) {
      if (username === 'elegoo' && password?.toString() === accessCode) return done(null, true)
      done(Object.assign(new Error('not authorized'), { returnCode: badUserOrPassword }), false)
    },
  })
  await broker.listen()

  const publish = (topic: string, message: object | string) => {
    const payload = typeof message === 'string' ? message : JSON.stringify(message)
    // A broker that is closing has no one left to tell.
    broker.publish(
      { cmd: 'publish', qos: 0, dup: false, retain: false, topic: `elegoo/${serial}/${topic}`, payload },
      () => undefined,
    )
  }

  const methods: Record<number, (params: Fields, signal: AbortSignal) => unknown> = {
    1001: () => ({
      machine_model: 'Centauri Carbon 2',
      sn: serial,
      software_version: { ota_version: printer.report().firmware },
    }),
    1002: () => {
      fullStatusCount += 1
      return statusNow()
    },
    1020: async (params, signal) => {
      const name = String(params.filename)
      const plan = plans.get(name)
      if (!plan) throw new VirtualPrinterError('NO_SUCH_FILE', name)
      const ended = printer.report()
      await printer.startPrint(name, plan, signal)
      feed(slotMapIn(params))
      if (doEndsLinger) lingeringEnd = ended
    },
    1021: (_params, signal) => printer.pause(signal),
    1022: (_params, signal) => printer.stop(signal),
    1023: (_params, signal) => printer.resume(signal),
    1028: ({ extruder, heater_bed }, signal) => {
      const targets = { nozzle: extruder, bed: heater_bed }
      const set = Object.fromEntries(Object.entries(targets).filter(([, target]) => target !== undefined))
      return printer.setTargets(set as Record<string, number>, signal)
    },
    // Its newer firmware says `power`, the older one `brightness`.
    1029: (params, signal) => printer.setLight(Number(params.power ?? params.brightness) > 0, signal),
    1036: () => ({ history_task_list: recordOf(printer) }),
    1044: async (params, signal) => {
      const files = params.storage_media === 'local' ? await printer.listFiles(signal) : []
      const offset = Number(params.offset ?? 0)
      const shown = files.slice(offset, offset + Number(params.limit ?? files.length))
      return { file_list: shown.map((file) => fileEntry(file, plans.get(file.fileName))), offset, total: files.length }
    },
    1048: () => ({ total_bytes: 8_000_000_000, used_bytes: 1_000_000_000 }),
    2005: () => ({ canvas_info: canvasInfo(canvas, activeTray) }),
    1047: async (params, signal) => {
      for (const name of params.file_path as string[]) {
        plans.delete(name)
        incoming.delete(name)
        await printer.deleteFile(name, signal)
      }
    },
  }

  /** No tray is looked at before it is fed from: one that is not there is answered with a yes, and is the first one. */
  const feed = (map: readonly Fields[]) => {
    toolTrays.clear()
    for (const { t, tray_id } of map) {
      const tray = Number(tray_id ?? 0)
      toolTrays.set(Number(t ?? 0), canvas && tray < canvas.length ? tray : 0)
    }
    if (map.length === 0) toolTrays.set(0, activeTray)
    activeTray = toolTrays.get(0) ?? activeTray
  }

  const onPublished = async (topic: string, text: string, signal: AbortSignal) => {
    await untilHeard(printer, signal)
    const message = JSON.parse(text) as Fields
    if (topic === `elegoo/${serial}/api_register`) return register(message)
    const clientId = topic.split('/')[2] ?? ''
    if (topic !== `elegoo/${serial}/${clientId}/api_request` || !registered.has(clientId)) return
    const answer = `${clientId}/api_response`
    if (message.type === 'PING') return publish(answer, { type: 'PONG' })
    const method = Number(message.method)
    asked.push(method)
    const result = await resultOf(() => methods[method]?.((message.params ?? {}) as Fields, signal))
    publish(answer, { id: message.id, method, result })
  }

  const register = ({ client_id, request_id }: Fields) => {
    if (!isLanOnly) return
    const isFull = registered.size + otherClients >= mostClients
    if (!isFull) registered.add(String(client_id))
    publish(`${request_id}/register_response`, { client_id, error: isFull ? 'too many clients' : 'ok' })
  }

  const gone = new Map<string, AbortController>()
  const orders = new Map<string, Promise<void>>()
  broker.on('client', (client) => void gone.set(client.id, new AbortController()))
  broker.on('clientDisconnect', (client) => {
    registered.delete(client.id)
    orders.delete(client.id)
    gone.get(client.id)?.abort(new Error('the client has gone'))
    gone.delete(client.id)
  })
  broker.on('publish', (packet, client) => {
    const signal = client && gone.get(client.id)?.signal
    if (!client || !signal) return
    const order = orders.get(client.id) ?? Promise.resolve()
    const next = order.then(() => onPublished(packet.topic, packet.payload.toString(), signal)).catch(() => undefined)
    orders.set(client.id, next)
  })

  const upload = async (request: WireRequest): Promise<WireAnswer> => {
    if (request.headers['x-token'] !== accessCode) return { status: 401, body: { error_code: 1000 } }
    if (request.url.pathname === '/system/info') {
      return { status: 200, body: { error_code: 0, system_info: { sn: serial } } }
    }
    if (request.url.pathname !== '/upload' || request.method !== 'PUT') return { status: 404 }
    const name = String(request.headers['x-file-name'])
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '')
    if (!range) return { status: 200, body: { error_code: 1003 } }
    const [start, end, total] = range.slice(1).map(Number) as [number, number, number]
    const fresh = { content: [], received: 0, connectionsBefore: httpConnectionCount }
    const file: Incoming = (start === 0 ? undefined : incoming.get(name)) ?? fresh
    if (httpConnectionCount - file.connectionsBefore >= mostConnectionsForAFile) return { status: 429 }
    if (start !== file.received || end - start + 1 !== request.body.length) {
      return { status: 200, body: { error_code: 9000, offset: file.received } }
    }
    incoming.set(name, file)
    if (isPieceLost) {
      isPieceLost = false
      return { status: 200, body: { error_code: 0, offset: file.received } }
    }
    file.content.push(request.body)
    file.received += request.body.length
    if (file.received < total) return { status: 200, body: { error_code: 0, offset: file.received } }
    incoming.delete(name)
    const content = Buffer.concat(file.content)
    if (createHash('md5').update(content).digest('hex') !== request.headers['x-file-md5']) {
      return { status: 200, body: { error_code: 9004 } }
    }
    try {
      await printer.upload(name, content.length, piecesOf(content), request.signal)
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return { status: 200, body: { error_code: error.code === 'UPLOAD_BROKEN' ? 9004 : 1009 } }
    }
    plans.set(name, planOf(name, content))
    return { status: 200, body: { error_code: 0, offset: total } }
  }

  const wire = await startWireServer(printer, httpPort, upload)
  wire.http.on('connection', () => {
    httpConnectionCount += 1
  })

  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  })
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject)
    tcp.listen(port, '127.0.0.1', resolve)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    wire.cut()
  }

  const endUpdates = updateEvery(printer, updateIntervalMs, () => {
    const now = statusNow()
    const result = nestedChanges(before, now)
    before = now
    if (Object.keys(result).length === 0) return
    changeId += 1
    if (changesToLose > 0) changesToLose -= 1
    else publish('api_status', { id: changeId, method: 6000, result })
  })

  return {
    port: (tcp.address() as AddressInfo).port,
    httpPort: wire.port,
    asked,
    get fullStatusCount() {
      return fullStatusCount
    },
    get httpConnectionCount() {
      return httpConnectionCount
    },
    toolTrays,
    changeSpool(tray, spool) {
      if (canvas) canvas[tray] = spool
      changeId += 1
      publish('api_status', { id: changeId, method: 6000, result: { canvas_info: { canvas_list: [] } } })
    },
    loseChanges(count) {
      changesToLose = count
    },
    setOtherClients(count) {
      otherClients = count
    },
    setLanOnly(isOn) {
      isLanOnly = isOn
    },
    losePiece() {
      isPieceLost = true
    },
    setEndsLinger(doLinger) {
      doEndsLinger = doLinger
      if (!doLinger) lingeringEnd = undefined
    },
    cut,
    sendRaw: (text) => publish('api_status', text),
    async close() {
      endUpdates()
      cut()
      await new Promise<void>((resolve) => broker.close(() => resolve()))
      await new Promise<void>((resolve) => tcp.close(() => resolve()))
      await wire.close()
    },
  }
}

function slotMapIn({ config }: Fields): Fields[] {
  const map = typeof config === 'object' && config !== null ? (config as Fields).slot_map : undefined
  return Array.isArray(map) ? map : []
}

function canvasInfo(spools: readonly (CanvasSpool | null)[] | undefined, activeTray: number): Fields {
  const trays = (spools ?? []).map((spool, tray_id) => ({
    tray_id,
    filament_type: spool?.type ?? '',
    filament_color: spool?.color ?? '',
    filament_code: spool ? '0x0000' : '',
    status: spool ? (tray_id === activeTray ? 2 : 1) : 0,
  }))
  return {
    active_canvas_id: 0,
    active_tray_id: spools ? activeTray : -1,
    auto_refill: false,
    canvas_list: spools ? [{ canvas_id: 0, connected: 1, tray_list: trays }] : [],
  }
}

/** CONNACK code of MQTT 3.1.1. */
const badUserOrPassword = 4

const errorCodes: Record<VirtualPrinterError['code'], number> = {
  BUSY: 1009,
  WRONG_STATE: 1010,
  NO_SUCH_FILE: 1021,
  UPLOAD_BROKEN: 1004,
  STORAGE_FULL: 1003,
  REFUSED: 1003,
  NOT_SUPPORTED: 1001,
}

async function resultOf(act: () => unknown): Promise<Fields> {
  try {
    return { error_code: 0, ...((await act()) as Fields | undefined) }
  } catch (error) {
    if (!(error instanceof VirtualPrinterError)) throw error
    return { error_code: errorCodes[error.code] }
  }
}

/** Answers what changed, one level down too: groups hold only the fields that did. */
function nestedChanges(before: Fields, now: Fields): Fields {
  return Object.fromEntries(
    Object.entries(changedFields(before, now)).map(([group, value]) => [
      group,
      changedFields((before[group] ?? {}) as Fields, value as Fields),
    ]),
  )
}

function statusFields(report: VirtualReport): Fields {
  const { nozzle, bed, chamber } = report
  const ranOut = report.activity === 'paused' && report.filament === null
  const progress = Math.floor(report.progress * 100)
  return {
    machine_status: {
      status: machineStatus(report),
      sub_status: subStatus(report),
      exception_status: report.activity === 'fault' ? [102] : ranOut ? [109] : [],
      progress,
    },
    print_status: {
      // What has ended goes by no name any more.
      filename: report.lastResult === null ? (report.fileName ?? '') : '',
      uuid: report.lastResult === null ? (report.runId ?? '') : '',
      current_layer: report.layer,
      total_layer: report.totalLayers,
      remaining_time_sec: report.remainingSeconds ?? 0,
      state: '',
    },
    extruder: { temperature: nozzle.actual, target: nozzle.target, filament_detected: report.filament ? 1 : 0 },
    heater_bed: { temperature: bed.actual, target: bed.target },
    ...(chamber && { ztemperature_sensor: { temperature: chamber.actual } }),
    led: { status: report.lightOn ? 1 : 0 },
    fans: { fan: { speed: 0 }, aux_fan: { speed: 0 }, box_fan: { speed: 0 } },
  }
}

/** Its record of jobs, oldest first, as it is told: files, and no names of jobs. */
function recordOf(printer: VirtualPrinter): Fields[] {
  return jobsOf(printer)
    .reverse()
    .map(({ TaskName, TaskStatus, BeginTime, EndTime }) => ({
      task_name: nameIn(TaskName),
      task_status: TaskStatus === 3 ? 2 : TaskStatus,
      begin_time: BeginTime,
      end_time: EndTime,
    }))
}

function fileEntry({ fileName, sizeBytes }: { fileName: string; sizeBytes: number }, plan?: PrintPlan): Fields {
  const { layerCount = 0, printTimeSeconds = 0 } = plan ?? {}
  return { filename: fileName, size: sizeBytes, layer: layerCount, print_time: printTimeSeconds, create_time: 0 }
}

function machineStatus(report: VirtualReport): number {
  if (report.activity === 'changing_filament') return 3
  return report.runId !== null && report.lastResult === null ? 2 : 1
}

function subStatus({ activity, lastResult, runId }: VirtualReport): number {
  if (lastResult === 'completed') return 2077
  if (lastResult === 'cancelled') return 2504
  if (runId === null || lastResult !== null) return 0
  return activity === 'paused' ? 2502 : activity === 'heating' ? 1045 : 2075
}
