import { createSocket, type Socket } from 'node:dgram'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/** Target of a datagram. */
export interface UdpTarget {
  address: string
  port: number
}

/** Longer than anything that a printer says of itself. */
const MAX_DATAGRAM_BYTES = 4_096

/** Opens a socket that others on this machine may share; resolves once it listens. */
export async function openUdp(
  { address, port }: UdpTarget,
  onText: (text: string, from: UdpTarget) => void,
): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, address, () => {
      socket.off('error', reject)
      resolve()
    })
  })
  // What goes wrong later is a datagram that did not arrive: the next one may.
  socket.on('error', () => undefined)
  socket.on('message', (data, from) => {
    if (data.length <= MAX_DATAGRAM_BYTES) onText(data.toString('utf8'), from)
  })
  return socket
}

export function closeUdp(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()))
}

/** The IPv4 addresses of this machine in its networks. */
export function ownAddresses(): string[] {
  return networks().map(({ address }) => address)
}

/** Everybody in each network of this machine: the one address for all reaches only the network of the default route. */
export function broadcastAddresses(): string[] {
  const addresses = new Set(['255.255.255.255'])
  for (const one of networks()) {
    const mask = one.netmask.split('.').map(Number)
    const parts = one.address.split('.').map((part, index) => Number(part) | (~(mask[index] ?? 255) & 255))
    addresses.add(parts.join('.'))
  }
  return [...addresses]
}

function networks(): NetworkInterfaceInfo[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal)
}
