import { connect, type MqttClient } from 'mqtt'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError } from '../driver.ts'
import { parseFrame } from '../wire/text-socket.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { QUESTION_TIMEOUT_MS } from './elegoo-session.ts'
import { createPendingAnswers } from './pending-answers.ts'

const CONNECT_MS = 5_000
const REGISTER_MS = 5_000
const PING_INTERVAL_MS = 10_000
/** The printer drops a client after so long; we give up a printer after the same. */
const SILENCE_MS = 65_000
const USER = 'elegoo'
const lanModeWords = {
  message: 'The printer lets us in and does not register us: its LAN-only mode is off.',
  remedy: "Switch on LAN-only mode in the printer's network settings.",
}

interface Cc2LinkOptions {
  host: string
  port: number
  serial: string
  password: string
  onStatusChange(message: unknown): void
  onAttributes(result: unknown): void
  /** See `DriverContext`. */
  waitFactor: number
  signal: AbortSignal
}

/** A registered client at the broker that runs on the printer. Nothing is ever published twice. */
interface Cc2Link {
  /** The `result` of the answer. Rejects with a `DriverError` `UNREACHABLE` before, `NO_ANSWER` after it was sent. */
  ask(method: number, params: object, signal: AbortSignal, timeoutMs?: number): Promise<unknown>
  readonly closed: Promise<void>
  close(): void
}

/**
 * Connects and registers. Rejects with a `CredentialsRefusedError` for a wrong access code, and with a `DriverError`
 * `REFUSED` when the printer has too many clients already.
 */
export async function openCc2Link(options: Cc2LinkOptions): Promise<Cc2Link> {
  const { host, port, serial, password, waitFactor, signal } = options
  signal.throwIfAborted()
  const clientId = `printyard_${Math.random().toString(36).slice(2, 10)}`
  const requestId = `${clientId}_req`
  const topics = {
    register: `elegoo/${serial}/api_register`,
    registered: `elegoo/${serial}/${requestId}/register_response`,
    request: `elegoo/${serial}/${clientId}/api_request`,
    response: `elegoo/${serial}/${clientId}/api_response`,
    status: `elegoo/${serial}/api_status`,
  }
  // A client for each connection, and none that connects again: what it had not got rid of would be published then.
  const client = connect({
    host,
    port,
    protocol: 'mqtt',
    username: USER,
    password,
    clientId,
    clean: true,
    reconnectPeriod: 0,
    // It would hold a buffer for each of 65,536 numbers: eight megabytes.
    writeCache: false,
    connectTimeout: CONNECT_MS,
    queueQoSZero: false,
    resubscribe: false,
  })
  const pending = createPendingAnswers<number | 'registration'>()
  let nextId = 1
  let silence: NodeJS.Timeout | undefined
  let pinging: NodeJS.Timeout | undefined
  const close = () => client.end(true)
  const onAbort = () => void close()
  signal.addEventListener('abort', onAbort, { once: true })
  const closed = new Promise<void>((resolve) => {
    client.on('close', () => {
      clearTimeout(silence)
      clearInterval(pinging)
      signal.removeEventListener('abort', onAbort)
      pending.lose()
      resolve()
    })
  })
  const hear = () => {
    clearTimeout(silence)
    silence = setTimeout(close, SILENCE_MS * waitFactor)
  }
  client.on('message', (topic, payload) => {
    hear()
    const message = parseFrame(payload.toString())
    if (topic === topics.registered) return pending.give('registration', message)
    if (topic === topics.response) {
      const id = numberIn(memberOf(message, 'id'))
      if (id !== null) pending.give(id, memberOf(message, 'result'))
      return
    }
    const method = numberIn(memberOf(message, 'method'))
    if (method === 6000) options.onStatusChange(message)
    else if (method === 6008) options.onAttributes(memberOf(message, 'result'))
  })

  const publish = (topic: string, message: object) =>
    new Promise<void>((sent, failed) => {
      if (!client.connected) return failed(new DriverError('UNREACHABLE', 'not connected'))
      client.publish(topic, JSON.stringify(message), { qos: 0 }, (error) =>
        error ? failed(new DriverError('NO_ANSWER', error.message, { cause: error })) : sent(),
      )
    })

  try {
    await connected(client, signal)
    hear()
    // A connection that breaks now would leave the subscription waiting for ever.
    const broken = closed.then(() => {
      throw signal.aborted ? signal.reason : new DriverError('UNREACHABLE', 'the printer closed the connection')
    })
    await Promise.race([client.subscribeAsync([topics.registered, topics.response, topics.status]), broken])
    const answer = await pending
      .ask('registration', {
        awaited: 'the registration',
        timeoutMs: REGISTER_MS,
        signal,
        send: () => publish(topics.register, { client_id: clientId, request_id: requestId }),
      })
      .catch((cause: unknown) => {
        // A printer that is not in this mode lets us in and then says nothing.
        const isSilent = client.connected && cause instanceof DriverError && cause.code === 'NO_ANSWER'
        throw isSilent ? new ConnectionProblemError('lan_mode_off', lanModeWords, { cause }) : cause
      })
    const outcome = textIn(memberOf(answer, 'error'), 200) ?? 'fail'
    if (/too many/i.test(outcome)) throw new ConnectionProblemError('too_many_connections')
    if (outcome !== 'ok') throw new DriverError('REFUSED', `the printer does not register us: ${outcome}`)
  } catch (error) {
    close()
    throw error
  }
  // Errors end in a close, and that is told.
  pinging = setInterval(() => {
    publish(topics.request, { type: 'PING' }).catch(() => close())
  }, PING_INTERVAL_MS * waitFactor)

  return {
    closed,
    close,
    ask(method, params, asked, timeoutMs = QUESTION_TIMEOUT_MS) {
      const id = nextId
      nextId += 1
      return pending.ask(id, {
        awaited: `method ${method}`,
        timeoutMs,
        signal: asked,
        send: () => publish(topics.request, { id, method, params }),
      })
    },
  }
}

/** CONNACK codes for a wrong user or password, and for one that may not. */
const refusals: ReadonlySet<unknown> = new Set([4, 5])

function connected(client: MqttClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    client.on('connect', () => resolve())
    client.on('error', (error) => {
      const isRefused = 'code' in error && refusals.has(error.code)
      reject(
        isRefused
          ? new CredentialsRefusedError('credentials refused')
          : new DriverError('UNREACHABLE', `the printer cannot be reached: ${error.message}`, { cause: error }),
      )
    })
    client.on('close', () => {
      reject(signal.aborted ? signal.reason : new DriverError('UNREACHABLE', 'the printer closed the connection'))
    })
  })
}
