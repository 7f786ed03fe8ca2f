import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { piecesOf, startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'

export interface OctoPrintSimulatorOptions {
  printer: VirtualPrinter
  apiKey: string
  /** What its settings say of the webcam. */
  webcam?: { webcamEnabled?: boolean; snapshotUrl?: string }
  /** Where a proxy has put it, with a slash at both ends; nothing else is answered. */
  basePath?: string
  /** 0 takes any free one. */
  port?: number
  /** What the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
}

export interface OctoPrintSimulator {
  readonly port: number
  /** Tears every open connection, as a restart of the network does. */
  cut(): void
  /** Sends this text to every listener of the push socket, as a broken plugin would. */
  sendRaw(text: string): void
  /** From now on so many bytes are free on its disk. It hangs up in the middle of a larger file, as the real program does. */
  setFreeBytes(bytes: number): void
  close(): Promise<void>
}

const pushIntervalMs = 1_000
/** How long OctoPrint prepares a print; a pause meanwhile is answered with yes and forgotten. */
const startingMs = 300
const DISK_BYTES = 16_000_000_000
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

interface StoredFile {
  size: number
  date: number
  plan: PrintPlan
}

/**
 * OctoPrint 1.11 in front of a simulated printer: the REST calls and the push socket that a farm uses, with the answers that
 * the real program gives (a start while another job runs is 409, an upload with `print` then 201 without effect, pause
 * toggles without `action`, and the last file stays selected).
 */
export async function startOctoPrintSimulator(options: OctoPrintSimulatorOptions): Promise<OctoPrintSimulator> {
  const { printer, apiKey, webcam = {}, basePath = '/', port = 0, planOf = () => defaultPlan } = options
  const files = new Map<string, StoredFile>()
  const sessions = new Set<string>()
  const listeners = new Set<WebSocket>()
  let freeBytes = DISK_BYTES
  let selected: string | null = null
  let startedAtMs = Number.NEGATIVE_INFINITY
  let before: VirtualReport = printer.report()

  const answer = async (request: WireRequest): Promise<WireAnswer> => {
    const { method, url } = request
    if (!url.pathname.startsWith(basePath)) return failure(404, 'The requested URL was not found on the server.')
    const path = decodeURIComponent(url.pathname.slice(basePath.length - 1))
    // Where programs ask whether they may ask for a key: open to everybody.
    if (path === '/plugin/appkeys/probe') return { status: 204 }
    if (request.headers['x-api-key'] !== apiKey) {
      // What changes something is taken for a page of a browser, which would have to bring a token.
      if (method !== 'GET') return failure(400, 'CSRF validation failed')
      return failure(403, "You don't have the permission to access this.")
    }
    const body = () => JSON.parse(request.body.toString() || '{}') as Record<string, unknown>
    try {
      if (path === '/api/version') return ok({ api: '0.1', server: '1.11.8', text: 'OctoPrint 1.11.8' })
      if (path === '/api/settings') return ok({ webcam: { webcamEnabled: true, snapshotUrl: '', ...webcam } })
      if (path === '/api/login') return ok(login())
      if (path === '/api/connection')
        return ok({ current: { state: stateOf(printer.report(), isStarting()).text, port: 'VIRTUAL' } })
      if (path === '/api/printer')
        return ok({ temperature: sampleOf(printer.report()), state: stateOf(printer.report(), isStarting()) })
      if (path === '/api/job' && method === 'GET') return ok(jobOf())
      if (path === '/api/job') return await jobCommand(body(), request.signal)
      if (path.startsWith('/api/printer/')) return await setHeater(path.slice('/api/printer/'.length), body(), request)
      if (path === '/api/files/local' && method === 'POST') return await upload(request)
      if (path === '/api/files/local') return ok({ files: [], free: freeBytes, total: DISK_BYTES })
      if (path.startsWith('/api/files/local/')) {
        return await fileCommand(method, path.slice('/api/files/local/'.length), body, request.signal)
      }
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return failure(statuses[error.code], error.message)
    }
    return failure(404, 'The requested URL was not found on the server.')
  }

  const login = () => {
    const session = randomUUID()
    sessions.add(session)
    return { name: 'hub', session, active: true }
  }

  const upload = async (request: WireRequest): Promise<WireAnswer> => {
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('file')
    if (!(file instanceof File)) return failure(400, 'No file to upload and no folder to create')
    if (!/\.(gcode|gco|g)$/i.test(file.name)) return failure(415, 'File extension not allowed')
    if (isActive(printer.report()) && selected === file.name) return failure(409, 'File is being printed')
    const content = Buffer.from(await file.arrayBuffer())
    if (content.length > freeBytes) throw new Error('its disk is full: it hangs up')
    await printer.upload(file.name, content.length, piecesOf(content), request.signal)
    const date = Math.floor(Date.now() / 1000)
    files.set(file.name, { size: content.length, date, plan: planOf(file.name, content) })
    const wantsPrint = form.get('print') === 'true'
    const isFree = !isActive(printer.report())
    if (wantsPrint && isFree) await start(file.name, request.signal)
    return {
      status: 201,
      body: { done: true, files: { local: { name: file.name } }, effectivePrint: wantsPrint && isFree },
    }
  }

  const start = async (name: string, signal: AbortSignal) => {
    const file = files.get(name)
    if (!file) throw new VirtualPrinterError('NO_SUCH_FILE', 'File not found')
    if (isActive(printer.report())) throw new VirtualPrinterError('BUSY', 'Printer is already printing')
    await printer.startPrint(name, file.plan, signal)
    selected = name
    startedAtMs = performance.now()
  }

  const isStarting = () => performance.now() - startedAtMs < startingMs

  const fileCommand = async (
    method: string,
    name: string,
    body: () => Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<WireAnswer> => {
    if (!files.has(name)) return failure(404, 'File not found')
    if (method === 'DELETE') {
      if (isActive(printer.report()) && selected === name) return failure(409, 'File is being printed')
      await printer.deleteFile(name, signal)
      files.delete(name)
      return { status: 204 }
    }
    const { command, print } = body()
    if (command !== 'select') return failure(400, 'Unknown command')
    if (print === true) await start(name, signal)
    else selected = name
    return { status: 204 }
  }

  const jobCommand = async (body: Record<string, unknown>, signal: AbortSignal): Promise<WireAnswer> => {
    const { activity } = printer.report()
    if (body.command === 'cancel') {
      if (!isActive(printer.report())) return failure(409, 'Printer is neither printing nor paused')
      await printer.stop(signal)
      return { status: 204 }
    }
    if (body.command !== 'pause') return failure(400, 'Unknown command')
    if (!isActive(printer.report())) return failure(409, 'Printer is neither printing nor paused')
    const isPaused = activity === 'paused'
    const action = body.action ?? 'toggle'
    if (action === 'resume' || (action === 'toggle' && isPaused)) {
      if (isPaused) await printer.resume(signal)
    } else if (!isPaused && !isStarting()) await printer.pause(signal)
    return { status: 204 }
  }

  const setHeater = async (
    part: string,
    body: Record<string, unknown>,
    { signal }: WireRequest,
  ): Promise<WireAnswer> => {
    if (part === 'tool') {
      const nozzle = (body.targets as { tool0?: unknown } | undefined)?.tool0
      if (typeof nozzle !== 'number') return failure(400, 'Invalid target')
      await printer.setTargets({ nozzle }, signal)
    } else if (part === 'command') {
      const commands = Array.isArray(body.commands) ? body.commands.map(String) : []
      if (commands.some((line) => line.startsWith('M355'))) await printer.setLight(commands.includes('M355 S1'), signal)
      if (commands.includes('M701')) await printer.loadFilament(signal)
      if (commands.includes('M702')) await printer.unloadFilament(signal)
    } else if (part === 'bed' || part === 'chamber') {
      if (typeof body.target !== 'number') return failure(400, 'Invalid target')
      if (part === 'chamber' && printer.report().chamber === null) return failure(409, 'Printer has no heated chamber')
      await printer.setTargets({ [part]: body.target }, signal)
    } else return failure(404, 'The requested URL was not found on the server.')
    return { status: 204 }
  }

  /** The selected file outlives its run; a run that a person began at the printer shows its own. */
  const jobOf = () => {
    const report = printer.report()
    const name = isActive(report) ? (report.fileName ?? selected) : selected
    const file = name === null ? undefined : files.get(name)
    const isDone = report.lastResult === 'completed' && report.fileName === name
    const completion = isActive(report) ? report.progress * 100 : isDone ? 100 : null
    return {
      job: {
        file: { name, path: name, origin: 'local', size: file?.size ?? null, date: file?.date ?? null },
        estimatedPrintTime: file?.plan.printTimeSeconds ?? null,
      },
      progress: {
        completion,
        filepos: completion === null ? null : Math.round(((file?.size ?? 0) * completion) / 100),
        printTimeLeft: isActive(report) ? report.remainingSeconds : null,
      },
      state: stateOf(report, isStarting()).text,
    }
  }

  const current = () => {
    const { job, progress } = jobOf()
    const time = Math.floor(Date.now() / 1000)
    const report = printer.report()
    return {
      state: stateOf(report, isStarting()),
      job,
      progress,
      temps: [{ time, ...sampleOf(report) }],
      currentZ: null,
    }
  }

  const push = (message: object) => {
    const text = JSON.stringify(message)
    for (const listener of listeners) listener.send(text)
  }

  /** Tells what happened since the last look; a printer with a lost link tells nothing. */
  const look = () => {
    const report = printer.report()
    if (isActive(report)) selected = report.fileName ?? selected
    const isOver = isActive(before) && !isActive(report) && report.lastResult !== null
    before = report
    if (isOver && report.lastResult) {
      const payload = { name: report.fileName, path: report.fileName, origin: 'local', reason: report.lastResultReason }
      push({ event: { type: events[report.lastResult], payload } })
      if (report.lastResult === 'cancelled') {
        push({ event: { type: 'PrintFailed', payload: { ...payload, reason: 'cancelled' } } })
      }
    }
    push({ current: current() })
  }

  const wire = await startWireServer(printer, port, answer)
  const gateway = new WebSocketServer({ noServer: true })
  wire.http.on('upgrade', (request, socket: Duplex, head) => {
    if (request.url !== `${basePath}sockjs/websocket`) return void socket.destroy()
    gateway.handleUpgrade(request, socket, head, (listener) => greet(listener))
  })

  const greet = (listener: WebSocket) => {
    listener.on('error', () => listener.terminate())
    listener.on('close', () => listeners.delete(listener))
    listener.on('message', (data) => {
      const { auth } = JSON.parse(data.toString()) as { auth?: string }
      if (auth === undefined) return
      if (!sessions.has(auth.split(':')[1] ?? '')) return void listener.send(JSON.stringify({ reauthRequired: {} }))
      const gone = new AbortController()
      listener.on('close', () => gone.abort(new Error('the listener has gone')))
      untilHeard(printer, gone.signal).then(
        () => {
          listeners.add(listener)
          listener.send(JSON.stringify({ connected: { version: '1.11.8' } }))
          listener.send(
            JSON.stringify({ event: { type: 'FirmwareData', payload: { name: printer.report().firmware } } }),
          )
          listener.send(JSON.stringify({ history: current() }))
        },
        () => listener.terminate(),
      )
    })
  }

  // Its silence is the printer's, not ours to break.
  const stopLooking = updateEvery(printer, pushIntervalMs, look)
  const stopReports = printer.onReport(look)

  return {
    port: wire.port,
    cut: wire.cut,
    sendRaw(text) {
      for (const listener of listeners) listener.send(text)
    },
    setFreeBytes(bytes) {
      freeBytes = bytes
    },
    async close() {
      stopLooking()
      stopReports()
      gateway.close()
      await wire.close()
    },
  }
}

const events = { completed: 'PrintDone', failed: 'PrintFailed', cancelled: 'PrintCancelled' } as const
const statuses = {
  REFUSED: 409,
  BUSY: 409,
  NO_SUCH_FILE: 404,
  WRONG_STATE: 409,
  UPLOAD_BROKEN: 400,
  STORAGE_FULL: 507,
  NOT_SUPPORTED: 409,
} as const

const ok = (body: object): WireAnswer => ({ status: 200, body })
const failure = (status: number, error: string): WireAnswer => ({ status, body: { error } })

function isActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

function stateOf(report: VirtualReport, isStarting: boolean) {
  const isPaused = report.activity === 'paused' || (report.activity === 'changing_filament' && isActive(report))
  const isPrinting = isActive(report) && !isPaused && report.activity !== 'fault'
  const isFault = report.activity === 'fault'
  const text = isFault
    ? `Error: ${report.message ?? ''}`
    : isPaused
      ? 'Paused'
      : isPrinting
        ? isStarting
          ? 'Starting'
          : 'Printing'
        : 'Operational'
  return {
    text,
    error: isFault ? (report.message ?? '') : '',
    flags: {
      operational: !isFault,
      printing: isPrinting,
      paused: isPaused,
      pausing: false,
      resuming: false,
      cancelling: false,
      finishing: false,
      ready: !isFault && !isActive(report),
      error: isFault,
      closedOrError: isFault,
      sdReady: false,
    },
  }
}

function sampleOf({ nozzle, bed, chamber }: VirtualReport) {
  return { tool0: nozzle, bed, ...(chamber && { chamber }) }
}
