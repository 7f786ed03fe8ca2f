import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { AttemptReport } from '@printyard/protocol/attempt'
import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { CommandArguments, FileToPrint } from '@printyard/protocol/commands'
import { readHubFrame } from '@printyard/protocol/hub-frames'
import type {
  HubMessage,
  HubMessageName,
  PrinterSettings,
  ServiceMessageBody,
  ServiceMessageName,
} from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { readServiceFrame } from '@printyard/protocol/service-frames'
import { CONNECT_PATH, JOIN_PATH, SUBPROTOCOL } from '@printyard/protocol/version'
import { type WebSocket, WebSocketServer } from 'ws'

type Received<N extends HubMessageName> = Extract<HubMessage, { type: N }>

/** How the service serves one file: as it is, or with the troubles of a real network. */
interface ServedFile {
  content: Buffer
  /** Cuts the connection after so many bytes, once for each entry. */
  breaks?: number[]
  ignoresRanges?: boolean
  status?: number
  delayMs?: number
}

/**
 * The hub's counterpart in tests: speaks the protocol over real sockets, checks every frame that the hub sends, and can be
 * cut off, silent or wrong on purpose.
 */
export interface TestService {
  readonly url: string
  readonly token: string
  /** Tokens that it knows besides. */
  readonly otherTokens: Set<string>
  /** What hubs have connected with, whether it was known or not. */
  readonly triedTokens: string[]
  /** Everything received that the protocol knows, oldest first, over all connections. */
  readonly received: HubMessage[]
  /** What the hub sent against the protocol; empty in a passing test. */
  readonly problems: string[]
  readonly closes: { code: number; reason: string }[]
  readonly fileRequests: { path: string; range: string | undefined }[]
  readonly joinCodes: Map<string, { hub_id: string; token: string; name: string }>
  printers: PrinterSettings[]
  settle: ServiceMessageBody<'welcome'>['settle']
  /** Time that a hub that said hello waits for its welcome. */
  welcomesAfterMs: number
  /** Acknowledges attempts and results at once, as the service does. */
  acknowledges: boolean
  /** Answers the handshake with this status instead of accepting it. */
  refuseWith: number | undefined
  connectCount: number
  serve(name: string, file: ServedFile): FileToPrint
  send<N extends ServiceMessageName>(type: N, body: ServiceMessageBody<N>): void
  sendRaw(frame: string | Buffer): void
  /** Sends a command and gives its id. */
  command<K extends CommandKind>(
    kind: K,
    args: CommandArguments<K>,
    overrides?: Partial<ServiceMessageBody<'command'>>,
  ): string
  ofType<N extends HubMessageName>(type: N): Received<N>[]
  reportsOf(attemptId: string): AttemptReport[]
  /** The picture of a printer that its telemetry adds up to. */
  pictureOf(printerId: string): Partial<PrinterState>
  until<T>(find: () => T | undefined | false, awaited: string, timeoutMs?: number): Promise<T>
  resultOf(commandId: string, timeoutMs?: number): Promise<Received<'result'>>
  reachesPhase(attemptId: string, phase: AttemptReport['phase'], timeoutMs?: number): Promise<AttemptReport>
  /** Tears the connection without a word. */
  cut(): void
  /** Stops reading from the present connection, as a machine that hangs. */
  freeze(): void
  stop(): Promise<void>
}

export const PRINTER = 'prn_1'

/** The smallest valid settings of a virtual printer. */
export function buildPrinter(overrides: Partial<PrinterSettings> = {}): PrinterSettings {
  return {
    printer_id: PRINTER,
    name: 'Left one',
    model: 'MK4S',
    connection_type: 'virtual',
    connection: {},
    nozzle_size: 0.4,
    limits: { nozzle: 300, bed: 120, chamber: 65 },
    filament_type: 'PLA',
    filament_color_hex: '#1A1A1A',
    ...overrides,
  }
}

