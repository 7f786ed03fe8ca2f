import { setTimeout as wait } from 'node:timers/promises'
import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { CommandArguments } from '@printyard/protocol/commands'
import type {
  Candidate,
  LookOutcome,
  PrinterSettings,
  ServiceMessageBody,
  ServiceMessageName,
} from '@printyard/protocol/messages'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { EJECTION_CAPABILITY, FILAMENT_MAP_CAPABILITY, SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import { type AccountId, type CommandId, type HubId, newId, type PrinterId } from '../kernel/ids.ts'
import type { HubMessageBody } from './hub-messages.ts'
import type { PeerReply, Peers } from './peers.ts'
import type { CommandAnswer, PendingAnswers, StillAnswer, TestAnswer } from './pending.ts'
import type { LivePrinters } from './printers.ts'
import type { Recovery } from './recovery.ts'
import type { Stills } from './stills.ts'

/** One live socket, as far as this module needs it. */
export interface HubSocket {
  send(frame: string): void
  close(code: number, reason: string): void
}

/** Known state of a connected hub, whichever process holds its connection. */
export interface ConnectedHub {
  accountId: AccountId
  hubId: HubId
  /** The time that the hub was told in its welcome. */
  connectedAt: Date
  lastHeartbeatAt: Date
  /** The heartbeat that was last written to the database. */
  seenWrittenAt?: Date
  /** Time that its clock is ahead of ours, by its hello or its last heartbeat. */
  aheadMs?: number
  candidates: Candidate[]
  /** Its journal is shorter than it was: what it does not remember may still have happened. */
  hasLostJournal: boolean
  /** Its place in the order of all connections of the hub, from `HubFences.take`. */
  epoch?: number
  /** Trouble of its disk, as its heartbeats tell; undefined before the first. */
  storage?: Recovery
  /** It says at each hello which reports its journal knows, so that the newest one is worth remembering. */
  namesReports?: boolean
  /** Made with the journal of the machine; undefined for agents that do not tell. */
  journalId?: string | undefined
  /** Time when it took the place of another machine that was connected as the same hub. */
  tookOverAt?: Date | undefined
  /** What its last heartbeat said is wrong with itself; undefined before the first. */
  problems?: ReportedProblem[]
  /** What it said in its hello that it can do beyond its version. */
  capabilities?: ReadonlySet<string>
  /** The printers that it was told to run: what it says of any other counts for nothing. */
  printerIds: ReadonlySet<string>
}

/** A hub that is connected to this process. Of two connections of one hub the newer one wins. */
export interface HubConnection extends ConnectedHub {
  socket: HubSocket
}

/** A hub that is connected to another process. */
export interface RemoteHub extends ConnectedHub {
  epoch: number
  /** The process that holds its connection. */
  processId: string
}

/** A command; its deadline at the hub is set when it is sent. */
interface CommandToSend<K extends CommandKind = CommandKind> {
  command_id: CommandId
  printer_id: PrinterId
  fence: number
  kind: K
  args: CommandArguments<K>
}

type CandidatesListener = (connection: ConnectedHub, looked: LookOutcome | undefined) => void

/** Time that a hub that left may be on its way to another process; what is asked of it meanwhile waits for it. */
const handOverMs = 5_000
const lookMs = 25

/** Time that another process may take for what its hub need not answer. */
const peerMs = 2_000

/** A picture on its way between processes. */
type SentStill = { kind: 'still'; data: string } | Exclude<StillAnswer, { kind: 'still' }>

/**
 * The answer of another process, which is of this program, to what may be asked again: a question without an answer counts as not
 * asked.
 */
function fromPeer<T>(reply: PeerReply): T | { kind: 'offline'; isElsewhere: true } {
  return reply.kind === 'answered' ? (reply.answer as T) : { kind: 'offline', isElsewhere: true }
}

/** What an older connection of a hub is told when a newer one takes over. */
export const replaced: ServiceMessageBody<'close'> = {
  reason: 'replaced',
  message: 'A newer connection of this hub took over.',
  retry_after_ms: 60_000,
}

/** One frame to a hub. */
export function serviceFrame<N extends ServiceMessageName>(type: N, body: ServiceMessageBody<N>): string {
  return JSON.stringify({ type, id: newId('frame'), ts: new Date().toISOString(), ...body })
}

function hasEjection({ args }: CommandToSend): boolean {
  return 'ejection_gcode' in args && args.ejection_gcode !== undefined
}

function hasFilamentMap({ args }: CommandToSend): boolean {
  return 'filament_map' in args && args.filament_map != null
}

/** The connected hubs: who is there, on whichever process, and what is sent to those that are connected here. */
export class ConnectedHubs {
  readonly #printers: LivePrinters
  readonly #pending: PendingAnswers
  readonly #stills: Stills
  readonly #peers: Peers
  readonly #connections = new Map<HubId, HubConnection>()
  readonly #remote = new Map<HubId, RemoteHub>()
  readonly #presenceListeners = new Set<(accountId: AccountId) => void>()
  readonly #candidateListeners: CandidatesListener[] = []
  /** Connections that were told goodbye. */
  readonly #leaving = new WeakSet<HubConnection>()
  /** Time when each connection was attached, in ms of the monotonic clock. */
  readonly #attachedAtMs = new WeakMap<HubConnection, number>()
  /** Time when hubs left that may come back to another process at once, in ms of the monotonic clock. */
  readonly #leftAtMs = new Map<HubId, number>()
  #openings = 0

  constructor(live: { printers: LivePrinters; pending: PendingAnswers; stills: Stills; peers: Peers }) {
    this.#printers = live.printers
    this.#pending = live.pending
    this.#stills = live.stills
    this.#peers = live.peers
  }

  /** Number of those that are connected to this process. */
  connectedCount(): number {
    return this.#connections.size
  }

  /** The newest connection of a hub, on whichever process. */
  find(hubId: HubId): ConnectedHub | undefined {
    return this.findElsewhere(hubId) ?? this.findHere(hubId)
  }

  /**
   * The connection of a hub that this process itself holds. One that was told goodbye is not found any more, although it may take a
   * moment to end.
   */
  findHere(hubId: HubId): HubConnection | undefined {
    const connection = this.#connections.get(hubId)
    return connection && !this.#leaving.has(connection) ? connection : undefined
  }

  /** A hub whose newest connection another process holds. */
  findElsewhere(hubId: HubId): RemoteHub | undefined {
    const remote = this.#remote.get(hubId)
    if (remote === undefined) return undefined
    return remote.epoch > (this.findHere(hubId)?.epoch ?? 0) ? remote : undefined
  }

  isOnline(hubId: HubId): boolean {
    return this.find(hubId) !== undefined
  }

  /** The connected hubs, on whichever process. */
  listHubIds(): HubId[] {
    return this.#remote.size === 0
      ? this.listHubIdsHere()
      : [...new Set([...this.#connections.keys(), ...this.#remote.keys()])]
  }

  /** The hubs whose connections this process itself holds. */
  listHubIdsHere(): HubId[] {
    return [...this.#connections.keys()]
  }

  /** The hubs that a process holds which is not this one. */
  listRemote(processId: string): RemoteHub[] {
    return [...this.#remote.values()].filter((remote) => remote.processId === processId)
  }

  /** Takes what another process says of a hub that is connected there. False when a newer connection is known: that counts. */
  takeRemote(remote: RemoteHub): boolean {
    const { hubId, epoch } = remote
    const known = this.#remote.get(hubId)
    if (epoch < Math.max(known?.epoch ?? 0, this.findHere(hubId)?.epoch ?? 0)) return false
    this.#remote.set(hubId, remote)
    if (known?.epoch !== epoch) this.#notifyPresence(remote)
    if (known !== undefined && known.candidates.length + remote.candidates.length > 0) {
      for (const listener of this.#candidateListeners) listener(remote, undefined)
    }
    return true
  }

  /** Forgets a hub that has left the other process; nothing happens when a newer connection is known. */
  dropRemote(hubId: HubId, epoch: number, at: Date): void {
    const known = this.#remote.get(hubId)
    if (known === undefined || known.epoch > epoch) return
    this.#remote.delete(hubId)
    this.#recordLeft(hubId)
    this.#printers.forgetRemoteHub(hubId, at)
    this.#notifyPresence(known)
  }

  /** The next place in the order of connections: of two of one hub the later one wins, however long its welcome takes. */
  takeOpening(): number {
    this.#openings += 1
    return this.#openings
  }

  /**
   * Waits for a hub that left a moment ago and may be on its way to another process, as when one is restarted. Resolves when it and the
   * printer are there, or the time for it is over; at once where there are no other processes.
   */
  async waitForReturn(hubId: HubId, printerId: PrinterId): Promise<void> {
    for (;;) {
      const leftAtMs = this.#leftAtMs.get(hubId)
      if (leftAtMs === undefined) return
      if (performance.now() - leftAtMs > handOverMs) {
        this.#leftAtMs.delete(hubId)
        return
      }
      if (this.isOnline(hubId) && this.#printers.find(printerId)) return
      await wait(lookMs)
    }
  }

  #recordLeft(hubId: HubId): void {
    if (this.#peers.isShared) this.#leftAtMs.set(hubId, performance.now())
  }

  /** Adds a connection. A newer one of a hub replaces the older one, which is told so. */
  attach(connection: HubConnection): void {
    const older = this.#connections.get(connection.hubId)
    this.#connections.set(connection.hubId, connection)
    this.#attachedAtMs.set(connection, performance.now())
    if (older && older !== connection && !this.#leaving.has(older)) this.#end(older, replaced)
    const { hubId, epoch = 0, connectedAt } = connection
    if (epoch > (this.#remote.get(hubId)?.epoch ?? epoch)) this.dropRemote(hubId, epoch, connectedAt)
    this.#notifyPresence(connection)
  }

  /** Forgets a connection that ended. False when a newer one had already taken its place. */
  detach(connection: HubConnection, at = new Date()): boolean {
    const { hubId } = connection
    if (this.#connections.get(hubId) !== connection) return false
    this.#connections.delete(hubId)
    this.#recordLeft(hubId)
    this.#printers.forgetHub(hubId, at)
    this.#pending.loseHub(hubId)
    this.#notifyPresence(connection)
    return true
  }

  send<N extends ServiceMessageName>(hubId: HubId, type: N, body: ServiceMessageBody<N>): boolean {
    const connection = this.findHere(hubId)
    connection?.socket.send(serviceFrame(type, body))
    return connection !== undefined
  }

  configure(hubId: HubId, printers: PrinterSettings[]): void {
    const connection = this.findHere(hubId)
    if (connection) connection.printerIds = new Set(printers.map((printer) => printer.printer_id))
    this.send(hubId, 'configure', { printers })
  }

  sendCommand(hubId: HubId, command: CommandToSend, timeoutMs: number): Promise<CommandAnswer> {
    return this.#pending.wait('command', { hubId, id: command.command_id, timeoutMs }, (settle) => {
      const connection = this.findHere(hubId)
      if (!connection) return settle({ kind: 'offline' })
      // The hub that the command was written for may have been replaced by one that would drop this part of it.
      if (hasEjection(command) && !connection.capabilities?.has(EJECTION_CAPABILITY)) {
        return settle({ kind: 'refused', code: 'NOT_SUPPORTED', message: 'the hub cannot eject prints' })
      }
      if (hasFilamentMap(command) && !connection.capabilities?.has(FILAMENT_MAP_CAPABILITY)) {
        return settle({ kind: 'refused', code: 'NOT_SUPPORTED', message: 'the hub cannot tell a printer its slots' })
      }
      const deadline = this.#deadlineFor(connection, timeoutMs).toISOString()
      this.send(hubId, 'command', { ...command, deadline })
    })
  }

  /** Asks a hub once for a picture of a printer's camera. */
  async askForStill(hubId: HubId, printerId: PrinterId, timeoutMs: number): Promise<StillAnswer> {
    // A hub from before there were pictures would not even say no.
    if (this.find(hubId)?.capabilities?.has(SNAPSHOT_CAPABILITY) === false) {
      const message = 'its hub is too old to take pictures; update the hub'
      return { kind: 'refused', code: 'NOT_SUPPORTED', message }
    }
    const elsewhere = this.findElsewhere(hubId)
    if (elsewhere) {
      const question = { kind: 'still' as const, printer_id: printerId, timeout_ms: timeoutMs }
      const answer = fromPeer<SentStill>(await this.#peers.ask(elsewhere, question, timeoutMs))
      return answer.kind === 'still' ? { kind: 'still', bytes: Buffer.from(answer.data, 'base64') } : answer
    }
    return this.#stills.ask({ hubId, printerId, timeoutMs }, (body) => this.send(hubId, 'snapshot', body))
  }

  /** Asks a hub to try a connection; one at another process only what is sealed for the hub itself. */
  async testConnection(
    hubId: HubId,
    test: ServiceMessageBody<'test_connection'>,
    timeoutMs: number,
  ): Promise<TestAnswer> {
    const elsewhere = this.findElsewhere(hubId)
    if (elsewhere) {
      if (test.sealed_connection === undefined) return { kind: 'offline', isElsewhere: true }
      const question = { kind: 'connection_test' as const, test, timeout_ms: timeoutMs }
      return fromPeer<TestAnswer>(await this.#peers.ask(elsewhere, question, timeoutMs))
    }
    return this.#pending.wait('connection_test', { hubId, id: test.test_id, timeoutMs }, (settle) => {
      if (!this.send(hubId, 'test_connection', test)) settle({ kind: 'offline' })
    })
  }

  /** Has a hub look for printers, on whichever process it is. */
  async discover(hubId: HubId, address?: string): Promise<{ kind: 'done' } | { kind: 'offline'; isElsewhere?: true }> {
    const elsewhere = this.findElsewhere(hubId)
    if (!elsewhere) {
      return { kind: this.send(hubId, 'discover', address === undefined ? {} : { address }) ? 'done' : 'offline' }
    }
    const reply = await this.#peers.ask(elsewhere, { kind: 'discover', address: address ?? null }, peerMs)
    return reply.kind === 'answered' ? { kind: 'done' } : { kind: 'offline', isElsewhere: true }
  }

  /** Tells a hub, on whichever process it is, to let go of attempts. One that does not hear of it is told at its next hello. */
  release(hubId: HubId, attempts: ServiceMessageBody<'release'>['attempts']): void {
    const elsewhere = this.findElsewhere(hubId)
    if (elsewhere) void this.#peers.ask(elsewhere, { kind: 'release', attempts }, peerMs)
    else this.send(hubId, 'release', { attempts })
  }

  /** Has a hub connect again, on whichever process it is, so that it is asked what its journal knows. */
  reconnect(hubId: HubId, message: string): void {
    const elsewhere = this.findElsewhere(hubId)
    if (elsewhere) void this.#peers.ask(elsewhere, { kind: 'disconnect', message }, peerMs)
    else this.disconnect(hubId, { reason: 'stale', message, retry_after_ms: 0 })
  }

  /** Takes what a hub reports of its printers; a connection that was told goodbye reports nothing any more. */
  applyTelemetry(connection: HubConnection, printers: HubMessageBody<'telemetry'>['printers'], at: Date): void {
    const isNewest = this.find(connection.hubId) === connection
    if (isNewest) this.#printers.apply(connection, printers, at)
  }

  /** Adds a listener for hubs of an account that come and go. The returned function ends it. */
  onPresence(listener: (accountId: AccountId) => void): () => void {
    this.#presenceListeners.add(listener)
    return () => this.#presenceListeners.delete(listener)
  }

  /** Keeps what a hub has found, and tells the listeners. */
  takeCandidates(connection: HubConnection, { candidates, looked }: HubMessageBody<'discovered'>): void {
    connection.candidates = candidates
    if (this.findHere(connection.hubId) !== connection) return
    for (const listener of this.#candidateListeners) listener(connection, looked)
  }

  /** Adds a listener for what hubs have found, and for what came of a look at an address where one has just ended. */
  onCandidates(listener: CandidatesListener): void {
    this.#candidateListeners.push(listener)
  }

  closeAll(close: ServiceMessageBody<'close'>): void {
    for (const connection of this.#connections.values()) this.#end(connection, close)
  }

  disconnect(hubId: HubId, close: ServiceMessageBody<'close'>): void {
    const connection = this.findHere(hubId)
    if (connection) this.#end(connection, close)
  }

  #end(connection: HubConnection, close: ServiceMessageBody<'close'>): void {
    this.#leaving.add(connection)
    this.#recordLeft(connection.hubId)
    this.#notifyPresence(connection)
    connection.socket.send(serviceFrame('close', close))
    connection.socket.close(1012, close.reason)
  }

  #notifyPresence({ accountId }: ConnectedHub): void {
    this.#printers.markStatuses(accountId)
    for (const listener of this.#presenceListeners) listener(accountId)
  }

  /**
   * A deadline by the time that the hub was told and has counted on since: a clock of this machine that is set meanwhile
   * would else make every command come too late, or none.
   */
  #deadlineFor(connection: HubConnection, timeoutMs: number): Date {
    const lastedMs = performance.now() - (this.#attachedAtMs.get(connection) ?? performance.now())
    return new Date(connection.connectedAt.getTime() + Math.round(lastedMs) + timeoutMs)
  }
}
