import { randomUUID } from 'node:crypto'
import type { HubMessageBody, HubMessageName, ServiceMessage } from '@printyard/protocol/messages'
import { readServiceFrame } from '@printyard/protocol/service-frames'
import { CONNECT_PATH, MAX_FRAME_BYTES, SUBPROTOCOL } from '@printyard/protocol/version'
import { WebSocket } from 'ws'
import type { HubTokens } from '../hub-tokens.ts'
import type { Timings } from '../timings.ts'
import { createBackoff } from '../util/backoff.ts'
import { type Clock, wait } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { explainDistrust, trustIn } from '../util/trust.ts'

export interface LinkOptions {
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
  onWelcome(message: Extract<ServiceMessage, { type: 'welcome' }>): void
  /** Any message after the welcome but `close`. */
  onMessage(message: ServiceMessage): void
  random?: () => number
}

/** The one connection to the service, made again whenever it breaks. */
export interface Link {
  readonly isWelcome: boolean
  readonly stats: Readonly<{ connects: number; unknownTypes: number; invalidFrames: number }>
  start(): void
  /** Sends a message; false when there is no welcomed connection. `id` and `ts` are made here unless they are given. */
  send<N extends HubMessageName>(type: N, body: HubMessageBody<N>, header?: { id: string; ts: string }): boolean
  /** Bytes that wait for the network. */
  readonly backlogBytes: number
  /** Closes with "going away" and ends all timers. */
  stop(): Promise<void>
}

/** A peer that floods the log would hide everything else in it. */
const MAX_LOGGED_FRAMES = 10
const CLOSE_GOING_AWAY = 1001
const CLOSE_TIMEOUT_MS = 1_000
/** Another hub with the same token took over; two that pull at the connection in turns would serve no one. */
const REPLACED_RETRY_MS = 30_000

