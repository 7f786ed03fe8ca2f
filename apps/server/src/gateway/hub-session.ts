import { readHubFrame } from '@printyard/protocol/hub-frames'
import type { HubMessage, ServiceMessageBody } from '@printyard/protocol/messages'
import { HEARTBEAT_INTERVAL_MS, OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION } from '@printyard/protocol/version'
import type { RawData, WebSocket } from 'ws'
import type { Context } from '../context/context.ts'
import { type HubConnection, replaced, serviceFrame } from '../live/hub-connections.ts'
import { followTrouble } from '../live/recovery.ts'
import { listLiveAttemptsOfHub } from '../modules/attempts/attempts.queries.ts'
import { recordEvent } from '../modules/events/events.queries.ts'
import { believable, compareHello } from '../modules/hub-reports/compare-hello.ts'
import { noteHubSeen } from '../modules/hubs/hubs.queries.ts'
import { recordAttemptReport } from '../modules/jobs/life/attempts.service.ts'
import { honourCancels } from '../modules/jobs/life/cancel-job.ts'
import { recordLateResult } from '../modules/jobs/life/late-result.ts'
import { releaseEnded } from '../modules/jobs/life/release-ended.ts'
import { readPrinterSettings } from '../modules/printers/send-settings.ts'
import { followMovedPrinter } from '../modules/printers/settings/moved-printer.ts'
import { createFrameBudget } from './frame-budget.ts'
import { hubProblems, isOfStorage } from './hub-problems.ts'

/** A hub that has not said hello by then is no hub. */
const helloTimeoutMs = 10_000

/** Nothing heard for this long, pings included: the connection is dead although nobody closed it. */
const silenceTimeoutMs = 3 * HEARTBEAT_INTERVAL_MS

/** Frames that wait for the database; beyond it the hub is told to come again. */
const maxWaitingFrames = 2_000

/** In which order connections were opened: of two of one hub the later one wins, however long its welcome takes. */
const openings = new WeakMap<HubConnection, number>()
let openingsSoFar = 0

/** Which hub a socket belongs to, as its token says. */
export interface HubIdentity {
  accountId: string
  hubId: string
  name: string
}

