/** Spacing of the turns of a worker. */
export interface WorkerOptions<Key extends string> {
  /** Keys that are worked on at once; the others wait in the order in which they were asked for. */
  atOnce?: number
  /** Keys of one lane that are worked on at once, so that the many keys of one account leave room for those of another. */
  atOncePerLane?: number
  /** Time that requests are gathered before the first turn of a key. At 0 the turn starts within the request. */
  gatherMs?: number
  /** Time after a turn before the same key has the next one, given how long the turn lasted. `gatherMs` by default. */
  pauseMs?: (lastedMs: number) => number
  /** Takes the error of a turn; answers after how many ms the key has another turn, undefined for none. */
  onError: (error: unknown, key: Key) => number | undefined
}

interface Request<N> {
  newest: N
  dueAtMs: number
  /** After an error; a request that comes meanwhile does not wait for it. */
  isRetry: boolean
  lane: string
  done: PromiseWithResolvers<void>
}

interface Lane<Key extends string> {
  running: number
  /** Keys whose turn is due, in the order in which they became so. */
  waiting: Key[]
}

/**
 * Works for accounts, printers or hubs, for each of them one turn at a time and always with the newest request: what is asked
 * for during a turn makes one turn more, however often it is asked for. Any number of keys work beside one another, or `atOnce`.
 */
export class KeyedWorker<Key extends string, N = void> {
  readonly #work: (key: Key, newest: N) => Promise<void>
  readonly #options: WorkerOptions<Key>
  readonly #requests = new Map<Key, Request<N>>()
  /** Requests that are due and wait for a place in their lane. */
  readonly #parked = new Map<Key, Request<N>>()
  readonly #lanes = new Map<string, Lane<Key>>()
  readonly #turns = new Map<Key, Promise<void>>()
  /** Time when the pause after the last turn of a key is over, for as long as it is not. */
  readonly #pauses = new Map<Key, number>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(work: (key: Key, newest: N) => Promise<void>, options: WorkerOptions<Key>) {
    this.#work = work
    this.#options = options
  }

  /** Asks for a turn. Resolves when one that started after this call has ended, also in an error, or never will start. */
  request(key: Key, newest: N, lane = ''): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const known = this.#find(key)
    if (known && !known.isRetry) {
      known.newest = newest
      return known.done.promise
    }
    // Asked for during a turn, it is due some time after the end of that turn.
    const dueAtMs = this.#turns.has(key)
      ? Number.POSITIVE_INFINITY
      : Math.max(performance.now() + this.#gatherMs, this.#pauses.get(key) ?? 0)
    const done = known?.done ?? Promise.withResolvers<void>()
    this.#requests.set(key, { newest, dueAtMs, isRetry: false, lane, done })
    // One that is due at the end of a turn is started there.
    if (dueAtMs < Number.POSITIVE_INFINITY) this.#startDue()
    return done.promise
  }

  /** Resolves when all that was asked for this key so far is done. */
  async settled(key: Key): Promise<void> {
    await (this.#find(key)?.done.promise ?? this.#turns.get(key))
  }

  /** Starts no turn any more, and waits for those under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const { done } of [...this.#requests.values(), ...this.#parked.values()]) done.resolve()
    this.#requests.clear()
    this.#parked.clear()
    await Promise.all(this.#turns.values())
  }

  get #gatherMs(): number {
    return this.#options.gatherMs ?? 0
  }

  #find(key: Key): Request<N> | undefined {
    return this.#requests.get(key) ?? this.#parked.get(key)
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

  #start(key: Key, request: Request<N>): void {
    this.#requests.delete(key)
    if (!this.#takePlace(key, request)) return
    const { newest, lane, done } = request
    this.#turns.set(key, done.promise)
    void this.#turn(key, newest, lane).then(done.resolve)
  }

  /** A place in the lane; without one the request waits until another of its lane has ended. */
  #takePlace(key: Key, request: Request<N>): boolean {
    const most = this.#options.atOncePerLane
    if (most === undefined) return true
    const lane = this.#lanes.get(request.lane) ?? { running: 0, waiting: [] }
    this.#lanes.set(request.lane, lane)
    if (lane.running >= most) {
      lane.waiting.push(key)
      this.#parked.set(key, request)
      return false
    }
    lane.running += 1
    return true
  }

  #leavePlace(name: string): void {
    const lane = this.#lanes.get(name)
    if (!lane) return
    lane.running -= 1
    const key = lane.waiting.shift()
    const request = key === undefined ? undefined : this.#parked.get(key)
    if (key === undefined || request === undefined) {
      if (lane.running === 0) this.#lanes.delete(name)
      return
    }
    this.#parked.delete(key)
    // Before the key that has just had its turn: one that is asked for without end would keep the place for itself.
    this.#start(key, request)
  }

  #pause(key: Key, endedAtMs: number, lastedMs: number): number {
    const { pauseMs } = this.#options
    if (pauseMs === undefined) return endedAtMs + this.#gatherMs
    for (const [other, overAtMs] of this.#pauses) if (overAtMs <= endedAtMs) this.#pauses.delete(other)
    const overAtMs = endedAtMs + pauseMs(lastedMs)
    this.#pauses.set(key, overAtMs)
    return overAtMs
  }

  async #turn(key: Key, newest: N, lane: string): Promise<void> {
    const startedAtMs = performance.now()
    let againMs: number | undefined
    try {
      await this.#work(key, newest)
    } catch (error) {
      againMs = this.#options.onError(error, key)
    }
    const endedAtMs = performance.now()
    this.#turns.delete(key)
    this.#leavePlace(lane)
    if (this.#isStopped) return
    const next = this.#requests.get(key)
    const pauseEndsAtMs = this.#pause(key, endedAtMs, endedAtMs - startedAtMs)
    if (next) next.dueAtMs = pauseEndsAtMs
    else if (againMs !== undefined) {
      const again = { newest, dueAtMs: endedAtMs + againMs, isRetry: true, lane, done: Promise.withResolvers<void>() }
      this.#requests.set(key, again)
    }
    this.#startDue()
  }
}
