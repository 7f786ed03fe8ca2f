import type { ServiceMessageBody } from '@printyard/protocol/messages'
import { OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION } from '@printyard/protocol/version'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../context/context.ts'
import type { AccountId } from '../kernel/ids.ts'
import { StaleConnectionError } from '../live/fences.ts'
import type { Named } from '../live/hub-messages.ts'
import { type HubConnection, replaced, serviceFrame } from '../live/hubs.ts'
import {
  type Hello,
  type HubIdentity,
  readWelcome,
  recordArrival,
  recordDeparture,
} from '../modules/hub-reports/arrival.ts'
import { compareHello } from '../modules/hub-reports/compare-hello.ts'
import { clockAheadMs } from '../modules/hub-reports/hub-clock.ts'
import { type HubReport, reactionTo } from '../modules/hub-reports/reactions.ts'
import { admitHubKey } from '../modules/hubs/hub-key.ts'
import { sendMissedSettings } from '../modules/printers/send-settings.ts'
import { takeAccountBudget } from './account-budgets.ts'
import { type HubFrame, HubLine, type HubWire } from './hub-line.ts'
import { TelemetryGate } from './telemetry-gate.ts'
import { renewTokenOf } from './token-renewals.ts'
import { Turns } from './turns.ts'

/** A hub that has not said hello by then is no hub. */
const helloTimeoutMs = 10_000

/** Frames that wait for the database; beyond it the hub is told to come again. */
const maxWaitingFrames = 2_000

/**
 * Hubs that are welcomed at once. A thousand that come back together would else stand before every request at the connections to the
 * database. One whose statements hang counts for as long as a statement may take.
 */
export const welcomeLimits = { atOnce: 4, longestMs: 10_000 }

const makeWelcomes = () => new Turns<AccountId>(welcomeLimits)

type Telemetry = Named<'telemetry'>

/** Says that the hub is to come again soon. */
const comeAgain = (message: string): ServiceMessageBody<'close'> => ({
  reason: 'service_restart',
  message,
  retry_after_ms: 2_000,
})

/** Runs one connection of a hub, from its hello to its end. */
export function runHubSession(
  context: Context,
  wire: HubWire,
  hub: HubIdentity,
  confirmToken: () => Promise<boolean>,
): void {
  new HubSession(context, wire, hub, confirmToken).start()
}

/** One connection of a hub. What its messages mean is said in `reactions`; here is when they are taken, and in which order. */
class HubSession {
  readonly #context: Context
  readonly #hub: HubIdentity
  readonly #confirmToken: () => Promise<boolean>
  readonly #log: FastifyBaseLogger
  readonly #line: HubLine
  readonly #leaveBudget: () => void
  readonly #telemetry: TelemetryGate
  readonly #opening: number
  /** Its place among all connections of the hub, on whichever process; undefined before its hello. */
  #epoch: number | undefined
  #connection: HubConnection | undefined
  #helloTimer: NodeJS.Timeout | undefined
  #hasSaidHello = false
  #waitingFrames = 0
  #hasLeft = false
  /** The end of the last turn: reports and results are stored one after another, in the order in which the hub sent them. */
  #stored: Promise<void> = Promise.resolve()

