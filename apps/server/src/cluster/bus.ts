import type { BaseLogger } from 'pino'
import { type RedisClient, RedisConnection } from '../redis/redis-connection.ts'

type Listener = (text: string, channel: string) => void

type Log = Pick<BaseLogger, 'warn' | 'info'>

/** The channels between the processes of one installation, by pub/sub of Redis. Nothing is stored there. */
export class Bus {
  readonly #prefix: string
  readonly #subscriptions = new Map<string, Listener>()
  #out: RedisConnection | undefined
  #in: RedisConnection | undefined
  #onHearing: () => void = () => undefined

  /** @param installationId keeps installations apart that share a Redis */
  constructor(installationId: string) {
    this.#prefix = `printyard:${installationId}`
  }

  /** Adds a listener for a channel, or for all that begin so when its name ends with `*`. Before `open`. */
  listen(channel: string, listener: Listener): void {
    this.#subscriptions.set(`${this.#prefix}:${channel}`, listener)
  }

  /**
   * Connects, or goes on trying.
   *
   * @param onHearing called each time from when messages arrive; those from before were missed
   * @throws RedisRefusedError when Redis refuses the credentials
   */
  async open(url: string, log: Log, onHearing: () => void): Promise<void> {
    this.#onHearing = onHearing
    const words = {
      without: 'what hubs of other processes report stays as it was, and they cannot be sent anything until it answers',
      back: 'hubs of other processes are reached',
    }
    // One of the two tells of it.
    const quiet = { warn: () => undefined, info: () => undefined }
    this.#out = await RedisConnection.open(url, log, words)
    this.#in = await RedisConnection.open(url, quiet, words, (client) => this.#subscribe(client))
  }

  /** True when messages go out and arrive, as far as is known. */
  get isReady(): boolean {
    return this.#out?.isReady === true && this.#in?.isReady === true
  }

  /** Since when messages do not go out or do not arrive; undefined while both are connected. */
  get awaySince(): { out: Date | undefined; in: Date | undefined } {
    return { out: this.#out?.awaySince, in: this.#in?.awaySince }
  }

  /**
   * Tells all who listen.
   *
   * @returns how many processes got it
   * @throws Error when it may not have arrived
   */
  publish(channel: string, message: object): Promise<number> {
    return this.publishAll([[channel, message]])
  }

  /** The same for several messages in one round trip; answers for the last. */
  async publishAll(messages: readonly (readonly [channel: string, message: object])[]): Promise<number> {
    if (!this.#out) throw new Error('There is no connection to Redis.')
    return this.#out.run(async (client) => {
      const sent = messages.map(([channel, message]) =>
        client.publish(`${this.#prefix}:${channel}`, JSON.stringify(message)),
      )
      return (await Promise.all(sent)).at(-1) ?? 0
    })
  }

  /** Subscribes again: messages have stopped to arrive. */
  renew(why: string): void {
    this.#in?.renew(why)
  }

  close(): void {
    this.#in?.close()
    this.#out?.close()
  }

  async #subscribe(client: RedisClient): Promise<void> {
    for (const [channel, listener] of this.#subscriptions) {
      if (channel.endsWith('*')) await client.pSubscribe(channel, listener)
      else await client.subscribe(channel, listener)
    }
    setImmediate(this.#onHearing)
  }
}
