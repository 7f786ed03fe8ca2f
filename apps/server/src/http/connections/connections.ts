import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork, clientSite } from '../../kernel/client-network.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { makeNetworkTest } from '../../kernel/trusted-proxies.ts'

/** Connections that are ended before others have their turn: each takes some time of the process. */
const mostInTurn = 200

/** Number of connections that may be open at once. */
export interface ConnectionLimits {
  /** Connections of strangers at one client address, or in one /64 of IPv6. */
  ofNetwork: number
  /** Connections of strangers in one /48 of IPv6. */
  ofSite: number
  /** Connections of all strangers together. */
  ofStrangers: number
  /** Connections of the programs and people of one account, while nothing is asked over them. */
  atRestOfAccount: number
  /** Age of a stranger's connection, in ms, before it can be one too many: by then what was sent with it has been read. */
  graceMs: number
}

interface Connection {
  socket: Socket
  openedAtMs: number
  /** What it is counted with; all of strangers, or the one of its account. */
  parties: readonly Party[]
  accountId?: AccountId
  /** The service finds out who asks to speak another protocol over it. */
  isLookedUp?: boolean
  /** The last request that came over it. */
  request?: IncomingMessage
  response?: ServerResponse
}

/** Connections that are counted together; that over which the last request is longest ago stands first. */
interface Party {
  name: string
  most: number
  /** True for those of an account: only what is at rest is too much. */
  isKnown: boolean
  connections: Set<Connection>
}

/**
 * Bounds the connections that are held open, so that strangers do not take the memory and the open files of the service: one too many
 * takes the place of one that waits for its client, the longest first; many that come at one moment are looked at once their requests are
 * read. Who has shown who they are is counted with their account, and
 * not with the strangers at their address; hubs are not counted at all, nor is a trusted proxy, which bounds its own clients.
 */
export class Connections {
  #limits: ConnectionLimits
  #ended = 0
  #sweep: NodeJS.Timeout | undefined
  readonly #isProxy: (address: string) => boolean
  readonly #parties = new Map<string, Party>()
  readonly #bySocket = new WeakMap<Socket, Connection>()
  /** A connection over TLS has a socket of its own, with the address and port of the one that it runs over. */
  readonly #byPeer = new Map<string, Connection>()

  constructor(limits: ConnectionLimits, trustedProxies: string) {
    this.#limits = limits
    this.#isProxy = makeNetworkTest(trustedProxies)
  }

  /** Takes other limits, for the connections that are made from here on. */
  limit(limits: ConnectionLimits): void {
    this.#limits = limits
  }

  /** Answers how many connections were ended for being too many since this was asked last. */
  takeEnded(): number {
    const ended = this.#ended
    this.#ended = 0
    return ended
  }

  /** Counts a connection that was made. */
  open(socket: Socket, address: string = socket.remoteAddress ?? ''): void {
    if (this.#isProxy(address)) return
    const { ofNetwork, ofSite, ofStrangers } = this.#limits
    const site = clientSite(address)
    const parties = [
      this.#party(`network ${clientNetwork(address)}`, ofNetwork),
      ...(site === undefined ? [] : [this.#party(`site ${site}`, ofSite)]),
      this.#party('strangers', ofStrangers),
    ]
    const connection: Connection = { socket, parties, openedAtMs: performance.now() }
    const peer = peerOf(socket)
    this.#bySocket.set(socket, connection)
    this.#byPeer.set(peer, connection)
    for (const party of parties) this.#join(party, connection)
    socket.once('close', () => {
      this.#leave(connection)
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer)
    })
    // Else each of many that come at once would look at all of them.
    if (this.#sweep === undefined) for (const party of parties) this.#trim(party)
  }

  /** While it is looked up who is there, the service is at work for a connection. The returned function ends that. */
  lookUp(socket: Socket): () => void {
    const connection = this.#bySocket.get(socket)
    if (!connection) return () => undefined
    connection.isLookedUp = true
    return () => {
      connection.isLookedUp = false
    }
  }

  /** From here on requests name the socket of TLS. */
  openSecure(socket: Socket): void {
    const connection = this.#byPeer.get(peerOf(socket))
    if (connection) this.#bySocket.set(socket, connection)
  }

  /** Records a request that came. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#bySocket.get(request.socket)
    if (!connection) return
    connection.request = request
    connection.response = response
    for (const { connections } of connection.parties) {
      if (!connections.delete(connection)) continue
      connections.add(connection)
    }
  }

  /** Counts a connection with the account whose program or member sends requests over it. */
  know(socket: Socket, accountId: AccountId): void {
    const connection = this.#bySocket.get(socket)
    if (!connection || connection.accountId === accountId || connection.parties.length === 0) return
    this.#leave(connection)
    connection.accountId = accountId
    const party = this.#party(`account ${accountId}`, this.#limits.atRestOfAccount, true)
    if (party.connections.size >= party.most) {
      const longest = find(party.connections, isAtRest)
      if (longest) this.#end(longest.socket)
    }
    connection.parties = [party]
    this.#join(party, connection)
  }

  /** Counts a connection no more: that of a hub, of which an account has a quota. */
  release(socket: Socket): void {
    const connection = this.#bySocket.get(socket)
    if (connection) this.#leave(connection)
  }

  /** Ends what is too much of strangers, some in each turn; what is too young for that is looked at again when it is not. */
  #trim({ connections, most }: Party): void {
    const { graceMs } = this.#limits
    const latestMs = performance.now() - graceMs
    let left = mostInTurn
    for (const connection of connections) {
      if (connections.size <= most) return
      if (connection.openedAtMs > latestMs || !waitsForClient(connection)) continue
      if (left === 0) break
      left -= 1
      this.#leave(connection)
      this.#end(connection.socket)
    }
    if (connections.size > most) this.#sweep ??= setTimeout(() => this.#trimAll(), left === 0 ? 0 : graceMs).unref()
  }

  #trimAll(): void {
    this.#sweep = undefined
    for (const party of [...this.#parties.values()]) if (!party.isKnown) this.#trim(party)
  }

  #end(socket: Socket): void {
    this.#ended += 1
    socket.destroy()
  }

  #party(name: string, most: number, isKnown = false): Party {
    return this.#parties.get(name) ?? { name, most, isKnown, connections: new Set() }
  }

  #join(party: Party, connection: Connection): void {
    this.#parties.set(party.name, party)
    party.connections.add(connection)
  }

  #leave(connection: Connection): void {
    for (const { connections } of connection.parties) connections.delete(connection)
    this.#forgetEmpty(connection.parties)
    connection.parties = []
  }

  #forgetEmpty(parties: readonly Party[]): void {
    for (const { name, connections } of parties) if (connections.size === 0) this.#parties.delete(name)
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function find(connections: ReadonlySet<Connection>, is: (connection: Connection) => boolean): Connection | undefined {
  for (const connection of connections) if (is(connection)) return connection
}

/** True when nothing is asked over it: no request has come yet, or the last one is answered. */
function isAtRest({ response }: Connection): boolean {
  return response === undefined || response.writableFinished || response.destroyed
}

/** True when the service has nothing to do for it until its client sends or reads more. */
function waitsForClient(connection: Connection): boolean {
  const { request, response, isLookedUp } = connection
  if (isLookedUp) return false
  if (isAtRest(connection) || request === undefined || response === undefined) return true
  return !request.complete || response.writableEnded || response.writableNeedDrain
}
