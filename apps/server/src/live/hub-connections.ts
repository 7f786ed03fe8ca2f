import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { CommandArguments, CommandErrorCode } from '@printyard/protocol/commands'
import type {
  Candidate,
  HubMessage,
  HubMessageBody,
  LookOutcome,
  PrinterSettings,
  ServiceMessageBody,
  ServiceMessageName,
} from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { EJECTION_CAPABILITY, FILAMENT_MAP_CAPABILITY, SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import { newId } from '../kernel/ids.ts'
import { blocksStarts, SETTLE_MS } from './health-entries.ts'
import { createPendingTests, type TestAnswer } from './pending-tests.ts'
import { followTrouble, type Recovery } from './recovery.ts'
import { createStillRequests, type StillAnswer } from './still-requests.ts'

/** One live socket, as far as this module needs it. */
export interface HubSocket {
  send(frame: string): void
  close(code: number, reason: string): void
}

/** A connected hub. Of two connections of one hub the newer one wins. */
export interface HubConnection {
  accountId: string
  hubId: string
  socket: HubSocket
  /** The time that the hub was told in its welcome. */
  connectedAt: Date
  lastHeartbeatAt: Date
  candidates: Candidate[]
  /** Its journal is shorter than it was: what it does not remember may have happened all the same. */
  hasLostJournal: boolean
  /** Of its disk, as its heartbeats tell; undefined before the first. */
  storage?: Recovery
  /** It says at each hello which reports its journal knows, so that the newest one is worth remembering. */
  namesReports?: boolean
  /** What its last heartbeat said is wrong with itself; undefined before the first. */
  problems?: ReportedProblem[]
  /** What it said in its hello that it can do beyond its version. */
  capabilities?: ReadonlySet<string>
  /** The printers that it was told to run: what it says of any other counts for nothing. */
  printerIds: { has(printerId: string): boolean }
}

/** What is known of a printer at this moment, and since when. Kept in memory only: the database never answers for it. */
export interface LivePrinter {
  accountId: string
  hubId: string
  state: PrinterState
  reportedAt: Date
  /** Of what kept it from taking a print, watched for as long as its hub is connected. */
  readiness: Recovery
}

/** An order; its deadline at the hub is set when it is sent. */
export interface CommandToSend<K extends CommandKind = CommandKind> {
  command_id: string
  printer_id: string
  fence: number
  kind: K
  args: CommandArguments<K>
}

/**
 * What came of a command. `pending`: the printer has taken it and carries it out later; when, for people. `offline`: it was never
 * sent. `silent`: it was sent and no answer came in time, or the hub was
 * lost; its fate is not known.
 */
export type CommandAnswer =
  | { kind: 'succeeded'; pending?: string }
  | { kind: 'refused'; code: CommandErrorCode; message: string }
  | { kind: 'offline' }
  | { kind: 'silent'; why: 'timeout' | 'hub_lost' }

export type TelemetryListener = (printerId: string, before: PrinterState | undefined, live: LivePrinter) => void

interface Waiting {
  hubId: string
  settle(answer: CommandAnswer): void
}

export interface HubConnections {
  connectedCount(): number
  /** A connection that was told goodbye is not found any more, although it may take a moment to end. */
  find(hubId: string): HubConnection | undefined
  isOnline(hubId: string): boolean
  /** The hubs connected to this process. */
  listHubIds(): string[]
  /** A newer connection of a hub replaces the older one, which is told so. */
  attach(connection: HubConnection): void
  /** Forgets a connection that ended. False when a newer one had already taken its place. */
  detach(connection: HubConnection): boolean
  send<N extends ServiceMessageName>(hubId: string, type: N, body: ServiceMessageBody<N>): boolean
  configure(hubId: string, printers: PrinterSettings[]): void
  sendCommand(hubId: string, command: CommandToSend, timeoutMs: number): Promise<CommandAnswer>
  /** Hands an answer to whoever waits for it. False when nobody does any more. */
  answerCommand(hubId: string, result: HubMessageBody<'result'>): boolean
  /** Asks a hub once for a picture of a printer's camera. */
  askForStill(hubId: string, printerId: string, timeoutMs: number): Promise<StillAnswer>
  /** Hands a picture, or the reason why there is none, to whoever waits for it. */
  takeStill(hubId: string, answer: HubMessage & { type: 'still' | 'no_still' }): void
  /** Asks a hub to try a connection. */
  testConnection(hubId: string, test: ServiceMessageBody<'test_connection'>, timeoutMs: number): Promise<TestAnswer>
  /** Hands an answer to whoever waits for it. False when nobody does any more. */
  answerTest(hubId: string, answer: HubMessageBody<'connection_tested'>): boolean
  findLive(printerId: string): LivePrinter | undefined
  applyTelemetry(connection: HubConnection, printers: HubMessageBody<'telemetry'>['printers'], at: Date): void
  forgetPrinter(printerId: string): void
  /** The returned function ends it. */
  onTelemetry(listener: TelemetryListener): () => void
  /** Hears when a hub of an account came or went. */
  onPresence(listener: (accountId: string) => void): void
  /** Keeps what a hub has found, and tells those who listen. */
  takeCandidates(connection: HubConnection, found: HubMessageBody<'discovered'>): void
  /** Hears what a hub has found, and what came of a look at an address where one has just ended. */
  onCandidates(listener: (connection: HubConnection, looked: LookOutcome | undefined) => void): void
  closeAll(close: ServiceMessageBody<'close'>): void
  disconnect(hubId: string, close: ServiceMessageBody<'close'>): void
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

const isReady = ({ status, problems = [] }: PrinterState) => status === 'idle' && !problems.some(blocksStarts)

function hasEjection({ args }: CommandToSend): boolean {
  return 'ejection_gcode' in args && args.ejection_gcode !== undefined
}

function hasFilamentMap({ args }: CommandToSend): boolean {
  return 'filament_map' in args && args.filament_map != null
}

/** The hubs connected to this process, what their printers do now, and the commands that wait for an answer. */
export function createHubConnections(): HubConnections {
  const connections = new Map<string, HubConnection>()
  const livePrinters = new Map<string, LivePrinter>()
  const waiting = new Map<string, Waiting>()
  const tests = createPendingTests()
  const listeners = new Set<TelemetryListener>()
  const presenceListeners: ((accountId: string) => void)[] = []
  const candidateListeners: Parameters<HubConnections['onCandidates']>[0][] = []
  const stills = createStillRequests()
  const leaving = new WeakSet<HubConnection>()
  /** When each connection was attached, in ms of the clock that nobody sets. */
  const attachedAtMs = new WeakMap<HubConnection, number>()

  function find(hubId: string): HubConnection | undefined {
    const connection = connections.get(hubId)
    return connection && !leaving.has(connection) ? connection : undefined
  }

  function send<N extends ServiceMessageName>(hubId: string, type: N, body: ServiceMessageBody<N>): boolean {
    const connection = find(hubId)
    connection?.socket.send(serviceFrame(type, body))
    return connection !== undefined
  }

  function tellPresence({ accountId }: HubConnection): void {
    for (const listener of presenceListeners) listener(accountId)
  }

  /**
   * A deadline by the time that the hub was told and has counted on since: a clock of this machine that is set meanwhile
   * would else make every order come too late, or none.
   */
  function deadlineFor(connection: HubConnection, timeoutMs: number): Date {
    const lastedMs = performance.now() - (attachedAtMs.get(connection) ?? performance.now())
    return new Date(connection.connectedAt.getTime() + Math.round(lastedMs) + timeoutMs)
  }

  function endConnection(connection: HubConnection, close: ServiceMessageBody<'close'>): void {
    leaving.add(connection)
    tellPresence(connection)
    connection.socket.send(serviceFrame('close', close))
    connection.socket.close(1012, close.reason)
  }

  return {
    connectedCount: () => connections.size,
    find,
    isOnline: (hubId) => find(hubId) !== undefined,
    listHubIds: () => [...connections.keys()],

    attach(connection) {
      const older = connections.get(connection.hubId)
      connections.set(connection.hubId, connection)
      attachedAtMs.set(connection, performance.now())
      if (older && older !== connection && !leaving.has(older)) endConnection(older, replaced)
      tellPresence(connection)
    },

    detach(connection) {
      if (connections.get(connection.hubId) !== connection) return false
      connections.delete(connection.hubId)
      for (const [id, live] of livePrinters) if (live.hubId === connection.hubId) livePrinters.delete(id)
      for (const wait of [...waiting.values()]) {
        if (wait.hubId === connection.hubId) wait.settle({ kind: 'silent', why: 'hub_lost' })
      }
      stills.loseHub(connection.hubId)
      tests.loseHub(connection.hubId)
      tellPresence(connection)
      return true
    },

    send,

    configure(hubId, printers) {
      const connection = find(hubId)
      if (connection) connection.printerIds = new Set(printers.map((printer) => printer.printer_id))
      send(hubId, 'configure', { printers })
    },

    sendCommand(hubId, command, timeoutMs) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle({ kind: 'silent', why: 'timeout' }), timeoutMs)
        function settle(answer: CommandAnswer): void {
          clearTimeout(timer)
          waiting.delete(command.command_id)
          resolve(answer)
        }
        waiting.set(command.command_id, { hubId, settle })
        const connection = find(hubId)
        if (!connection) return settle({ kind: 'offline' })
        // The hub that the order was written for may have been replaced by one that would drop this part of it.
        if (hasEjection(command) && !connection.capabilities?.has(EJECTION_CAPABILITY)) {
          return settle({ kind: 'refused', code: 'NOT_SUPPORTED', message: 'the hub cannot eject prints' })
        }
        if (hasFilamentMap(command) && !connection.capabilities?.has(FILAMENT_MAP_CAPABILITY)) {
          return settle({ kind: 'refused', code: 'NOT_SUPPORTED', message: 'the hub cannot tell a printer its slots' })
        }
        const deadline = deadlineFor(connection, timeoutMs).toISOString()
        send(hubId, 'command', { ...command, deadline })
      })
    },

    answerCommand(hubId, result) {
      const wait = waiting.get(result.command_id)
      if (wait?.hubId !== hubId) return false
      wait.settle(
        result.ok
          ? { kind: 'succeeded', ...(result.pending && { pending: result.message ?? 'will happen later' }) }
          : { kind: 'refused', code: result.code ?? 'INTERNAL', message: result.message ?? 'no reason given' },
      )
      return true
    },

    async askForStill(hubId, printerId, timeoutMs) {
      // A hub from before there were pictures would not even say no.
      if (find(hubId)?.capabilities?.has(SNAPSHOT_CAPABILITY) === false) {
        return {
          kind: 'refused',
          code: 'NOT_SUPPORTED',
          message: 'its hub is too old to take pictures; update the hub',
        }
      }
      return stills.ask({ hubId, printerId, timeoutMs }, (body) => send(hubId, 'snapshot', body))
    },

    takeStill(hubId, answer) {
      if (answer.type === 'still') stills.takePart(hubId, answer)
      else stills.takeRefusal(hubId, answer)
    },

    testConnection(hubId, test, timeoutMs) {
      const answer = tests.wait(hubId, test.test_id, timeoutMs)
      if (!send(hubId, 'test_connection', test)) tests.loseHub(hubId)
      return answer
    },

    answerTest: tests.answer,

    findLive: (printerId) => livePrinters.get(printerId),

    applyTelemetry(connection, printers, at) {
      if (find(connection.hubId) !== connection) return
      for (const { printer_id, full, state: change } of printers) {
        if (!connection.printerIds.has(printer_id)) continue
        const known = livePrinters.get(printer_id)
        const before = known?.hubId === connection.hubId ? known.state : undefined
        const state = { ...(full || !before ? unknownPrinterState('not reported yet') : before), ...change }
        const readiness = followTrouble(before && known?.readiness, !isReady(state), at, SETTLE_MS)
        const { accountId, hubId } = connection
        const live = { accountId, hubId, state, reportedAt: at, readiness }
        livePrinters.set(printer_id, live)
        for (const listener of listeners) listener(printer_id, before, live)
      }
    },

    forgetPrinter(printerId) {
      livePrinters.delete(printerId)
    },

    onTelemetry(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    onPresence(listener) {
      presenceListeners.push(listener)
    },

    takeCandidates(connection, { candidates, looked }) {
      connection.candidates = candidates
      if (find(connection.hubId) !== connection) return
      for (const listener of candidateListeners) listener(connection, looked)
    },

    onCandidates(listener) {
      candidateListeners.push(listener)
    },

    closeAll(close) {
      for (const connection of connections.values()) endConnection(connection, close)
    },

    disconnect(hubId, close) {
      const connection = find(hubId)
      if (connection) endConnection(connection, close)
    },
  }
}
