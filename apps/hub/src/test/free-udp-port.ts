import { createSocket } from 'node:dgram'

/** A UDP port that was free a moment ago at all of these addresses of this machine. */
export async function freeUdpPort(address = '127.0.0.1'): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, address, resolve)
  })
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}
