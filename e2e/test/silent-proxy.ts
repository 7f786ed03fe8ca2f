import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a service and its database. */
export interface SilentProxy {
  port: number
  /** From here on nothing passes, and no one is told: new connections open, and stay silent. */
  cut(): void
  /** Lets new connections through; those from before stay silent, as after a change of routes. */
  heal(): void
  close(): Promise<void>
}

/** A proxy to a Unix socket that can lose everything without a word, as a network can. */
export async function startSilentProxy(socketPath: string): Promise<SilentProxy> {
  const lines = new Set<{ sockets: Socket[]; isCut: boolean }>()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(socketPath)
    const line = { sockets: [near, far], isCut }
    lines.add(line)
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes: Buffer) => {
        if (!line.isCut) to.write(bytes)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        if (!line.isCut) to.destroy()
      })
    }
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const line of lines) line.isCut = true
    },
    heal() {
      isCut = false
    },
    async close() {
      for (const { sockets } of lines) for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