export async function startTestService(port = 0): Promise<TestService> {
  const files = new Map<string, ServedFile>()
  const sockets = new Set<Socket>()
  let fence = 0
  let present: WebSocket | undefined
  const lookers = new Set<() => void>()
  const look = () => {
    for (const looker of [...lookers]) looker()
  }

  const http = createServer((request, response) => {
    answer(request, response).catch((error) => {
      service.problems.push(`http: ${error}`)
      response.destroy()
    })
  })
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    if (path === JOIN_PATH && request.method === 'POST') return join(request, response)
    service.fileRequests.push({ path, range: request.headers.range })
    const file = files.get(path)
    if (!file) return void response.writeHead(404).end()
    if (file.delayMs) await new Promise((resolve) => setTimeout(resolve, file.delayMs))
    if (file.status) return void response.writeHead(file.status).end()
    const asked = file.ignoresRanges ? undefined : /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
    const start = Number(asked ?? 0)
    const { length } = file.content
    response.writeHead(asked ? 206 : 200, {
      'content-length': length - start,
      ...(asked ? { 'content-range': `bytes ${start}-${length - 1}/${length}` } : {}),
    })
    const breakAfter = file.breaks?.shift()
    if (breakAfter === undefined) return void response.end(file.content.subarray(start))
    response.write(file.content.subarray(start, start + breakAfter), () => response.socket?.destroy())
  }

  const join = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { code } = JSON.parse(text) as { code: string }
    const data = service.joinCodes.get(code)
    service.joinCodes.delete(code)
    response.writeHead(data ? 200 : 404, { 'content-type': 'application/json' })
    const error = { code: 'JOIN_CODE_INVALID', message: 'The code is not valid any more.' }
    response.end(JSON.stringify(data ? { success: true, data } : { success: false, error }))
  }

  const gateway = new WebSocketServer({ noServer: true, perMessageDeflate: false, handleProtocols: () => SUBPROTOCOL })
  http.on('upgrade', (request, socket, head) => {
    const [, tried = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    service.triedTokens.push(tried)
    const isKnown = tried === service.token || service.otherTokens.has(tried)
    const status = service.refuseWith ?? (isKnown ? undefined : 401)
    if (request.url !== CONNECT_PATH || status) {
      return void socket.end(`HTTP/1.1 ${status ?? 404} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    }
    if (!request.headers['sec-websocket-protocol']?.includes(SUBPROTOCOL)) service.problems.push('no subprotocol')
    gateway.handleUpgrade(request, socket, head, (accepted) => {
      present = accepted
      service.connectCount += 1
      look()
      accepted.on('message', (data) => take(accepted, data.toString()))
      accepted.on('error', () => accepted.terminate())
      accepted.on('close', (code, reason) => {
        service.closes.push({ code, reason: reason.toString() })
        if (present === accepted) present = undefined
        look()
      })
    })
  })

  const welcome = (to: WebSocket) => {
    const { printers, settle } = service
    const server_time = new Date().toISOString()
    sendTo(to, 'welcome', { hub_id: 'hub_1', hub_name: 'Test hub', server_time, printers, settle })
    service.settle = []
  }

  const take = (from: WebSocket, text: string) => {
    const read = readHubFrame(text)
    if (read.kind !== 'message') {
      service.problems.push(read.kind === 'invalid' ? read.problem : `unknown type ${read.type}`)
      return
    }
    const { message } = read
    service.received.push(message)
    if (message.type === 'hello') {
      if (service.welcomesAfterMs > 0) setTimeout(() => welcome(from), service.welcomesAfterMs)
      else welcome(from)
    }
    if (service.acknowledges && (message.type === 'attempt' || message.type === 'result')) {
      sendTo(from, 'ack', { ids: [message.id] })
    }
    look()
  }

  const sendTo = <N extends ServiceMessageName>(to: WebSocket | undefined, type: N, body: ServiceMessageBody<N>) => {
    const frame = JSON.stringify({ type, id: randomUUID(), ts: new Date().toISOString(), ...body })
    const read = readServiceFrame(frame)
    if (read.kind !== 'message') throw new Error(`the test sends a bad frame: ${JSON.stringify(read)}`)
    to?.send(frame)
  }

  const service: TestService = {
    url: '',
    token: 'hub-token-of-the-test',
    otherTokens: new Set(),
    triedTokens: [],
    received: [],
    problems: [],
    closes: [],
    fileRequests: [],
    joinCodes: new Map(),
    printers: [buildPrinter()],
    settle: [],
    welcomesAfterMs: 0,
    acknowledges: true,
    refuseWith: undefined,
    connectCount: 0,
    serve(name, file) {
      const path = `/files/${encodeURIComponent(name)}?signature=s3cret`
      files.set(path, file)
      return {
        file_version_id: `fv_${name}`,
        name,
        url_path: path,
        size_bytes: file.content.length,
        sha256: createHash('sha256').update(file.content).digest('hex'),
        format: 'gcode',
        archive_plate: null,
        print_time_seconds: 600,
        layer_count: 50,
        filament_type: 'PLA',
        nozzle_temp: 210,
        bed_temp: 60,
      }
    },
    send: (type, body) => sendTo(present, type, body),
    sendRaw: (frame) => present?.send(frame),
    command(kind, args, overrides = {}) {
      fence += 1
      const command_id = `cmd_${randomUUID()}`
      const deadline = new Date(Date.now() + 60_000).toISOString()
      const body = { command_id, printer_id: PRINTER, fence, deadline, kind, args: { ...args }, ...overrides }
      sendTo(present, 'command', body)
      return body.command_id
    },
    ofType: <N extends HubMessageName>(type: N) =>
      service.received.filter((message): message is Received<N> => message.type === type),
    reportsOf: (attemptId) =>
      service
        .ofType('attempt')
        .map(({ report }) => report)
        .filter(({ attempt_id }) => attempt_id === attemptId),
    pictureOf(printerId) {
      let picture: Partial<PrinterState> = {}
      for (const { printers } of service.ofType('telemetry')) {
        for (const { printer_id, full, state } of printers) {
          if (printer_id === printerId) picture = full ? state : { ...picture, ...state }
        }
      }
      return picture
    },
    until: (find, awaited, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          clearInterval(poll)
          lookers.delete(looker)
        }
        const looker = () => {
          const found = find()
          if (found === undefined || found === false) return
          end()
          resolve(found)
        }
        const timer = setTimeout(() => {
          end()
          const tail = service.received.slice(-5).map((message) => JSON.stringify(message).slice(0, 300))
          reject(new Error(`waited for ${awaited}; last received:\n${tail.join('\n')}`))
        }, timeoutMs)
        const poll = setInterval(looker, 25)
        lookers.add(looker)
        looker()
      }),
    resultOf: (commandId, timeoutMs) =>
      service.until(
        () => service.ofType('result').find(({ command_id }) => command_id === commandId),
        `the result of ${commandId}`,
        timeoutMs,
      ),
    reachesPhase: (attemptId, phase, timeoutMs) =>
      service.until(
        () => service.reportsOf(attemptId).find((report) => report.phase === phase),
        `${attemptId} ${phase}`,
        timeoutMs,
      ),
    cut() {
      present?.terminate()
    },
    freeze() {
      present?.pause()
      present = undefined
    },
    async stop() {
      present?.terminate()
      gateway.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  return Object.assign(service, { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` })
}
