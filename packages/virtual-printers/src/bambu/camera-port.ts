import type { Socket } from 'node:net'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { drawStill } from '../draw-still.ts'
import type { VirtualPrinter } from '../virtual-printer.ts'
import type { SimulatedCamera } from '../wire/camera-server.ts'

const GREETING_BYTES = 80
const frameIntervalMs = 100

/** Port 6000 of the smaller models: a greeting with the access code, then JPEGs, each behind a header with its length. */
export async function startCameraPort(
  printer: VirtualPrinter,
  accessCode: string,
  tls: TlsOptions,
  port = 0,
): Promise<SimulatedCamera> {
  const sockets = new Set<Socket>()
  let askedCount = 0

  const server = createServer(tls, (socket) => {
    let greeting = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (part) => {
      if (greeting.length >= GREETING_BYTES) return
      greeting = Buffer.concat([greeting, part])
      if (greeting.length < GREETING_BYTES) return
      askedCount += 1
      serve(socket, greeting)
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  const serve = (socket: TLSSocket, greeting: Buffer) => {
    const said = greeting.toString('latin1', 48, GREETING_BYTES).replaceAll('\0', '')
    const isExpected = greeting.readUInt32LE(0) === 0x40 && greeting.readUInt32LE(4) === 0x3000
    if (!isExpected || said !== accessCode || camera.mode === 'refuses') return void socket.end()
    const still = drawStill(printer)
    switch (camera.mode) {
      case 'not_a_picture':
        return void socket.write(Buffer.concat([headerOf(64), Buffer.alloc(64)]))
      case 'half_dead':
        return void socket.write(Buffer.concat([headerOf(still.length), still.subarray(0, still.length / 2)]))
      case 'oversize':
        return void socket.write(Buffer.concat([headerOf(0x7fff_ffff), still]))
      case 'works': {
        const timer = setInterval(() => {
          const frame = drawStill(printer)
          if (socket.writableNeedDrain) return
          // In a record of its own, as the firmware sends it; foreign clients read no other header.
          socket.write(headerOf(frame.length), () => socket.writable && socket.write(frame))
        }, frameIntervalMs)
        socket.on('close', () => clearInterval(timer))
      }
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const camera: SimulatedCamera = {
    mode: 'works',
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get askedCount() {
      return askedCount
    },
    get openCount() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return camera
}

function headerOf(length: number): Buffer {
  const header = Buffer.alloc(16)
  header.writeUInt32LE(length, 0)
  return header
}
