import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A cable between a driver and its peer that tests can pull, cut in the middle of an upload, or leave without a word. */
export interface TcpRelay {
  readonly port: number
  /** Tears every open connection. */
  cut(): void
  /** While silent, connections stay open and new ones are taken, but nothing passes. */
  setSilent(isSilent: boolean): void
  /** Tears each connection that has carried so many bytes to the peer; undefined for none. */
  cutAfterBytes(bytes: number | undefined): void
  close(): Promise<void>
}

/** Relays from any free port on loopback to `peerPort`. */
export async function startTcpRelay(peerPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let cutAfter: number | undefined

  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    if (isSilent) socket.pause()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: peerPort, host: '127.0.0.1', noDelay: true })
    let carried = 0
    near.on('data', (piece) => {
      carried += piece.length
      if (cutAfter !== undefined && carried > cutAfter) return void near.destroy()
      if (!far.write(piece)) near.pause()
    })
    far.on('data', (piece) => {
      if (!near.write(piece)) far.pause()
    })
    near.on('drain', () => void (isSilent || far.resume()))
    far.on('drain', () => void (isSilent || near.resume()))
    keep(near, far)
    keep(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    setSilent(silent) {
      isSilent = silent
      for (const socket of sockets) {
        if (silent) socket.pause()
        else socket.resume()
      }
    },
    cutAfterBytes(bytes) {
      cutAfter = bytes
    },
    async close() {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
