import type { BaseLogger } from 'pino'
import { every } from '../kernel/timers.ts'

/** A client that is connected to Redis or Valkey. */
export type RedisClient = Awaited<ReturnType<typeof clientOf>>

/** A server that is near answers in a millisecond; one that takes longer than this holds up every request. */
const answerMs = 500
const connectMs = 2_000
/** Interval at which it is asked whether it is there, and how long a connection that failed is not tried again. */
const lookEveryMs = 1_000

/** What is told in the log when Redis goes and comes back. */
interface LossWords {
  /** What holds while it does not answer: `rate limits are counted by each process alone until it answers`. */
  without: string
  /** What holds from when it answers again. */
  back: string
}

/** Redis refuses the name, password or rights in its URL. */
export class RedisRefusedError extends Error {}

/**
 * A connection to Redis or Valkey that comes back by itself. What needs it while it is gone, or does not answer in time, fails at once,
 * so that nothing waits for a server that may never come back.
 */
export class RedisConnection {
  readonly #url: string
  readonly #log: Pick<BaseLogger, 'warn' | 'info'>
  readonly #words: LossWords
  readonly #onConnect: (client: RedisClient) => Promise<void>
  readonly #stop: () => void
  #client: RedisClient | undefined
  #awaySince: Date | undefined = new Date()
  #isClosed = false

  private constructor(
    url: string,
    log: Pick<BaseLogger, 'warn' | 'info'>,
    words: LossWords,
    onConnect: (client: RedisClient) => Promise<void>,
  ) {
    this.#url = url
    this.#log = log
    this.#words = words
    this.#onConnect = onConnect
    this.#stop = every(lookEveryMs, 'look after the connection to Redis', log, () => this.#look())
  }

  /**
   * Connects, or goes on trying when there is no server.
   *
   * @param onConnect done with each new connection before it is used; a connection at which it fails is given up
   * @throws RedisRefusedError when there is one, and it refuses the credentials
   */
  static async open(
    url: string,
    log: Pick<BaseLogger, 'warn' | 'info'>,
    words: LossWords,
    onConnect: (client: RedisClient) => Promise<void> = async () => undefined,
  ): Promise<RedisConnection> {
    const connection = new RedisConnection(url, log, words, onConnect)
    try {
      await connection.#connect()
    } catch (error) {
      if (isRefusal(error)) {
        connection.close()
        throw new RedisRefusedError('Redis refuses the credentials.', { cause: error })
      }
      log.warn({ err: error }, `Redis does not answer: ${words.without}`)
    }
    return connection
  }

  get isReady(): boolean {
    return this.#client !== undefined
  }

  /** Since when there is no connection; undefined while there is one. */
  get awaySince(): Date | undefined {
    return this.#awaySince
  }

  /** @throws Error when there is no connection, the server does not answer in time, or what it answers is an error */
  async run<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    const client = this.#client
    if (client === undefined) throw new Error('There is no connection to Redis.')
    return inTime(work(client), answerMs, () => this.#drop(client, new Error('Redis does not answer in time.')))
  }

  /** Gives the connection up and tries a new one: what it should have brought did not arrive. */
  renew(why: string): void {
    if (this.#client) this.#drop(this.#client, new Error(why))
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
    this.#client?.destroy()
    this.#client = undefined
  }

  async #look(): Promise<void> {
    if (this.#client === undefined) {
      // It was told once that it is gone.
      await this.#connect().catch(() => undefined)
      if (this.#client !== undefined) this.#log.info(`Redis answers again: ${this.#words.back}`)
      return
    }
    const client = this.#client
    await this.run((ready) => ready.ping()).catch((error: unknown) => this.#drop(client, error))
  }

  async #connect(): Promise<void> {
    const client = await clientOf(this.#url)
    // Without a listener an error of the connection would end the process.
    client.on('error', (error: unknown) => this.#drop(client, error))
    try {
      await inTime(client.connect(), connectMs, () => undefined)
      await inTime(this.#onConnect(client), connectMs, () => undefined)
      if (!client.isOpen) throw new Error('The connection to Redis has ended.')
    } catch (error) {
      destroy(client)
      throw error
    }
    if (this.#isClosed) destroy(client)
    else {
      this.#client = client
      this.#awaySince = undefined
    }
  }

  #drop(client: RedisClient, error: unknown): void {
    destroy(client)
    if (this.#client !== client) return
    this.#client = undefined
    this.#awaySince = new Date()
    this.#log.warn({ err: error }, `Redis is gone: ${this.#words.without}`)
  }
}

/** What a Redis says of itself; `version` is undefined where the user may not ask for it. */
interface RedisAnswer {
  roundTripMs: number
  server: 'Redis' | 'Valkey'
  version: string | undefined
}

/**
 * Connects once, and asks whether it answers and what it is.
 *
 * @throws RedisRefusedError when it refuses the credentials
 * @throws Error when it is not there, or does not answer in time
 */
export async function askRedis(url: string): Promise<RedisAnswer> {
  const client = await clientOf(url)
  // What fails is told by the call that was under way.
  client.on('error', () => undefined)
  try {
    await inTime(client.connect(), connectMs, () => undefined)
    const before = performance.now()
    await inTime(client.ping(), answerMs, () => undefined)
    const roundTripMs = performance.now() - before
    const about = await inTime(client.info('server'), answerMs, () => undefined).catch(() => '')
    const [, valkey] = /^valkey_version:(\S+)/m.exec(about) ?? []
    const [, redis] = /^redis_version:(\S+)/m.exec(about) ?? []
    return { roundTripMs, server: valkey === undefined ? 'Redis' : 'Valkey', version: valkey ?? redis }
  } catch (error) {
    if (isRefusal(error)) throw new RedisRefusedError('Redis refuses the credentials.', { cause: error })
    throw error
  } finally {
    destroy(client)
  }
}

const isRefusal = (error: unknown) =>
  /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(error instanceof Error ? error.message : '')

/** The library is loaded with the first connection: most services have no Redis. */
async function clientOf(url: string) {
  const { createClient } = await import('@redis/client')
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  })
}

function destroy(client: RedisClient): void {
  if (client.isOpen) client.destroy()
}

/** The result of work, or a failure once it takes too long. */
async function inTime<T>(work: Promise<T>, limitMs: number, onLate: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate()
      reject(new Error(`Redis has not answered within ${limitMs} ms.`))
    }, limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
