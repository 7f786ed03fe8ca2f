import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type PrintPlan, type VirtualPrinter, VirtualPrinterError } from '../virtual-printer.ts'
import { updateEvery } from '../wire/update-timer.ts'
import { startWireServer, untilHeard, type WireAnswer, type WireRequest } from '../wire/wire-server.ts'
import { createOctoPrintFiles } from './octoprint-files.ts'
import { createOctoPrintHost } from './octoprint-host.ts'
import { createOctoPrintRoutes } from './octoprint-routes.ts'

interface OctoPrintSimulatorOptions {
  printer: VirtualPrinter
  apiKey: string
  /** What its settings say of the webcam. */
  webcam?: { webcamEnabled?: boolean; snapshotUrl?: string }
  /** Path at which a proxy has put it, with a slash at both ends; nothing else is answered. */
  basePath?: string
  /** 0 takes any free one. */
  port?: number
  /** Plan that the printer would read out of an uploaded file. */
  planOf?: (fileName: string, content: Buffer) => PrintPlan
  /** Time that a pause takes, for the moves and heating that the firmware has before it. Default: 100. */
  pausingMs?: number
}

interface OctoPrintSimulator {
  readonly port: number
  /** Tears every open connection, as a restart of the network does. */
  cut(): void
  /** Sends this text to every listener of the push socket, as a broken plugin would. */
  sendRaw(text: string): void
  /** From now on so many bytes are free on its disk. It hangs up in the middle of a larger file, as the real program does. */
  setFreeBytes(bytes: number): void
  /**
   * OctoPrint's own machine restarts, and answers nothing for this time. Its files are kept, with the record of how they were
   * printed; a print that it was feeding is over without one.
   */
  restart(downMs: number): void
  close(): Promise<void>
}

const pushIntervalMs = 1_000
const DISK_BYTES = 16_000_000_000
const defaultPlan: PrintPlan = { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 }

interface Listener {
  socket: WebSocket
  /** The events that it asked for; undefined for all. */
  events: ReadonlySet<unknown> | undefined
}

/**
 * OctoPrint 1.11 in front of a simulated printer: the REST calls and the push socket that farms and other clients use, with the
 * answers of the real program (a start while another job runs is 409, an upload with `print` then 201 without effect, pause
 * toggles without `action`, the last file stays selected at 100 %, a start pushes the new file with the progress of the one
 * before, and in error it says nothing). What is started at the printer with a file that OctoPrint has is started by a person on
 * its pages; any other file is on the printer's own card.
 */
export async function startOctoPrintSimulator(options: OctoPrintSimulatorOptions): Promise<OctoPrintSimulator> {
  const {
    printer,
    apiKey,
    webcam = {},
    basePath = '/',
    port = 0,
    planOf = () => defaultPlan,
    pausingMs = 100,
  } = options
  const sessions = new Set<string>()
  const listeners = new Set<Listener>()
  let freeBytes = DISK_BYTES
  let downUntilMs = Number.NEGATIVE_INFINITY
  const isDown = () => performance.now() < downUntilMs

  const push = (message: object) => {
    const type = 'event' in message ? (message.event as { type: string }).type : undefined
    const text = JSON.stringify(message)
    for (const { socket, events } of listeners) {
      if (type === undefined || events === undefined || events.has(type)) socket.send(text)
    }
  }
  const files = createOctoPrintFiles()
  const host = createOctoPrintHost({ printer, files, pausingMs, push })
  const login = () => {
    const session = randomUUID()
    sessions.add(session)
    return { name: 'hub', session, active: true }
  }
  const disk = { total: DISK_BYTES, free: () => freeBytes }
  const route = createOctoPrintRoutes({ printer, files, host, planOf, webcam, disk, login })

  const answer = async (request: WireRequest): Promise<WireAnswer> => {
    const { method, url, headers } = request
    if (isDown()) throw new Error('OctoPrint is down')
    if (!url.pathname.startsWith(basePath)) return notFound
    const path = decodeURIComponent(url.pathname.slice(basePath.length - 1))
    // Where programs ask whether they may ask for a key: open to everybody.
    if (path === '/plugin/appkeys/probe') return { status: 204 }
    if (headers['x-api-key'] !== apiKey && headers.authorization !== `Bearer ${apiKey}`) {
      // What changes something is taken for a page of a browser, which would have to bring a token.
      if (method !== 'GET') return failure(400, 'CSRF validation failed')
      return failure(403, "You don't have the permission to access this.")
    }
    try {
      return (await route(request, path, `http://${headers.host ?? 'octoprint'}${basePath}`)) ?? notFound
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) throw error
      return failure(statuses[error.code], error.message)
    }
  }

  const wire = await startWireServer(printer, port, answer)
  const gateway = new WebSocketServer({ noServer: true })
  wire.http.on('upgrade', (request, socket: Duplex, head) => {
    if (isDown() || request.url !== `${basePath}sockjs/websocket`) return void socket.destroy()
    gateway.handleUpgrade(request, socket, head, (listener) => greet(listener))
  })

  const greet = (socket: WebSocket) => {
    const listener: Listener = { socket, events: undefined }
    socket.on('error', () => socket.terminate())
    socket.on('close', () => listeners.delete(listener))
    socket.on('message', (data) => {
      const { auth, subscribe } = JSON.parse(data.toString()) as { auth?: string; subscribe?: { events?: unknown } }
      if (Array.isArray(subscribe?.events)) listener.events = new Set(subscribe.events)
      if (auth === undefined) return
      if (!sessions.has(auth.split(':')[1] ?? '')) return void socket.send(JSON.stringify({ reauthRequired: {} }))
      const gone = new AbortController()
      socket.on('close', () => gone.abort(new Error('the listener has gone')))
      untilHeard(printer, gone.signal).then(
        () => {
          listeners.add(listener)
          socket.send(JSON.stringify({ connected: { version: '1.11.8' } }))
          const payload = { name: printer.report().firmware }
          if (host.line.kind === 'open') socket.send(JSON.stringify({ event: { type: 'FirmwareData', payload } }))
          socket.send(JSON.stringify({ history: host.current() }))
        },
        () => socket.terminate(),
      )
    })
  }

  const look = () => {
    if (!isDown()) host.look()
  }
  // Its silence is the printer's, not ours to break.
  const stopLooking = updateEvery(printer, pushIntervalMs, look)
  const stopReports = printer.onReport(look)

  return {
    port: wire.port,
    cut: wire.cut,
    sendRaw(text) {
      for (const { socket } of listeners) socket.send(text)
    },
    setFreeBytes(bytes) {
      freeBytes = bytes
    },
    restart(downMs) {
      // What it has told just now it has also put on record.
      look()
      downUntilMs = performance.now() + downMs
      sessions.clear()
      host.forget()
      wire.cut()
    },
    async close() {
      stopLooking()
      stopReports()
      host.close()
      gateway.close()
      await wire.close()
    },
  }
}

const statuses = {
  REFUSED: 409,
  BUSY: 409,
  NO_SUCH_FILE: 404,
  WRONG_STATE: 409,
  UPLOAD_BROKEN: 400,
  STORAGE_FULL: 507,
  NOT_SUPPORTED: 409,
} as const

const failure = (status: number, error: string): WireAnswer => ({ status, body: { error } })
const notFound = failure(404, 'The requested URL was not found on the server.')
