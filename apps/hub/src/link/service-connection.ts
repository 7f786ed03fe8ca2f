import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { HubMessageBody, HubMessageName, ServiceMessage } from '@printyard/protocol/messages'
import { readServiceFrame } from '@printyard/protocol/service-frames'
import { CONNECT_PATH, MAX_FRAME_BYTES, SUBPROTOCOL } from '@printyard/protocol/version'
import { WebSocket } from 'ws'
import type { HubTokens } from '../hub-tokens.ts'
import type { Timings } from '../timings.ts'
import type { Clock } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { explainDistrust, trustIn } from '../util/trust.ts'

type Welcome = Extract<ServiceMessage, { type: 'welcome' }>

export interface ConnectionOptions {
  serviceUrl: string
  tokens: Pick<HubTokens, 'current' | 'moveToNext'>
  /** The authority of its certificate, where that is not one that Node knows. */
  authority?: string | undefined
  clock: Clock
  timings: Timings
  log: Log
  hello(): HubMessageBody<'hello'>
  heartbeat(): HubMessageBody<'heartbeat'>
  /** The service has accepted the connection; from here on everything may be sent. */
  onWelcome(message: Welcome): void
  /** Any message after the welcome but `close`. */
  onMessage(message: ServiceMessage): void
}

/** End of a connection. */
interface Ended {
  /** How long it was a welcomed one. */
  lastedMs: number
  /** The pause that the service asks for before the next. */
  pauseMs: number | undefined
  /** A newer connection of this hub took over. */
  isReplaced: boolean
  /** The service has never answered the greeting, and may yet take it for that of the newest connection. */
  isUnanswered: boolean
}

/** A peer that floods the log would hide everything else in it. */
const MAX_LOGGED_FRAMES = 10
const CLOSE_GOING_AWAY = 1001
const CLOSE_TIMEOUT_MS = 1_000

/** Begins to connect, with the token that the hub has now. */
export function openSocket({ serviceUrl, tokens, authority, timings }: ConnectionOptions): WebSocket {
  return new WebSocket(connectUrl(serviceUrl), [SUBPROTOCOL], {
    headers: { authorization: `Bearer ${tokens.current}` },
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handshakeTimeout: timings.handshakeMs,
    followRedirects: false,
    ...trustIn(authority),
  })
}

