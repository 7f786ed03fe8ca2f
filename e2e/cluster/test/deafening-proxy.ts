import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a process and its Redis. */
export interface DeafeningProxy {
  port: number
  /** From here on messages of channels do not pass the present connections; everything else does, so that they seem to be well. */
  deafen(): void
  close(): void
}

/** A proxy to a port of this machine that can lose what was subscribed to, as a server that has forgotten it does. */
export async function startDeafeningProxy(target: number): Promise<DeafeningProxy> {
  const sockets = new Set<Socket>()
  const deaf = new WeakSet<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        near.destroy()
        far.destroy()
        sockets.delete(socket)
      })
    }
    near.on('data', (bytes: Buffer) => far.write(bytes))
    far.on('data', (bytes: Buffer) => {
      // `message` and `pmessage` begin what a channel brings.
      if (!deaf.has(far) || !bytes.includes('message\r\n')) near.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    deafen() {
      for (const socket of sockets) deaf.add(socket)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
