import type { Candidate, LookOutcome } from '@printyard/protocol/messages'
import { problemOf } from '../drivers/connection/problem-of.ts'
import type { Clock } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { isLocalAddress, resolveTyped } from './address-rules.ts'
import { bambuDefaults, createBambuListener } from './bambu-listener.ts'
import { createCandidateBook } from './candidate-book.ts'
import { createElegooSearch, elegooDefaults } from './elegoo-search.ts'
import { lookAtAddress } from './look-at-address.ts'
import { createMdnsBrowser, type MdnsOptions } from './mdns-browse.ts'
import type { Sighting } from './sighting.ts'

/** Settings of the sockets; one that is null is not opened. A hub on a farm takes `farmSockets`, tests stay on loopback. */
export interface DiscoverySockets {
  mdns: MdnsOptions | null
  bambu: typeof bambuDefaults | null
  elegoo: typeof elegooDefaults | null
}

export const farmSockets: DiscoverySockets = { mdns: {}, bambu: bambuDefaults, elegoo: elegooDefaults }
export const noSockets: DiscoverySockets = { mdns: null, bambu: null, elegoo: null }

interface DiscoveryDeps {
  sockets: DiscoverySockets
  /** True when addresses outside the local network may be looked at. */
  allowsPublic: boolean
  dataDir: string
  clock: Clock
  log: Log
  /** The candidates have changed. */
  onChange(): void
  /** Each sighting, also of a printer that is known. */
  onSighting(sighting: Sighting): void
}

export interface Discovery {
  /** Resolves when all ways that can be opened are open. A way that cannot be is logged and left out. */
  start(): Promise<void>
  /** Asks everybody once more, and looks at an address where one is given. Resolves with what came of that look. */
  search(address?: string): Promise<LookOutcome | undefined>
  candidates(): Candidate[]
  stop(): Promise<void>
}

/** Everybody is asked so often even when no one looks: printers that moved are followed. */
const SEARCH_INTERVAL_MS = 60_000
/** Changes that come together are told together. */
const GATHER_MS = 250
/** Addresses looked at in a minute; more is no person who types. */
const MOST_LOOKS_PER_MINUTE = 20
const tooManyLooks = `The hub looks at ${MOST_LOOKS_PER_MINUTE} addresses a minute at most. Wait a minute and try again.`

/** Finds printers in the networks of this machine. It moves nothing and knows no credentials. */
export function createDiscovery(deps: DiscoveryDeps): Discovery {
  const { sockets, allowsPublic, dataDir, clock, log, onChange, onSighting } = deps
  const book = createCandidateBook(clock)
  let stopping = new AbortController()
  let interval: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  let looks: number[] = []

  const change = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      onChange()
    }, GATHER_MS)
  }
  const record = (sighting: Sighting) => {
    if (stopping.signal.aborted) return
    if (!allowsPublic && !isLocalAddress(sighting.address)) return
    if (book.record(sighting)) change()
    onSighting(sighting)
  }

  const mdns = sockets.mdns && createMdnsBrowser(record, log, sockets.mdns)
  const bambu = sockets.bambu && createBambuListener(record, sockets.bambu)
  const elegoo = sockets.elegoo && createElegooSearch(record, sockets.elegoo)
  const ways = Object.entries({ mdns, bambu, elegoo }).flatMap(([name, finder]) => (finder ? [{ name, finder }] : []))

  const searchAll = () => {
    for (const { finder } of ways) finder.search()
  }

  const look = async (address: string): Promise<LookOutcome | undefined> => {
    const now = clock()
    looks = looks.filter((at) => now - at < 60_000)
    if (looks.length >= MOST_LOOKS_PER_MINUTE) {
      log.warn('too many addresses to look at; this one is left out')
      return { address, found: 0, problem: tooManyLooks }
    }
    looks.push(now)
    try {
      const { ip, port } = await resolveTyped({ address }, { allowsPublic })
      elegoo?.ask(ip)
      const sightings = await lookAtAddress({ ip, port, dataDir, log, signal: stopping.signal })
      for (const sighting of sightings) record(sighting)
      return { address, found: sightings.length, problem: null }
    } catch (error) {
      if (stopping.signal.aborted) return undefined
      const { reason, message, remedy } = problemOf(error)
      log.warn('an address was not looked at', { reason })
      return { address, found: 0, problem: `${message} ${remedy}` }
    }
  }

  return {
    async start() {
      stopping = new AbortController()
      await Promise.all(
        ways.map(({ name, finder }) =>
          finder.start().catch((error: unknown) =>
            // Another program may have the port to itself; the other ways go on.
            log.warn('a way of finding printers is closed', { way: name, problem: describeError(error) }),
          ),
        ),
      )
      interval = setInterval(() => {
        if (book.forgetOld()) change()
        searchAll()
      }, SEARCH_INTERVAL_MS)
      searchAll()
    },
    async search(address) {
      searchAll()
      // Anyone who asks hears what is known, also when nothing changes.
      change()
      return address === undefined ? undefined : look(address)
    },
    candidates: () => book.list(),
    async stop() {
      stopping.abort(new Error('the hub stops'))
      clearInterval(interval)
      clearTimeout(gathering)
      gathering = undefined
      await Promise.all(ways.map(({ finder }) => finder.stop()))
    },
  }
}