  constructor(context: Context, wire: HubWire, hub: HubIdentity, confirmToken: () => Promise<boolean>) {
    this.#context = context
    this.#hub = hub
    this.#confirmToken = confirmToken
    this.#log = context.log.child({ hub_id: hub.hubId })
    const ofAccount = takeAccountBudget(context, hub.accountId)
    this.#leaveBudget = ofAccount.leave
    this.#line = new HubLine(wire, this.#log, ofAccount.budget)
    this.#telemetry = new TelemetryGate({
      has: (printerId) => this.#connection?.printerIds.has(printerId) === true,
      apply: (reports) => {
        if (this.#connection) context.hubs.applyTelemetry(this.#connection, reports, context.clock.now())
      },
    })
    this.#opening = context.hubs.takeOpening()
  }

  start(): void {
    this.#line.open({ frame: (frame) => this.#take(frame), end: () => this.#leave() })
    this.#helloTimer = setTimeout(
      () => this.#close({ reason: 'bad_message', message: 'No hello came.', retry_after_ms: 5_000 }),
      helloTimeoutMs,
    )
  }

  #take(frame: HubFrame): void {
    if (frame.kind === 'message') {
      if (frame.message.type === 'hello') this.#greet(frame.message)
      else this.#react(frame.message)
    } else if (frame.kind === 'invalid') {
      this.#log.warn({ problem: frame.problem }, 'a hub sent a frame that cannot be read')
      this.#close({ reason: 'bad_message', message: frame.problem.slice(0, 500), retry_after_ms: 5_000 })
    }
  }

  #greet(hello: Hello): void {
    clearTimeout(this.#helloTimer)
    if (this.#hasSaidHello) return
    this.#hasSaidHello = true
    const aheadMs = clockAheadMs(hello, this.#context.clock.now()) ?? 0
    const welcomes = this.#context.memory.hold(makeWelcomes, undefined)
    const welcome = () => this.#welcome(hello, aheadMs)
    const isWaiting = () => !this.#hasLeft
    this.#inTurn(() => welcomes.run(this.#hub.accountId, welcome, isWaiting), {
      words: 'a hub could not be welcomed',
      close: comeAgain('The service is not ready.'),
    })
  }

  #react(message: HubReport | Telemetry): void {
    if (!this.#connection) return
    if (message.type === 'telemetry') {
      this.#telemetry.take(message.printers)
      return
    }
    const at = this.#context.clock.now()
    const from = { connection: this.#connection, log: this.#log, takeLogLine: () => this.#line.takeLogLine() }
    const reaction = reactionTo(message)
    if (reaction.isStored) this.#store(message.id, async () => reaction.react(this.#context, from, message, at))
    else void reaction.react(this.#context, from, message, at)
  }

  /**
   * Stores what a frame says, then acknowledges it. What could not be stored is sent again after a reconnect, and so is what
   * waited here when the hub was replaced: it must not be taken after what was decided without it.
   */
  #store(frameId: string, work: () => Promise<void>): void {
    this.#waitingFrames += 1
    if (this.#waitingFrames > maxWaitingFrames) {
      this.#close(comeAgain('Too much to store at once.'))
      return
    }
    const turn = async () => {
      if (this.#isPresent()) {
        await work()
        this.#line.sendNow(serviceFrame('ack', { ids: [frameId] }))
      }
    }
    this.#inTurn(() => turn().finally(() => this.#waitingFrames--), {
      words: 'what a hub reported could not be stored; it is asked to come again',
      close: comeAgain('It could not be stored.'),
    })
  }

  #inTurn(work: () => Promise<unknown>, onError: { words: string; close: ServiceMessageBody<'close'> }): void {
    this.#stored = this.#stored.then(work).then(
      () => undefined,
      (error: unknown) => {
        const isReplaced = error instanceof StaleConnectionError
        if (!isReplaced) this.#log.warn({ err: error }, onError.words)
        this.#close(isReplaced ? replaced : onError.close)
      },
    )
  }

  async #welcome(hello: Hello, aheadMs: number): Promise<void> {
    const { accountId, hubId, name } = this.#hub
    const now = this.#context.clock.now()
    // The stop may have started while it waited, and those that are connected have been told.
    if (this.#context.isDraining()) {
      this.#close({
        ...comeAgain('The service is restarting.'),
        retry_after_ms: this.#context.peers.isShared ? 0 : 1_000,
      })
      return
    }
    if (hello.protocol_version < OLDEST_PROTOCOL_VERSION || hello.protocol_version > PROTOCOL_VERSION) {
      this.#close({
        reason: 'version_not_supported',
        message: `This service speaks version ${OLDEST_PROTOCOL_VERSION} to ${PROTOCOL_VERSION} of the hub protocol.`,
        retry_after_ms: 300_000,
      })
      return
    }
    if (!(await admitHubKey(this.#context, this.#hub, hello.public_key))) {
      this.#log.warn('a machine with the token of this hub and another key was refused')
      this.#close({
        reason: 'revoked',
        message: 'The hub joined with another key. Make a new join code, and join again on this machine.',
        retry_after_ms: 300_000,
      })
      return
    }
    // One that left would put out the newer connection that its hub has made since.
    if (this.#hasLeft) return
    this.#epoch = await this.#context.fences.take(this.#hub, this.#opening)
    const hasLostJournal = await compareHello(this.#context, { ...this.#hub, epoch: this.#epoch }, hello, now)
    if (hasLostJournal) this.#log.warn('the journal of a hub was lost; what it does not remember is not believed')
    const older = this.#context.hubs.find(hubId)
    const isOther = older !== undefined && (older.journalId === undefined || older.journalId !== hello.journal_id)
    const known = await this.#takeOver(this.#epoch)
    if (this.#hasLeft) return
    if (!known) {
      this.#close(replaced)
      return
    }
    const connection: HubConnection = {
      accountId,
      hubId,
      socket: this.#line,
      connectedAt: now,
      lastHeartbeatAt: now,
      aheadMs,
      candidates: [],
      hasLostJournal,
      epoch: this.#epoch,
      journalId: hello.journal_id,
      tookOverAt: isOther ? now : undefined,
      namesReports: hello.known_reports !== undefined,
      capabilities: new Set(hello.capabilities),
      printerIds: new Set(known.told.printers.map((printer) => printer.printer_id)),
    }
    this.#connection = connection
    this.#context.hubs.attach(connection)
    // Another process may have let one in meanwhile, before this one would have heard that it is not the newest.
    if ((await this.#context.fences.findStale([connection])).length > 0) {
      this.#close(replaced)
      return
    }
    // A token may have been replaced while this connection was being welcomed; who replaced it looked too early.
    if (!(await this.#confirmToken())) {
      const message = 'The token of this hub was replaced.'
      this.#context.hubs.disconnect(hubId, { reason: 'revoked', message, retry_after_ms: 300_000 })
      return
    }
    if (this.#hasLeft) return
    const welcome = { hub_id: hubId, hub_name: name, server_time: now.toISOString(), ...known.told }
    this.#line.sendNow(serviceFrame('welcome', welcome))
    this.#line.sendHeld()
    await recordArrival(this.#context, connection, hello, this.#log)
    await sendMissedSettings(this.#context, accountId, hubId, known.printers)
    await renewTokenOf(this.#context, connection)
    this.#log.info({ printers: known.printers.length, settle: known.told.settle.length }, 'hub connected')
  }

  /**
   * Ends an older connection, then reads what the newer one is told. In this order, so that every attempt whose start was
   * given to the older one stands among those to be settled. Undefined when this one is not the newest any more.
   */
  async #takeOver(epoch: number) {
    const { hubs } = this.#context
    const { hubId } = this.#hub
    for (;;) {
      const present = hubs.findHere(hubId)
      if (this.#hasLeft || (present?.epoch ?? 0) > epoch) return undefined
      hubs.disconnect(hubId, replaced)
      const known = await readWelcome(this.#context, this.#hub)
      if (!hubs.findHere(hubId)) return known
    }
  }

  /** A hub may have been replaced or told goodbye before its socket ends. */
  #isPresent(): boolean {
    const { hubs } = this.#context
    return !this.#hasLeft && this.#connection !== undefined && hubs.findHere(this.#hub.hubId) === this.#connection
  }

  #close(body: ServiceMessageBody<'close'>): void {
    this.#leave()
    this.#line.refuse(body)
  }

  /** From here on the hub counts as gone: nothing is sent to it, and nothing that it has sent is taken any more. */
  #leave(): void {
    this.#hasLeft = true
    this.#line.leave()
    this.#leaveBudget()
    this.#telemetry.close()
    clearTimeout(this.#helloTimer)
    if (!this.#connection || !this.#context.hubs.detach(this.#connection, this.#context.clock.now())) return
    this.#log.info('hub disconnected')
    recordDeparture(this.#context, this.#connection).catch((error: unknown) => {
      // A newer connection of it was let in elsewhere: the hub is there.
      if (error instanceof StaleConnectionError) return
      if (!this.#context.isDraining()) this.#log.warn({ err: error }, 'the end of a connection could not be recorded')
    })
  }
}