/** The WebSocket address that belongs to the service's HTTP address. */
function connectUrl(serviceUrl: string): string {
  const url = new URL(serviceUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${CONNECT_PATH}`
  url.search = ''
  return url.href
}

/** One connection to the service, from beginning to end. */
export class ServiceConnection {
  readonly #socket: WebSocket
  readonly #options: ConnectionOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  #heardAtMs = performance.now()
  #welcomedAtMs: number | undefined
  #isWelcome = false
  #hasGreeted = false
  #isReplaced = false
  #pauseMs: number | undefined
  #loggedFrames = 0

  /** `socket`: one that was opened just now. */
  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
  }

  /** Bytes that wait for the network. */
  get backlogBytes(): number {
    return this.#socket.bufferedAmount
  }

  /** Serves the connection, and resolves when it is over. Never rejects. */
  serve(): Promise<Ended> {
    const { timings } = this.#options
    const socket = this.#socket
    return new Promise((resolve) => {
      socket.on('open', () => {
        this.#hear()
        this.#write('hello', this.#options.hello())
        this.#hasGreeted = true
      })
      socket.on('ping', () => this.#hear())
      socket.on('pong', () => this.#hear())
      socket.on('message', (data, isBinary) => {
        this.#hear()
        if (!isBinary) this.#tryToTake(data.toString())
      })
      socket.on('unexpected-response', (_request, response) => {
        this.#takeRefusal(response)
        socket.terminate()
      })
      socket.on('error', (error) => this.#logFailure(error))
      socket.on('close', () => resolve(this.#end()))
      const intervalMs = Math.max(20, Math.min(timings.silenceMs, timings.handshakeMs) / 3)
      this.#timers.add(setInterval(() => this.#watchSilence(), intervalMs))
    })
  }

  /** Sends a message; false before the welcome and after the end. `id` and `ts` are made here unless they are given. */
  send<N extends HubMessageName>(type: N, body: HubMessageBody<N>, header?: { id: string; ts: string }): boolean {
    if (!this.#isWelcome || this.#socket.readyState !== WebSocket.OPEN) return false
    this.#write(type, body, header)
    return true
  }

  /** Closes with "going away", and without a service that answers by force. */
  leave(): void {
    const { readyState } = this.#socket
    if (readyState === WebSocket.CLOSED) return
    if (readyState === WebSocket.OPEN) this.#socket.close(CLOSE_GOING_AWAY, 'the hub stops')
    else this.#socket.terminate()
    this.#timers.add(setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS))
  }

  #end(): Ended {
    for (const timer of this.#timers) clearInterval(timer)
    this.#isWelcome = false
    const lastedMs = this.#welcomedAtMs === undefined ? 0 : performance.now() - this.#welcomedAtMs
    const isAnswered = this.#welcomedAtMs !== undefined || this.#pauseMs !== undefined
    return {
      lastedMs,
      pauseMs: this.#pauseMs,
      isReplaced: this.#isReplaced,
      isUnanswered: this.#hasGreeted && !isAnswered,
    }
  }

  #write(type: string, body: object, header?: { id: string; ts: string }): void {
    const ts = new Date(this.#options.clock()).toISOString()
    this.#socket.send(JSON.stringify({ type, id: randomUUID(), ts, ...header, ...body }))
  }

  #hear(): void {
    this.#heardAtMs = performance.now()
  }

  #watchSilence(): void {
    const { timings, log } = this.#options
    const silentForMs = performance.now() - this.#heardAtMs
    const isStuck = this.#welcomedAtMs === undefined && silentForMs > timings.handshakeMs
    if (silentForMs > timings.silenceMs || isStuck) {
      log.warn('the service is silent', { for_ms: Math.round(silentForMs) })
      this.#socket.terminate()
    } else if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.ping()
    }
  }

  #tryToTake(text: string): void {
    try {
      this.#take(text)
    } catch (error) {
      this.#options.log.error('a message could not be taken', { problem: describeError(error) })
    }
  }

  #take(text: string): void {
    const read = readServiceFrame(text)
    if (read.kind === 'unknown_type') {
      this.#logFrame('a message of an unknown type is ignored', { type: read.type.slice(0, 64) })
      return
    }
    if (read.kind === 'invalid') {
      this.#logFrame('an invalid message is ignored', { problem: read.problem })
      return
    }
    const { message } = read
    const isFirst = this.#welcomedAtMs === undefined
    if (message.type === 'close') this.#takeLeave(message)
    else if (message.type === 'welcome' && isFirst) this.#takeWelcome(message)
    else if (isFirst || message.type === 'welcome') {
      this.#logFrame('a message out of turn is ignored', { type: message.type })
    } else this.#options.onMessage(message)
  }

  #takeWelcome(message: Welcome): void {
    const { timings, log } = this.#options
    this.#welcomedAtMs = performance.now()
    this.#isWelcome = true
    log.info('the hub is connected', { hub_id: message.hub_id, name: message.hub_name })
    this.#options.onWelcome(message)
    this.#timers.add(setInterval(() => this.#write('heartbeat', this.#options.heartbeat()), timings.heartbeatMs))
  }

  #takeLeave({ reason, message, retry_after_ms }: Extract<ServiceMessage, { type: 'close' }>): void {
    const { timings, log } = this.#options
    this.#pauseMs = retry_after_ms
    if (reason === 'revoked' || reason === 'version_not_supported') {
      this.#pauseMs = Math.max(retry_after_ms, timings.refusedRetryMs)
      log.error('the service refuses this hub', { reason, explanation: message, retry_in_ms: this.#pauseMs })
    } else if (reason === 'replaced') {
      this.#isReplaced = true
      this.#pauseMs = Math.max(retry_after_ms, timings.replacedRetryMs)
      log.warn('another connection with the token of this hub took over', { explanation: message })
    } else {
      log.warn('the service closes the connection', { reason, explanation: message, retry_in_ms: this.#pauseMs })
    }
    this.#socket.close(1000)
  }

  /** The service answered the upgrade by an ordinary answer: what a person has to do follows from its status. */
  #takeRefusal({ statusCode, headers }: IncomingMessage): void {
    const { tokens, timings, log } = this.#options
    if (statusCode === 401 && tokens.moveToNext()) {
      log.warn('the service refuses the token of this hub; the one before it is tried')
    } else if (statusCode === 401 || statusCode === 403) {
      this.#pauseMs = timings.refusedRetryMs
      log.error('the service refuses the token of this hub; join again with a new code', {
        status: statusCode,
        retry_in_ms: this.#pauseMs,
      })
    } else if (statusCode === 421) {
      this.#pauseMs = timings.refusedRetryMs
      log.error('the service takes encrypted connections alone; join again at its https address', {
        retry_in_ms: this.#pauseMs,
      })
    } else {
      log.warn('the service does not accept the connection', { status: statusCode })
      const retryAfterSeconds = Number(headers['retry-after'])
      if (retryAfterSeconds > 0) this.#pauseMs = retryAfterSeconds * 1000
    }
  }

  #logFailure(error: Error): void {
    const distrust = explainDistrust(error)
    // A person has to do something about it, where a service that is away comes back by itself.
    if (distrust === undefined) this.#options.log.info('the connection failed', { problem: describeError(error) })
    else this.#options.log.error('the service is not trusted', { problem: distrust })
  }

  #logFrame(message: string, fields: Record<string, unknown>): void {
    this.#loggedFrames += 1
    if (this.#loggedFrames <= MAX_LOGGED_FRAMES) this.#options.log.warn(message, fields)
  }
}
