import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { VirtualPrinter } from '../virtual-printer.ts'

/** One HTTP request to a simulated printer, with its body read. */
export interface WireRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
  /** Aborts when the asker has gone. */
  signal: AbortSignal
}

export interface WireAnswer {
  status: number
  /** An object is sent as JSON. */
  body?: object | string | Buffer
  headers?: Record<string, string>
}

/** An HTTP server on loopback that can be cut off like a cable. */
interface WireServer {
  readonly http: Server
  readonly port: number
  /** The most requests that were under way at a time, from their head to the end of their answer. */
  readonly mostAtOnce: number
  readonly openConnections: number
  /** Tears every open connection. */
  cut(): void
  close(): Promise<void>
}

/**
 * Serves the front of a simulated printer. A printer whose link is lost keeps its askers waiting. Nothing of a request is read
 * before what `untilRead` gives is over.
 */
export async function startWireServer(
  printer: VirtualPrinter,
  port: number,
  answer: (request: WireRequest) => Promise<WireAnswer>,
  untilRead: (incoming: IncomingMessage) => Promise<void> | undefined = () => undefined,
): Promise<WireServer> {
  const sockets = new Set<Socket>()
  let underWay = 0
  let mostAtOnce = 0
  const http = createServer((incoming, response) => {
    underWay += 1
    mostAtOnce = Math.max(mostAtOnce, underWay)
    response.once('close', () => {
      underWay -= 1
    })
    Promise.resolve(untilRead(incoming))
      .then(() => handle(printer, incoming, response, answer))
      .catch(() => response.destroy())
  })
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    http,
    port: (http.address() as AddressInfo).port,
    get mostAtOnce() {
      return mostAtOnce
    },
    get openConnections() {
      return sockets.size
    },
    cut,
    async close() {
      cut()
      await new Promise<void>((resolve) => http.close(() => resolve()))
    },
  }
}

async function handle(
  printer: VirtualPrinter,
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: (request: WireRequest) => Promise<WireAnswer>,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort(new Error('the asker has gone')))
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  await untilHeard(printer, gone.signal)
  const { status, body, headers } = await answer({
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', 'http://printer'),
    headers: incoming.headers,
    body: Buffer.concat(parts),
    signal: gone.signal,
  })
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
  response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers })
  response.end(isJson ? JSON.stringify(body) : body)
}

/** Waits as long as the printer's link is silent. */
export async function untilHeard(printer: VirtualPrinter, signal: AbortSignal): Promise<void> {
  // Any question would do; the printer refuses this one at once and changes nothing.
  await printer.deleteFile('.ping', signal).catch((error: unknown) => {
    if (signal.aborted) throw error
  })
}

/** A body as the pieces in which a printer would read it. */
export async function* piecesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