export function createLink(options: LinkOptions): Link {
  const { clock, timings, log } = options
  const stats = { connects: 0, unknownTypes: 0, invalidFrames: 0 }
  const backoff = createBackoff({
    firstMs: timings.firstRetryMs,
    maxMs: timings.maxRetryMs,
    ...(options.random ? { random: options.random } : {}),
  })
  const stopping = new AbortController()
  let socket: WebSocket | undefined
  let isWelcome = false
  let running: Promise<void> | undefined

  const frame = (type: string, body: object, header?: { id: string; ts: string }) =>
    JSON.stringify({ type, id: randomUUID(), ts: new Date(clock()).toISOString(), ...header, ...body })

  const keepConnected = async () => {
    while (!stopping.signal.aborted) {
      const { lastedMs, pauseMs } = await connectOnce()
      if (stopping.signal.aborted) return
      if (lastedMs >= timings.steadyMs) backoff.reset()
      const delayMs = Math.max(pauseMs ?? 0, backoff.next())
      log.info('the hub connects again', { in_ms: delayMs })
      await wait(delayMs, stopping.signal).catch(() => undefined)
    }
  }

  /** One connection from beginning to end. Never rejects. */
  const connectOnce = () =>
    new Promise<{ lastedMs: number; pauseMs: number | undefined }>((resolve) => {
      const present = new WebSocket(connectUrl(options.serviceUrl), [SUBPROTOCOL], {
        headers: { authorization: `Bearer ${options.tokens.current}` },
        perMessageDeflate: false,
        maxPayload: MAX_FRAME_BYTES,
        handshakeTimeout: timings.handshakeMs,
        followRedirects: false,
        ...trustIn(options.authority),
      })
      socket = present
      let heardAtMs = performance.now()
      let welcomedAtMs: number | undefined
      let pauseMs: number | undefined
      let loggedFrames = 0
      const timers = new Set<NodeJS.Timeout>()
      const hear = () => {
        heardAtMs = performance.now()
      }

      const watchSilence = () => {
        const silentForMs = performance.now() - heardAtMs
        const isStuck = welcomedAtMs === undefined && silentForMs > timings.handshakeMs
        if (silentForMs > timings.silenceMs || isStuck) {
          log.warn('the service is silent', { for_ms: Math.round(silentForMs) })
          present.terminate()
        } else if (present.readyState === WebSocket.OPEN) {
          present.ping()
        }
      }

      const logFrame = (message: string, fields: Record<string, unknown>) => {
        loggedFrames += 1
        if (loggedFrames <= MAX_LOGGED_FRAMES) log.warn(message, fields)
      }

      const welcome = (message: Extract<ServiceMessage, { type: 'welcome' }>) => {
        welcomedAtMs = performance.now()
        stats.connects += 1
        isWelcome = true
        log.info('the hub is connected', { hub_id: message.hub_id, name: message.hub_name })
        options.onWelcome(message)
        timers.add(
          setInterval(() => {
            present.send(frame('heartbeat', options.heartbeat()))
          }, timings.heartbeatMs),
        )
      }

      const takeLeave = ({ reason, message, retry_after_ms }: Extract<ServiceMessage, { type: 'close' }>) => {
        pauseMs = retry_after_ms
        if (reason === 'revoked' || reason === 'version_not_supported') {
          pauseMs = Math.max(retry_after_ms, timings.refusedRetryMs)
          log.error('the service refuses this hub', { reason, explanation: message, retry_in_ms: pauseMs })
        } else if (reason === 'replaced') {
          pauseMs = Math.max(retry_after_ms, Math.min(REPLACED_RETRY_MS, timings.maxRetryMs))
          log.error('another hub connected with the same token', { explanation: message, retry_in_ms: pauseMs })
        } else {
          log.warn('the service closes the connection', { reason, explanation: message, retry_in_ms: pauseMs })
        }
        present.close(1000)
      }

      const take = (text: string) => {
        const read = readServiceFrame(text)
        if (read.kind === 'unknown_type') {
          stats.unknownTypes += 1
          logFrame('a message of an unknown type is ignored', { type: read.type.slice(0, 64) })
          return
        }
        if (read.kind === 'invalid') {
          stats.invalidFrames += 1
          logFrame('an invalid message is ignored', { problem: read.problem })
          return
        }
        const { message } = read
        if (message.type === 'close') takeLeave(message)
        else if (message.type === 'welcome' && welcomedAtMs === undefined) welcome(message)
        else if (welcomedAtMs === undefined || message.type === 'welcome') {
          logFrame('a message out of turn is ignored', { type: message.type })
        } else options.onMessage(message)
      }

      present.on('open', () => {
        hear()
        present.send(frame('hello', options.hello()))
      })
      present.on('ping', hear)
      present.on('pong', hear)
      present.on('message', (data, isBinary) => {
        hear()
        if (isBinary) {
          stats.invalidFrames += 1
          return
        }
        try {
          take(data.toString())
        } catch (error) {
          log.error('a message could not be taken', { problem: describeError(error) })
        }
      })
      present.on('unexpected-response', (_request, response) => {
        if (response.statusCode === 401 && options.tokens.moveToNext()) {
          log.warn('the service refuses the token of this hub; the one before it is tried')
        } else if (response.statusCode === 401 || response.statusCode === 403) {
          pauseMs = timings.refusedRetryMs
          log.error('the service refuses the token of this hub; join again with a new code', {
            status: response.statusCode,
            retry_in_ms: pauseMs,
          })
        } else if (response.statusCode === 421) {
          pauseMs = timings.refusedRetryMs
          log.error('the service takes encrypted connections alone; join again at its https address', {
            retry_in_ms: pauseMs,
          })
        } else {
          log.warn('the service does not accept the connection', { status: response.statusCode })
          const retryAfterSeconds = Number(response.headers['retry-after'])
          if (retryAfterSeconds > 0) pauseMs = retryAfterSeconds * 1000
        }
        present.terminate()
      })
      present.on('error', (error) => {
        const distrust = explainDistrust(error)
        // A person has to do something about it, where a service that is away comes back by itself.
        if (distrust === undefined) log.info('the connection failed', { problem: describeError(error) })
        else log.error('the service is not trusted', { problem: distrust })
      })
      present.on('close', () => {
        for (const timer of timers) clearInterval(timer)
        if (socket === present) {
          socket = undefined
          isWelcome = false
        }
        resolve({ lastedMs: welcomedAtMs === undefined ? 0 : performance.now() - welcomedAtMs, pauseMs })
      })
      timers.add(setInterval(watchSilence, Math.max(20, Math.min(timings.silenceMs, timings.handshakeMs) / 3)))
    })

  return {
    get isWelcome() {
      return isWelcome
    },
    stats,
    start() {
      running ??= keepConnected()
    },
    send(type, body, header) {
      if (!socket || !isWelcome || socket.readyState !== WebSocket.OPEN) return false
      socket.send(frame(type, body, header))
      return true
    },
    get backlogBytes() {
      return socket?.bufferedAmount ?? 0
    },
    async stop() {
      stopping.abort(new Error('the hub stops'))
      const last = socket
      if (last) {
        if (last.readyState === WebSocket.OPEN) last.close(CLOSE_GOING_AWAY, 'the hub stops')
        else last.terminate()
        const timer = setTimeout(() => last.terminate(), CLOSE_TIMEOUT_MS)
        await running
        clearTimeout(timer)
      }
      await running
    },
  }
}

/** The WebSocket address that belongs to the service's HTTP address. */
function connectUrl(serviceUrl: string): string {
  const url = new URL(serviceUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${CONNECT_PATH}`
  url.search = ''
  return url.href
}