/** One connection of a hub, from its hello to its end. As thin as a route: read, call a service, answer. */
export function runHubSession(
  context: Context,
  socket: WebSocket,
  hub: HubIdentity,
  isTokenValid: () => Promise<boolean>,
): void {
  const log = context.log.child({ hub_id: hub.hubId })
  const budget = createFrameBudget()
  openingsSoFar += 1
  const opening = openingsSoFar
  let connection: HubConnection | undefined
  let lastHeardAt = performance.now()
  let waitingFrames = 0
  let isNotingSeen = false
  let hasLeft = false
  /** How far the clock of the hub is ahead of ours, by the last frame that was dated as it was sent. */
  let hubAheadMs = 0
  // Reports and results are stored one after another, in the order in which the hub sent them.
  let stored: Promise<void> = Promise.resolve()

  const send = (frame: string) => {
    if (socket.readyState === socket.OPEN) socket.send(frame)
  }
  // A hub ignores what comes before its welcome: an order that is sent meanwhile follows it.
  let held: string[] | undefined = []
  const sendOrHold = (frame: string) => {
    if (held) held.push(frame)
    else send(frame)
  }
  const sendHeld = () => {
    for (const frame of held ?? []) send(frame)
    held = undefined
  }
  const close = (body: ServiceMessageBody<'close'>) => {
    leave()
    send(serviceFrame('close', body))
    socket.close(1008, body.reason)
  }
  /** From here on the hub counts as gone: nothing is sent to it, and nothing that it has sent is taken any more. */
  function leave(): void {
    hasLeft = true
    clearTimeout(helloTimer)
    clearInterval(aliveTimer)
    if (!connection || !context.hubs.detach(connection)) return
    log.info('hub disconnected')
    recordEvent(context.db.sql, hub.accountId, {
      type: 'hub.disconnected',
      subjectId: hub.hubId,
      data: {},
      actor: `hub:${hub.hubId}`,
    }).catch((error: unknown) => {
      if (!context.isDraining()) log.warn({ err: error }, 'the end of a connection could not be recorded')
    })
  }
  const helloTimer = setTimeout(
    () => close({ reason: 'bad_message', message: 'No hello came.', retry_after_ms: 5_000 }),
    helloTimeoutMs,
  )
  const aliveTimer = setInterval(() => {
    if (performance.now() - lastHeardAt > silenceTimeoutMs) socket.terminate()
    else socket.ping()
  }, HEARTBEAT_INTERVAL_MS)

  /** Reads nothing more from the socket for a while: what the hub sends waits at the hub, and nobody else does. */
  function holdBack(ms: number): void {
    if (ms <= 0 || socket.isPaused) return
    log.warn({ ms }, 'a hub sends more than its connection may; it is held back')
    socket.pause()
    setTimeout(() => {
      // What it said meanwhile was not heard, and it was not silent.
      lastHeardAt = performance.now()
      socket.resume()
    }, ms).unref()
  }

  /** A hub may have been replaced or told goodbye before its socket ends. */
  const isPresent = () => !hasLeft && connection !== undefined && context.hubs.find(hub.hubId) === connection

  /**
   * Stores what a frame says, then acknowledges it. What could not be stored is sent again after a reconnect, and so is what
   * waited here when the hub was replaced: it must not be taken after what was decided without it.
   */
  function store(frameId: string, work: () => Promise<void>): void {
    waitingFrames += 1
    if (waitingFrames > maxWaitingFrames) {
      close({ reason: 'service_restart', message: 'Too much to store at once.', retry_after_ms: 2_000 })
      return
    }
    stored = stored
      .then(async () => {
        if (!isPresent()) return
        await work()
        send(serviceFrame('ack', { ids: [frameId] }))
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'what a hub reported could not be stored; it is asked to come again')
        close({ reason: 'service_restart', message: 'It could not be stored.', retry_after_ms: 2_000 })
      })
      .finally(() => {
        waitingFrames -= 1
      })
  }

  /**
   * Ends an older connection, then reads what the newer one is told. In this order, so that every attempt whose start was
   * given to the older one stands among those to be settled. Undefined when this one is not the newest any more.
   */
  async function takeOver({ accountId, hubId }: HubIdentity) {
    for (;;) {
      const present = context.hubs.find(hubId)
      if (hasLeft || (present && (openings.get(present) ?? 0) > opening)) return undefined
      context.hubs.disconnect(hubId, replaced)
      const [printers, settle] = await Promise.all([
        readPrinterSettings(context, context.db.sql, accountId, hubId),
        listLiveAttemptsOfHub(context.db.sql, accountId, hubId),
      ])
      if (!context.hubs.find(hubId)) return { printers, settle }
    }
  }

  async function welcome(hello: HubMessage & { type: 'hello' }): Promise<void> {
    const { accountId, hubId } = hub
    const now = context.clock.now()
    if (hello.protocol_version < OLDEST_PROTOCOL_VERSION || hello.protocol_version > PROTOCOL_VERSION) {
      close({
        reason: 'version_not_supported',
        message: `This service speaks version ${OLDEST_PROTOCOL_VERSION} to ${PROTOCOL_VERSION} of the hub protocol.`,
        retry_after_ms: 300_000,
      })
      return
    }
    await noteHubSeen(context.db.sql, accountId, hubId, {
      at: now,
      firmware_version: hello.agent_version,
      hardware_version: hello.hardware_version,
    })
    const hasLostJournal = await compareHello(context, hub, hello)
    if (hasLostJournal) log.warn('the journal of a hub was lost; what it does not remember is not believed')
    const known = await takeOver(hub)
    if (hasLeft) return
    if (!known) {
      close(replaced)
      return
    }
    const { printers, settle } = known
    connection = {
      accountId,
      hubId,
      socket: {
        send: sendOrHold,
        close(code, reason) {
          sendHeld()
          socket.close(code, reason)
        },
      },
      connectedAt: now,
      lastHeartbeatAt: now,
      candidates: [],
      hasLostJournal,
      namesReports: hello.known_reports !== undefined,
      capabilities: new Set(hello.capabilities),
      printerIds: new Set(printers.map((printer) => printer.printer_id)),
    }
    openings.set(connection, opening)
    context.hubs.attach(connection)
    // A token may have been replaced while this connection was being welcomed; whoever replaced it looked too early.
    if (!(await isTokenValid())) {
      context.hubs.disconnect(hubId, {
        reason: 'revoked',
        message: 'The token of this hub was replaced.',
        retry_after_ms: 300_000,
      })
      return
    }
    if (hasLeft) return
    send(
      serviceFrame('welcome', {
        hub_id: hubId,
        hub_name: hub.name,
        server_time: now.toISOString(),
        printers,
        settle,
      }),
    )
    sendHeld()
    // Not waited for: the answers of the hub are read after this.
    honourCancels(context, { accountId, hubId }).catch((error: unknown) => {
      log.warn({ err: error }, 'what was cancelled while the hub was away is told later')
    })
    releaseEnded(context, { accountId, hubId }, hello.open_attempts).catch((error: unknown) => {
      log.warn({ err: error }, 'what is over is told to the hub at its next connection')
    })
    context.hubs.applyTelemetry(
      connection,
      hello.printers.map(({ printer_id, state }) => ({ printer_id, full: true, state })),
      now,
    )
    await recordEvent(context.db.sql, accountId, {
      type: 'hub.connected',
      subjectId: hubId,
      data: { agent_version: hello.agent_version },
      actor: `hub:${hubId}`,
    })
    log.info({ printers: printers.length, settle: settle.length }, 'hub connected')
  }

  function receive(message: HubMessage): void {
    if (message.type === 'hello' || message.type === 'heartbeat') {
      const sentAt = Date.parse(message.ts)
      if (Number.isFinite(sentAt)) hubAheadMs = sentAt - context.clock.now().getTime()
    }
    if (message.type === 'hello') {
      clearTimeout(helloTimer)
      if (connection) return
      stored = stored
        .then(() => welcome(message))
        .catch((error: unknown) => {
          log.warn({ err: error }, 'a hub could not be welcomed')
          close({ reason: 'service_restart', message: 'The service is not ready.', retry_after_ms: 2_000 })
        })
      return
    }
    if (!connection) return
    const { accountId, hubId } = hub
    const now = context.clock.now()
    switch (message.type) {
      case 'heartbeat':
        connection.lastHeartbeatAt = now
        connection.problems = hubProblems(message, now)
        connection.storage = followTrouble(connection.storage, connection.problems.some(isOfStorage), now)
        // One at a time: heartbeats in a flood, or before a slow database, must not pile up.
        if (isNotingSeen) break
        isNotingSeen = true
        noteHubSeen(context.db.sql, accountId, hubId, { at: now })
          .catch((error: unknown) => {
            log.warn({ err: error }, 'a heartbeat could not be recorded')
          })
          .finally(() => {
            isNotingSeen = false
          })
        break
      case 'telemetry':
        context.hubs.applyTelemetry(connection, message.printers, now)
        break
      case 'attempt':
        store(message.id, async () => {
          const messageId = connection?.namesReports ? message.id : undefined
          const report = believable(message.report, connection)
          await recordAttemptReport(context, accountId, hubId, report, { messageId, hubAheadMs })
        })
        break
      case 'result':
        // In its turn: whoever waits for the answer must find stored what the hub reported before it.
        store(message.id, async () => {
          if (context.hubs.answerCommand(hubId, message)) return
          await recordLateResult(context, accountId, hubId, message, now)
        })
        break
      case 'still':
      case 'no_still':
        context.hubs.takeStill(hubId, message)
        break
      case 'discovered':
        context.hubs.takeCandidates(connection, message)
        break
      case 'connection_tested':
        context.hubs.answerTest(hubId, message)
        break
      case 'printer_moved':
        store(message.id, () => followMovedPrinter(context, accountId, hubId, message))
        break
      case 'log': {
        const line = budget.takeLogLine(performance.now())
        if (!line.isWritten) break
        if (line.leftOut > 0) log.warn({ lines: line.leftOut }, 'a hub sent too many lines; some were left out')
        log[message.level]({ printer_id: message.printer_id }, message.message)
        break
      }
    }
  }

  socket.on('message', (data, isBinary) => {
    lastHeardAt = performance.now()
    if (hasLeft) return
    holdBack(budget.take(sizeOf(data), lastHeardAt))
    const frame = isBinary ? { kind: 'invalid' as const, problem: 'binary' } : readHubFrame(String(data))
    if (frame.kind === 'message') receive(frame.message)
    else if (frame.kind === 'invalid') {
      log.warn({ problem: frame.problem }, 'a hub sent a frame that cannot be read')
      close({ reason: 'bad_message', message: frame.problem.slice(0, 500), retry_after_ms: 5_000 })
    }
  })
  socket.on('pong', () => {
    lastHeardAt = performance.now()
  })
  socket.on('error', (error) => {
    log.warn({ err: error }, 'the connection of a hub failed')
  })
  socket.on('close', leave)
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength
}
