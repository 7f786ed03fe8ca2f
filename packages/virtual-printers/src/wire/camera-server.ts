import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { drawStill } from '../draw-still.ts'
import type { VirtualPrinter } from '../virtual-printer.ts'

/**
 * What a camera does. `half_dead`: it begins a picture and never goes on. `not_a_picture`: it sends something else.
 * `oversize`: what it sends never ends. `refuses`: it does not take the asker's word.
 */
const cameraModes = ['works', 'half_dead', 'not_a_picture', 'oversize', 'refuses'] as const
type CameraMode = (typeof cameraModes)[number]

/** The camera of a simulated printer, for tests to break and to judge by. */
export interface SimulatedCamera {
  mode: CameraMode
  readonly port: number
  /** Connections so far that asked for something. */
  readonly askedCount: number
  /** Connections that are open now. */
  readonly openCount: number
  close(): Promise<void>
}

const frameIntervalMs = 100
const junk = Buffer.alloc(65_536, 0x20)

/**
 * A camera over HTTP: a picture at `?action=snapshot`, and at every other address a stream of them that does not end by itself,
 * without the length of its pictures, as the least of such programs send it.
 */
export async function startCameraServer(printer: VirtualPrinter, port = 0): Promise<SimulatedCamera> {
  const sockets = new Set<Socket>()
  let askedCount = 0

  const server = createServer((request, response) => {
    askedCount += 1
    const isStill = new URL(request.url ?? '/', 'http://camera').searchParams.get('action') === 'snapshot'
    const type = isStill ? 'image/jpeg' : 'multipart/x-mixed-replace; boundary=--frame'
    const still = drawStill(printer)
    const opening = isStill ? '' : '--frame\r\nContent-Type: image/jpeg\r\n\r\n'
    switch (camera.mode) {
      case 'refuses':
        return void response.writeHead(401).end()
      case 'not_a_picture':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>no camera here</html>')
      case 'half_dead':
        return void response.writeHead(200, { 'content-type': type }).write(partOf(opening, still))
      case 'oversize':
        response.writeHead(200, { 'content-type': type })
        response.write(Buffer.concat([Buffer.from(opening), still]).subarray(0, opening.length + 100))
        return pourJunk(response)
      case 'works':
        response.writeHead(200, { 'content-type': type })
        if (isStill) return void response.end(still)
        return streamFrames(response, opening, () => drawStill(printer))
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

  const camera: SimulatedCamera = {
    mode: 'works',
    port: (server.address() as AddressInfo).port,
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

function partOf(opening: string, still: Buffer): Buffer {
  return Buffer.concat([Buffer.from(opening), still.subarray(0, still.length / 2)])
}

function streamFrames(response: ServerResponse, opening: string, draw: () => Buffer): void {
  const timer = setInterval(() => {
    if (response.writableNeedDrain) return
    response.write(Buffer.concat([Buffer.from(opening), draw(), Buffer.from('\r\n')]))
  }, frameIntervalMs)
  response.on('close', () => clearInterval(timer))
}

function pourJunk(response: ServerResponse): void {
  const pour = () => {
    while (!response.destroyed && response.write(junk));
  }
  response.on('drain', pour)
  pour()
}
