import { randomBytes } from 'node:crypto'
import { MqttClient } from 'mqtt'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError } from '../driver.ts'
import { memberOf, wordIn } from '../wire/wire-values.ts'
import { openTrusted, type Trust } from './printer-trust.ts'

export type Group = 'info' | 'pushing' | 'print' | 'system'

/** One connection to a printer's broker. What was sent on it is never sent again on another. */
export interface BambuMqtt {
  /**
   * Sends a command and resolves with the body of its answer, whatever that says. Rejects with a `DriverError`:
   * `UNREACHABLE` when it was certainly not sent, `NO_ANSWER` when it may have been.
   */
  ask(group: Group, command: string, fields: Record<string, unknown>, signal: AbortSignal): Promise<unknown>
  /** Sends a request whose only answer is a report. */
  tell(group: Group, command: string, fields?: Record<string, unknown>): void
  /** The certificate that the printer was believed by, as PEM. */
  readonly certificate: string
  /** Resolves with the reason when the connection is over, no matter who ended it. */
  readonly closed: Promise<string>
  close(reason: string): void
}

export interface BambuMqttOptions {
  host: string
  port: number
  serial: string
  accessCode: string
  trust: Trust
  /** Each message on the report topic; what is no JSON is left out. */
  onMessage(message: unknown): void
  answerTimeoutMs: number
  signal: AbortSignal
}

const HANDSHAKE_MS = 5_000
const KEEP_ALIVE_SECONDS = 30
const MAX_REPORT_BYTES = 2 * 1024 * 1024
/** Telemetry may go on while commands are dropped; so many in a row without an answer mean that. */
const MOST_UNANSWERED = 2

export async function openBambuMqtt(options: BambuMqttOptions): Promise<BambuMqtt> {
  const { serial, accessCode, onMessage, answerTimeoutMs, signal } = options
  const { socket, certificate } = await openTrusted(options, signal)
  // A client of its own for each connection, and no reconnecting inside: the library sends what was not acknowledged once
  // more after a reconnect, even in a clean session, and a stop or a start from minutes ago would reach the printer.
  const client = new MqttClient(() => socket, {
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // It would hold a buffer for each of 65,536 numbers: eight megabytes.
    writeCache: false,
    keepalive: KEEP_ALIVE_SECONDS,
    connectTimeout: HANDSHAKE_MS,
    clientId: `printyard-${randomBytes(6).toString('hex')}`,
    username: 'bblp',
    password: accessCode,
  })
  const waiting = new Map<string, (answer: unknown) => void>()
  const lost = new Set<() => void>()
  let nextSequence = 1
  let unanswered = 0
  let isOver = false
  let announceEnd: (reason: string) => void
  const closed = new Promise<string>((resolve) => {
    announceEnd = resolve
  })

  const close = (reason: string) => {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', onAbort)
    client.end(true)
    socket.destroy()
    for (const tell of [...lost]) tell()
    announceEnd(reason)
  }
  const onAbort = () => close('the driver stops')
  signal.addEventListener('abort', onAbort, { once: true })

  client.on('message', (_topic, payload) => {
    if (isOver || payload.length > MAX_REPORT_BYTES) return
    const message = parse(payload)
    for (const group of ['info', 'print', 'system'] as const) {
      const id = wordIn(memberOf(message, group, 'sequence_id'))
      const command = wordIn(memberOf(message, group, 'command'))
      waiting.get(`${group} ${command} ${id}`)?.(memberOf(message, group))
    }
    onMessage(message)
  })
  client.on('close', () => close('the connection was closed'))

  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      close(error.message)
      reject(error)
    }
    client.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined
      // The broker answers 4 or 5 to a wrong access code, and to a wrong user, which ours is not.
      if (code === 4 || code === 5) return fail(new CredentialsRefusedError('credentials refused: wrong access code'))
      fail(new DriverError('UNREACHABLE', `the printer cannot be reached: ${error.message}`, { cause: error }))
    })
    void closed.then((reason) => fail(new DriverError('UNREACHABLE', reason)))
    client.on('connect', () => {
      client.subscribe(`device/${serial}/report`, { qos: 0 }, (error, granted) => {
        const isRefused = granted?.some(({ qos }) => qos === 128) === true
        if (error || isRefused)
          fail(new DriverError('REFUSED', 'the printer refuses its reports: is the serial right?'))
        else resolve()
      })
    })
  })

  const publish = (group: Group, command: string, sequenceId: string, fields: Record<string, unknown>) => {
    const body = { [group]: { sequence_id: sequenceId, command, ...fields } }
    // At most once would be safer, but a busy printer drops such requests. The end of the connection tells of failures.
    client.publish(`device/${serial}/request`, JSON.stringify(body), { qos: 1 }, () => undefined)
  }
  const takeSequence = () => {
    nextSequence += 1
    return String(nextSequence)
  }

  return {
    certificate,
    closed,
    close,
    tell(group, command, fields = {}) {
      if (!isOver) publish(group, command, takeSequence(), fields)
    },
    ask(group, command, fields, asked) {
      return new Promise((resolve, reject) => {
        if (asked.aborted) return reject(asked.reason)
        if (isOver) return reject(new DriverError('UNREACHABLE', 'not connected'))
        const sequenceId = takeSequence()
        const key = `${group} ${command} ${sequenceId}`
        const end = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(key)
          lost.delete(onLost)
          asked.removeEventListener('abort', onAsked)
          settle()
        }
        const noAnswer = (why: string) => end(() => reject(new DriverError('NO_ANSWER', why)))
        const onLost = () => noAnswer(`the connection broke before ${command} was answered`)
        const onAsked = () => end(() => reject(asked.reason))
        const timer = setTimeout(() => {
          noAnswer(`no answer to ${command} within ${answerTimeoutMs} ms`)
          unanswered += 1
          if (unanswered >= MOST_UNANSWERED) close('the printer answers no commands')
        }, answerTimeoutMs)
        waiting.set(key, (answer) => {
          unanswered = 0
          end(() => resolve(answer))
        })
        lost.add(onLost)
        asked.addEventListener('abort', onAsked, { once: true })
        publish(group, command, sequenceId, fields)
      })
    },
  }
}

/** Bytes that are no UTF-8 become replacement characters: some printers put names of networks and files in as they are. */
function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    // The next full report says it all again.
    return undefined
  }
}
