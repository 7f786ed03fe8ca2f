import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What stands before several processes: it gives each connection to one of those that say that they are ready, in turn. */
export interface Balancer {
  url: string
  /** Breaks every connection that passes through now. */
  cut(): void
  close(): Promise<void>
}

const lookEveryMs = 50
const lookMs = 1_000

/** @param findUrls the addresses of the processes; one that cannot be asked is not ready */
export async function startBalancer(findUrls: () => readonly string[]): Promise<Balancer> {
  let ready: string[] = []
  let turn = 0
  let isClosed = false
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    follow(incoming)
    passOn(incoming, [...ready])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function follow(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  /** Tries the next one when a process does not take the connection: nothing was sent to it. */
  function passOn(incoming: Socket, left: string[]): void {
    turn += 1
    const [url] = left.splice(turn % Math.max(1, left.length), 1)
    if (url === undefined) {
      incoming.destroy()
      return
    }
    const outgoing = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.add(outgoing)
    outgoing.once('connect', () => {
      incoming.pipe(outgoing).pipe(incoming)
      outgoing.on('close', () => incoming.destroySoon())
      incoming.on('close', () => outgoing.destroySoon())
    })
    outgoing.on('error', () => {
      if (outgoing.connecting || outgoing.bytesWritten === 0) passOn(incoming, left)
      else incoming.destroy()
    })
    outgoing.on('close', () => sockets.delete(outgoing))
  }

  async function isReady(url: string): Promise<boolean> {
    try {
      return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(lookMs) })).ok
    } catch {
      return false
    }
  }

  async function look(): Promise<void> {
    const urls = findUrls()
    const answers = await Promise.all(urls.map(isReady))
    ready = urls.filter((_, index) => answers[index])
    if (!isClosed) setTimeout(() => void look(), lookEveryMs)
  }
  await look()

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      isClosed = true
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
