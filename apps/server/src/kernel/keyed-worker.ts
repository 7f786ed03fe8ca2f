/** How a worker spaces its turns. */
export interface WorkerOptions<Key extends string> {
  /** Keys that are worked on at once; the others wait in the order in which they were asked for. */
  atOnce?: number
  /** How long requests are gathered before the first turn of a key. At 0 the turn starts within the request. */
  gatherMs?: number
  /** How long after a turn the same key has the next one; given how long the turn lasted. `gatherMs` by default. */
  pauseMs?: (lastedMs: number) => number
  /** Takes the error of a turn; answers after how many ms the key has another turn, undefined for none. */
  onError: (error: unknown, key: Key) => number | undefined
}

interface Request<N> {
  newest: N
  dueAtMs: number
  /** After an error; a request that comes meanwhile does not wait for it. */
  isRetry: boolean
  done: PromiseWithResolvers<void>
}

/**
 * Works for accounts, printers or hubs, for each of them one turn at a time and always with the newest request: what is asked
 * for during a turn makes one turn more, however often it is asked for. Any number of keys work beside one another, or `atOnce`.
 */
export class KeyedWorker<Key extends string, N = void> {
  readonly #work: (key: Key, newest: N) => Promise<void>
  readonly #options: WorkerOptions<Key>
  readonly #requests = new Map<Key, Request<N>>()
  readonly #turns = new Map<Key, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(work: (key: Key, newest: N) => Promise<void>, options: WorkerOptions<Key>) {
    this.#work = work
    this.#options = options
  }

  /** Asks for a turn. Resolves when one that started after this call has ended, also in an error, or never will start. */
  request(key: Key, newest: N): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const known = this.#requests.get(key)
    if (known && !known.isRetry) {
      known.newest = newest
      return known.done.promise
    }
    // Asked for during a turn, it is due some time after the end of that turn.
    const dueAtMs = this.#turns.has(key) ? Number.POSITIVE_INFINITY : performance.now() + this.#gatherMs
    const done = known?.done ?? Promise.withResolvers<void>()
    this.#requests.set(key, { newest, dueAtMs, isRetry: false, done })
    this.#startDue()
    return done.promise
  }

  /** Resolves when all that was asked for this key so far is done. */
  async settled(key: Key): Promise<void> {
    await (this.#requests.get(key)?.done.promise ?? this.#turns.get(key))
  }

  /** Starts no turn any more, and waits for those under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const { done } of this.#requests.values()) done.resolve()
    this.#requests.clear()
    await Promise.all(this.#turns.values())
  }

  get #gatherMs(): number {
    return this.#options.gatherMs ?? 0
  }

  #startDue(): void {
    clearTimeout(this.#timer)
    const nowMs = performance.now()
    let nextMs = Number.POSITIVE_INFINITY
    for (const [key, request] of this.#requests) {
      if (this.#turns.size >= (this.#options.atOnce ?? Number.POSITIVE_INFINITY)) return
      if (request.dueAtMs > nowMs) nextMs = Math.min(nextMs, request.dueAtMs)
      else this.#start(key, request)
    }
    clearTimeout(this.#timer)
    if (nextMs < Number.POSITIVE_INFINITY && !this.#isStopped) {
      this.#timer = setTimeout(() => this.#startDue(), Math.ceil(nextMs - nowMs)).unref()
    }
  }

  #start(key: Key, { newest, done }: Request<N>): void {
    this.#requests.delete(key)
    this.#turns.set(key, done.promise)
    void this.#turn(key, newest).then(done.resolve)
  }

  async #turn(key: Key, newest: N): Promise<void> {
    const startedAtMs = performance.now()
    let againMs: number | undefined
    try {
      await this.#work(key, newest)
    } catch (error) {
      againMs = this.#options.onError(error, key)
    }
    const endedAtMs = performance.now()
    this.#turns.delete(key)
    if (this.#isStopped) return
    const next = this.#requests.get(key)
    if (next) next.dueAtMs = endedAtMs + (this.#options.pauseMs?.(endedAtMs - startedAtMs) ?? this.#gatherMs)
    else if (againMs !== undefined) {
      this.#requests.set(key, { newest, dueAtMs: endedAtMs + againMs, isRetry: true, done: Promise.withResolvers() })
    }
    this.#startDue()
  }
}
