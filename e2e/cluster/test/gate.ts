import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way to a server, which can be closed. */
interface Gate {
  url: string
  /** Breaks what passes through, and lets nothing in until it is opened again. */
  setOpen(isOpen: boolean): void
  close(): void
}

export async function startGate(target: string): Promise<Gate> {
  const port = Number(new URL(target).port)
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1')
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        incoming.destroySoon()
        outgoing.destroySoon()
      })
    }
    if (isOpen) incoming.pipe(outgoing).pipe(incoming)
    else for (const socket of [incoming, outgoing]) socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setOpen(next) {
      isOpen = next
      if (!isOpen) for (const socket of sockets) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
