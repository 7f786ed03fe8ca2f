import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectSecure } from 'node:tls'
import type { TargetPolicy } from '../../../kernel/target-policy.ts'
import type { ResolveHost } from '../../outbound/resolve-host.ts'
import { type BrokerAddress, findBrokerAddress } from './broker-address.ts'

const connectMs = 10_000
const keepAliveSeconds = 15

/** A broker that takes a message and does not confirm it is away: nothing is queued for it. */
const confirmMs = 10_000
const largestMessage = 64 * 1024

/** Reason why there is no connection. `refused`: the broker does not let us in, and asking soon changes nothing. */
export class BrokerProblem extends Error {
  readonly isRefusal: boolean

  constructor(message: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'BrokerProblem'
    this.isRefusal = isRefusal
  }
}

export interface BrokerSettings {
  username?: string
  password?: string
  /** Certificate of the authority that the broker's certificate is of, as PEM; without it those that Node.js knows. */
  ca?: string
}

interface Received {
  topic: string
  payload: Buffer
  isRetained: boolean
}

interface LinkOptions {
  address: BrokerAddress
  settings: BrokerSettings
  clientId: string
  /** Published, retained, by the broker when the connection breaks off. */
  will?: { topic: string; payload: string }
  onMessage(message: Received): void
  /** Gives up connecting. A connection that is made is ended by `end`. */
  connectSignal: AbortSignal
}

/** One connection to a broker. What was published on it is never sent again on another. */
export interface BrokerLink {
  /** Resolves once the broker has it. @throws BrokerProblem, and the connection is over */
  publish(topic: string, payload: string, how: { isRetained: boolean }): Promise<void>
  /** Gives a message out at most once: it is not repeated, nor kept for a receiver that is away. */
  send(topic: string, payload: string): Promise<void>
  /** @throws BrokerProblem when the broker does not allow it */
  subscribe(topics: readonly string[]): Promise<void>
  /** Resolves with the reason when the connection is over. */
  readonly closed: Promise<string>
  /** Says goodbye, so that the broker publishes no last will. */
  end(): Promise<void>
}

interface Reach {
  policy: Pick<TargetPolicy, 'findAddressProblem'>
  resolve: ResolveHost
}

/** @throws BrokerProblem */
export async function openBrokerLink(reach: Reach, options: LinkOptions): Promise<BrokerLink> {
  const { address, settings, clientId, will, onMessage, connectSignal } = options
  const ip = await findBrokerAddress(address, reach.policy, reach.resolve).catch((error: Error) => {
    throw new BrokerProblem(error.message, { cause: error })
  })
  // Loaded with the first connection: few farms have a broker.
  const { MqttClient } = await import('mqtt')
  if (connectSignal.aborted) throw new BrokerProblem('The connection was given up.')
  const socket = openSocket(ip, address, settings)
  // No reconnecting inside the library: what was not confirmed would be sent once more, hours later, over newer states.
  const client = new MqttClient(() => socket, {
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    writeCache: false,
    keepalive: keepAliveSeconds,
    connectTimeout: connectMs,
    clientId,
    ...(settings.username !== undefined && { username: settings.username }),
    ...(settings.password !== undefined && { password: settings.password }),
    ...(will && { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1 as const, retain: true } }),
  })
  const over = Promise.withResolvers<string>()
  let isOver = false
  function close(reason: string): void {
    if (isOver) return
    isOver = true
    client.end(true)
    socket.destroy()
    over.resolve(reason)
  }
  const onAbort = () => close('The connection was given up.')
  connectSignal.addEventListener('abort', onAbort, { once: true })
  client.on('message', (topic, payload, { retain }) => {
    if (!isOver && payload.length <= largestMessage) onMessage({ topic, payload, isRetained: retain })
  })
  client.on('close', () => close('The broker closed the connection.'))
  await new Promise<void>((resolve, reject) => {
    client.on('error', (error) => {
      close(error.message)
      reject(problemOf(error))
    })
    void over.promise.then((reason) => reject(new BrokerProblem(reason)))
    client.on('connect', () => resolve())
  }).finally(() => connectSignal.removeEventListener('abort', onAbort))

  /** @throws BrokerProblem when it takes too long, or the connection ends */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => close('The broker does not confirm messages.'), confirmMs)
    try {
      return await Promise.race([
        work,
        over.promise.then((reason) => {
          throw new BrokerProblem(reason)
        }),
      ])
    } catch (error) {
      if (error instanceof BrokerProblem) throw error
      throw new BrokerProblem((error as Error).message, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    closed: over.promise,
    async publish(topic, payload, { isRetained }) {
      await inTime(client.publishAsync(topic, payload, { qos: 1, retain: isRetained }))
    },
    async send(topic, payload) {
      await inTime(client.publishAsync(topic, payload, { qos: 0, retain: false }))
    },
    async subscribe(topics) {
      if (topics.length === 0) return
      const granted = await inTime(client.subscribeAsync([...topics], { qos: 0 }))
      const refused = granted.find(({ qos }) => (qos as number) === 128)
      if (refused)
        throw new BrokerProblem(`The broker does not allow to subscribe to ${refused.topic}.`, { isRefusal: true })
    },
    async end() {
      if (isOver) return
      await inTime(client.endAsync(false)).catch(() => undefined)
      close('ended')
    },
  }
}

function openSocket(ip: string, { host, port, isEncrypted }: BrokerAddress, { ca }: BrokerSettings): Socket {
  const socket = isEncrypted
    ? connectSecure({
        host: ip,
        port,
        ...(isIP(host) === 0 && { servername: host }),
        // The name that was entered is what the certificate must be for, whatever it resolved to.
        checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
        ...(ca !== undefined && { ca }),
      })
    : connectPlain({ host: ip, port })
  socket.setNoDelay(true)
  return socket
}

const refusals: Record<number, string> = {
  4: 'The broker refuses the user name or password.',
  5: 'The broker does not let this user in.',
}

function problemOf(error: Error & { code?: unknown }): BrokerProblem {
  const refusal = typeof error.code === 'number' ? refusals[error.code] : undefined
  if (refusal !== undefined) return new BrokerProblem(refusal, { isRefusal: true, cause: error })
  return new BrokerProblem(`The broker cannot be reached: ${error.message || String(error.code ?? 'no answer')}`, {
    cause: error,
  })
}
