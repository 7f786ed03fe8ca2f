import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A cable between a driver and its peer that tests can pull, cut in the middle of an upload, or leave without a word. */
export interface TcpRelay {
  readonly port: number
  /** Tears every open connection. */
  cut(): void
  /** From now on the peer does not learn that the open connections end, as when a machine loses its power. */
  abandon(): void
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
  const nearSides = new WeakSet<Socket>()
  const abandoned = new WeakSet<Socket>()
  let cutAfter: number | undefined

  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    if (isSilent) socket.pause()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      if (!abandoned.has(socket)) other.destroy()
    })
  }

  const isFarSideAbandoned = (socket: Socket) => abandoned.has(socket) && !nearSides.has(socket)

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
    nearSides.add(near)
    keep(near, far)
    keep(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const socket of sockets) if (!isFarSideAbandoned(socket)) socket.destroy()
    },
    abandon() {
      for (const socket of sockets) abandoned.add(socket)
    },
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
      cutAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
