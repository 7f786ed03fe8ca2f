import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { CONNECT_PATH, SUBPROTOCOL } from '@printyard/protocol/version'
import { WebSocket, WebSocketServer } from 'ws'

/** A message on its way between hub and service. */
export interface Frame {
  from: 'hub' | 'service'
  type: string
  /** The whole message, as it was sent. */
  message: Record<string, unknown>
}

/** What becomes of a frame. `late`: after the next one in its direction. `held`: when the promise resolves. */
export type Passage = 'pass' | 'drop' | 'twice' | 'late' | { held: Promise<unknown> }

/** The network between one hub and the service: everything passes through it, and everything can be broken in it. */
export interface LinkProxy {
  url: string
  /** Asked for each frame, in order of arrival. */
  onFrame: (frame: Frame) => Passage
  /** So many of the next downloads end after half of their bytes. */
  halfDownloads: number
  /** Nothing new passes through, in neither direction. */
  isDown: boolean
  /** Breaks every connection that passes through now. */
  cut(): void
  close(): Promise<void>
}

/** A frame that waits for the next one does not wait for ever. */
const latestMs = 30

export async function startLinkProxy(findPort: () => number | undefined): Promise<LinkProxy> {
  const servicePort = () => (proxy.isDown ? undefined : findPort())
  const sockets = new Set<Socket>()
  const links = new Set<WebSocket>()
  const server = createServer(passOn)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const hubs = new WebSocketServer({ server, path: CONNECT_PATH, handleProtocols: () => SUBPROTOCOL })
  hubs.on('connection', (hub, request) => {
    const port = servicePort()
    if (port === undefined) return hub.terminate()
    const headers = { authorization: request.headers.authorization ?? '' }
    const service = new WebSocket(`ws://127.0.0.1:${port}${CONNECT_PATH}`, [SUBPROTOCOL], { headers })
    const opened = new Promise<void>((resolve) => service.once('open', resolve))
    const towardsService = createPipe('hub', service)
    const towardsHub = createPipe('service', hub)
    for (const [end, other] of [
      [hub, service],
      [service, hub],
    ] as const) {
      links.add(end)
      end.on('error', () => end.terminate())
      end.on('close', () => {
        links.delete(end)
        other.terminate()
      })
    }
    // What the hub says before the service has answered must wait, in order.
    let upstream = opened
    hub.on('message', (data) => {
      upstream = upstream.then(() => towardsService(data.toString()))
    })
    service.on('message', (data) => towardsHub(data.toString()))
  })

  function createPipe(from: Frame['from'], target: WebSocket): (text: string) => void {
    let late: string | undefined
    const send = (text: string) => {
      if (target.readyState === WebSocket.OPEN) target.send(text)
    }
    const sendLate = () => {
      const text = late
      late = undefined
      if (text !== undefined) send(text)
    }
    return (text) => {
      const message = JSON.parse(text) as Record<string, unknown>
      const passage = proxy.onFrame({ from, type: String(message.type), message })
      if (passage === 'drop') return
      if (passage === 'late') {
        sendLate()
        late = text
        setTimeout(sendLate, latestMs)
        return
      }
      if (typeof passage === 'object') {
        void passage.held.then(() => send(text))
        return
      }
      send(text)
      if (passage === 'twice') send(text)
      sendLate()
    }
  }

  function passOn(incoming: IncomingMessage, answer: ServerResponse): void {
    const port = servicePort()
    if (port === undefined) return void incoming.socket.destroy()
    const isCut = proxy.halfDownloads > 0
    if (isCut) proxy.halfDownloads -= 1
    const { url: path = '/', method = 'GET', headers } = incoming
    const upstream = request({ host: '127.0.0.1', port, path, method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      const total = Number(given.headers['content-length'] ?? 0)
      let sent = 0
      given.on('error', () => answer.destroy())
      given.on('data', (chunk: Buffer) => {
        if (!isCut) return void answer.write(chunk)
        const rest = Math.max(0, Math.floor(total / 2) - sent)
        sent += chunk.length
        answer.write(chunk.subarray(0, rest))
        if (sent * 2 >= total) answer.destroy()
      })
      given.on('end', () => answer.end())
    })
    upstream.on('error', () => answer.destroy())
    incoming.pipe(upstream)
  }

  const proxy: LinkProxy = {
    url: '',
    onFrame: () => 'pass',
    halfDownloads: 0,
    isDown: false,
    cut() {
      for (const link of links) link.terminate()
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      proxy.cut()
      hubs.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
