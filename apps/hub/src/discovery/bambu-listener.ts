import type { Socket } from 'node:dgram'
import type { Log } from '../util/log.ts'
import { describeError } from '../util/log.ts'
import { bambuSearch, readBambuAnnouncement } from './bambu-announcement.ts'
import type { Finder, OnSighting } from './sighting.ts'
import { closeUdp, openUdp, type UdpTarget } from './udp.ts'

const GROUP = '239.255.255.250'

export interface BambuListenerOptions {
  /** Where announcements arrive. */
  listenAt: UdpTarget[]
  /** Where a search is sent. */
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
export function createBambuListener(onSighting: OnSighting, log: Log, options = bambuDefaults): Finder {
  let sockets: Socket[] = []
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
      for (const socket of sockets) joinGroup(socket, options.group, log)
    },
    search() {
      const [socket] = sockets
      for (const { address, port } of options.searchAt) socket?.send(bambuSearch, port, address, () => undefined)
    },
    async stop() {
      await Promise.all(sockets.splice(0).map(closeUdp))
    },
  }
}

/** Without a network there is no group; broadcasts arrive all the same when there is one later. */
function joinGroup(socket: Socket, group: string | null, log: Log): void {
  if (group === null) return
  try {
    socket.addMembership(group)
  } catch (error) {
    log.warn('announcements by multicast cannot be heard', { problem: describeError(error) })
  }
}
