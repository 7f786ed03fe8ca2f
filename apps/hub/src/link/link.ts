import type { HubMessageBody, HubMessageName } from '@printyard/protocol/messages'
import { createBackoff } from '../util/backoff.ts'
import { wait } from '../util/clock.ts'
import { type ConnectionOptions, openSocket, ServiceConnection } from './service-connection.ts'

export interface LinkOptions extends ConnectionOptions {
  random?: () => number
}

/** The one connection to the service, made again whenever it breaks. */
export class Link {
  readonly #options: LinkOptions
  readonly #stopping = new AbortController()
  #connection: ServiceConnection | undefined
  #running: Promise<void> | undefined

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Bytes that wait for the network. */
  get backlogBytes(): number {
    return this.#connection?.backlogBytes ?? 0
  }

  start(): void {
    this.#running ??= this.#keepConnected()
  }

  /** Sends a message; false when there is no welcomed connection. `id` and `ts` are made here unless they are given. */
  send<N extends HubMessageName>(type: N, body: HubMessageBody<N>, header?: { id: string; ts: string }): boolean {
    return this.#connection?.send(type, body, header) ?? false
  }

  /** Closes with "going away" and ends all timers. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the hub stops'))
    this.#connection?.leave()
    await this.#running
  }

  async #keepConnected(): Promise<void> {
    const { timings, log, random } = this.#options
    const { signal } = this.#stopping
    const backoff = createBackoff({
      firstMs: timings.firstRetryMs,
      maxMs: timings.maxRetryMs,
      ...(random ? { random } : {}),
    })
    let mayBeOwn = false
    while (!signal.aborted) {
      this.#connection = new ServiceConnection(openSocket(this.#options), this.#options)
      const { lastedMs, pauseMs, isReplaced, isUnanswered } = await this.#connection.serve()
      this.#connection = undefined
      if (signal.aborted) return
      if (lastedMs >= timings.steadyMs) backoff.reset()
      // A service that hung lets in late what the hub has left: then no other hub is there to make room for. Twice is another hub.
      const isByOwn = isReplaced && mayBeOwn
      mayBeOwn = isUnanswered || (mayBeOwn && !isReplaced)
      const delayMs = Math.max(isByOwn ? 0 : (pauseMs ?? 0), backoff.next())
      if (isReplaced && !isByOwn) log.error('another hub connected with the same token', { retry_in_ms: delayMs })
      log.info('the hub connects again', { in_ms: delayMs })
      await wait(delayMs, signal).catch(() => undefined)
    }
  }
}
