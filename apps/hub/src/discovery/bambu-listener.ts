import type { Socket } from 'node:dgram'
import { bambuSearch, readBambuAnnouncement } from './bambu-announcement.ts'
import type { Finder, OnSighting } from './sighting.ts'
import { closeUdp, openUdp, ownAddresses, type UdpTarget } from './udp.ts'

const GROUP = '239.255.255.250'

interface BambuListenerOptions {
  /** Addresses at which announcements arrive. */
  listenAt: UdpTarget[]
  /** Addresses to which a search is sent. */
  searchAt: UdpTarget[]
  /** Joined on each socket; null on loopback. */
  group: string | null
}

/** Printers announce themselves to one port by broadcast and to the other by multicast. */
export const bambuDefaults: BambuListenerOptions = {
  listenAt: [
    { address: '0.0.0.0', port: 2021 },
    { address: '0.0.0.0', port: 1990 },
  ],
  searchAt: [
    { address: GROUP, port: 1990 },
    { address: GROUP, port: 2021 },
  ],
  group: GROUP,
}

/** Hears Bambu Lab printers announce themselves. */
export function createBambuListener(onSighting: OnSighting, options = bambuDefaults): Finder {
  let sockets: Socket[] = []
  const joined = new Set<string>()

  /** Each time again: a network may have come since. Broadcasts arrive without this. */
  const joinGroup = () => {
    const { group } = options
    if (group === null) return
    for (const address of ownAddresses()) {
      if (joined.has(address)) continue
      joined.add(address)
      for (const socket of sockets) addMembership(socket, group, address)
    }
  }

  return {
    async start() {
      const outcomes = await Promise.allSettled(
        options.listenAt.map((at) =>
          openUdp(at, (text, from) => {
            const sighting = readBambuAnnouncement(text, from.address)
            if (sighting) onSighting(sighting)
          }),
        ),
      )
      sockets = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      for (const outcome of outcomes) if (outcome.status === 'rejected' && sockets.length === 0) throw outcome.reason
      joined.clear()
    },
    search() {
      joinGroup()
      const [socket] = sockets
      for (const { address, port } of options.searchAt) socket?.send(bambuSearch, port, address, () => undefined)
    },
    async stop() {
      await Promise.all(sockets.splice(0).map(closeUdp))
    },
  }
}

/** A network that cannot do multicast, or has gone meanwhile, is left out. */
function addMembership(socket: Socket, group: string, address: string): void {
  try {
    socket.addMembership(group, address)
  } catch (error) {
    if (!('code' in (error as Error))) throw error
  }
}
