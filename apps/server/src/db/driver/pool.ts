import { setTimeout as wait } from 'node:timers/promises'
import { backOffMs } from '../../kernel/back-off.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { FairQueue } from './fair-queue.ts'
import type { Rows, Run, WireStatement } from './statement.ts'
import { runTransaction, type TransactionWork } from './transaction.ts'

/** The place of one connection: opened by the first statement, and again after it broke. */
class Place {
  readonly #options: ConnectionOptions
  #connection: Connection | undefined
  #opening: Promise<Connection> | undefined
  /** Statements and transactions that wait for the connection to be open. */
  #waiting = 0
  #failures = 0
  #isEnded = false

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** The open connection, if there is one. */
  get open(): Connection | undefined {
    return this.#connection?.isOpen ? this.#connection : undefined
  }

  /** As that of its connection; to open one counts as a statement. */
  get load(): number {
    return this.open?.load ?? this.#waiting + 1
  }

  async connect(): Promise<Connection> {
    if (this.#isEnded) throw connectionEnded()
    const { open } = this
    if (open !== undefined) return open
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    this.#waiting += 1
    try {
      return await this.#opening
    } finally {
      this.#waiting -= 1
    }
  }

  async #open(): Promise<Connection> {
    // A server that comes back should be noticed within a second.
    if (this.#failures > 0) await wait(backOffMs(this.#failures, { firstMs: 100, longestMs: 1_000 }))
    if (this.#isEnded) throw connectionEnded()
    try {
      const connection = await Connection.open(this.#options)
      this.#failures = 0
      if (this.#isEnded) {
        await connection.close(0)
        throw connectionEnded()
      }
      this.#connection = connection
      return connection
    } catch (error) {
      this.#failures += 1
      throw error
    }
  }

  /** Lets the next statement open a new connection, where this one has prepared too much. */
  refresh(): void {
    const { open } = this
    if (!open?.isWorn) return
    this.#connection = undefined
    // What is under way there is answered by then, or has met its limit.
    void open.close(longestGoodbyeMs)
  }

  async end(patienceMs: number): Promise<void> {
    this.#isEnded = true
    await this.#opening?.catch(() => undefined)
    await this.#connection?.close(patienceMs)
  }
}

/** Longer than any statement may take. */
const longestGoodbyeMs = 180_000

function connectionEnded(): Error {
  return Object.assign(new Error('the connection to the database was ended'), { code: 'CONNECTION_ENDED' })
}

interface TransactionOptions {
  owner?: Owner
  /** As `runTransaction` has it. */
  isLate?: boolean
  /** What stands between the statements of the work and the connection, such as a guard. */
  wrap?: (run: Run) => Run
  /** Hears of the IDs of what was changed as soon as that is committed. */
  onChanged?: (ids: string[]) => void
}

/** For whom a transaction is, of those between whom the places are shared fairly; undefined for the service itself. */
type Owner = string | undefined

/**
 * Owner of transactions that wait for others while they run. They never hold all places, so that those others come to their end: each
 * waiting for a place that another one of them holds, none would.
 */
export const aroundOthers = 'around others'

/** A place, held by one owner as long as statements are under way on it. */
interface Lane {
  place: Place | Promise<Place>
  statements: number
}

/** With so many under way, another place is taken for the next one, where the owner may hold one more. */
const mostInLane = 4

/**
 * Connections for statements and transactions. Statements share those that no transaction holds. Where transactions wait, their owners
 * take turns, and none holds more places than it leaves free: what waits for a lock of its own stops only itself. Of eight places
 * one owner holds four, a second one two, a third and a fourth one each.
 */
export class Pool {
  readonly #places: Place[]
  readonly #free: Place[]
  /** Those who wait for a place; each tells whether it keeps the place. */
  readonly #waiting = new FairQueue<Owner, (place: Place) => boolean>()
  /** Places that each owner holds. */
  readonly #held = new Map<Owner, number>()
  /** Places that each owner holds for statements that are transactions of their own. */
  readonly #lanes = new Map<Owner, Set<Lane>>()
  readonly #transactions = new Set<Promise<unknown>>()

  constructor(options: ConnectionOptions, size: number) {
    if (size < 1) throw new RangeError('a pool has at least one connection')
    this.#places = Array.from({ length: size }, () => new Place(options))
    this.#free = [...this.#places]
  }

  readonly run: Run = (statement) => {
    const place = this.#leastBusy()
    if (place !== undefined) return send(place, statement)
    return new Promise((resolve) => {
      this.#waiting.add(undefined, (freed) => {
        resolve(send(freed, statement))
        return false
      })
    })
  }

  /** Finds the free place with the least to do: what comes after a slow statement does not wait for it. */
  #leastBusy(): Place | undefined {
    let least: Place | undefined
    for (const place of this.#free) {
      if (least === undefined || place.load < least.load) least = place
    }
    return least
  }

  /** Runs a statement on a connection of its own, in the turns of its owner, as a transaction has them. */
  async runFor(owner: Owner, statement: WireStatement): Promise<Rows> {
    const place = await this.#take(owner)
    try {
      return await send(place, statement)
    } finally {
      this.#release(place, owner)
    }
  }

  /** Runs work on a connection of its own: committed when it resolves, rolled back when it throws. */
  begin<T>(work: TransactionWork<T>, options: TransactionOptions = {}): Promise<T> {
    const transaction = this.#begin(work, options).finally(() => this.#transactions.delete(transaction))
    this.#transactions.add(transaction)
    return transaction
  }

  async #begin<T>(
    work: TransactionWork<T>,
    { owner, wrap, onChanged, isLate = false }: TransactionOptions,
  ): Promise<T> {
    let place: Place | undefined
    const take = async () => {
      place = await this.#take(owner)
      const connection = await place.connect()
      // What a transaction before this one changed and did not commit.
      connection.takeChanged()
      return connection
    }
    const runAlone: Run = (statement) => this.#runAlone(owner, statement)
    try {
      const result = await runTransaction({ take, runAlone }, work, { wrap, isLate })
      const changed = place?.open?.takeChanged() ?? []
      if (changed.length > 0) onChanged?.(changed)
      return result
    } finally {
      place?.refresh()
      if (place) this.#release(place, owner)
    }
  }

  /**
   * Runs a statement that is a transaction of its own, in the turns of its owner. While no one waits for a place, those of one owner share the
   * places that it holds for them: sent together they cost half, and one that waits for a lock holds up its owner alone.
   */
  async #runAlone(owner: Owner, statement: WireStatement): Promise<Rows> {
    const lanes = this.#lanes.get(owner) ?? new Set()
    this.#lanes.set(owner, lanes)
    const lane = this.#laneToShare(owner, lanes) ?? { place: this.#take(owner), statements: 0 }
    lanes.add(lane)
    lane.statements += 1
    let place: Place | undefined
    try {
      place = await lane.place
      return await send(place, statement)
    } finally {
      lane.statements -= 1
      if (lane.statements === 0) {
        lanes.delete(lane)
        if (lanes.size === 0) this.#lanes.delete(owner)
        if (place) this.#release(place, owner)
      }
    }
  }

  #laneToShare(owner: Owner, lanes: ReadonlySet<Lane>): Lane | undefined {
    if (!this.#waiting.isEmpty) return undefined
    let least: Lane | undefined
    for (const lane of lanes) if (least === undefined || lane.statements < least.statements) least = lane
    return least !== undefined && least.statements >= mostInLane && this.#canHold(owner) ? undefined : least
  }

  /** True when the owner may hold one more of the free places. The service itself may hold all. */
  readonly #canHold = (owner: Owner): boolean => {
    if (this.#free.length === 0) return false
    if (owner === undefined) return true
    const most = owner === aroundOthers ? Math.max(1, this.#places.length - 1) : this.#free.length
    return this.#heldBy(owner) < most
  }

  #heldBy(owner: Owner): number {
    return this.#held.get(owner) ?? 0
  }

  #take(owner: Owner): Promise<Place> | Place {
    // The last one freed: those at the end of the row stay unopened while few are enough.
    const place = this.#canHold(owner) ? this.#free.pop() : undefined
    if (place !== undefined) {
      this.#held.set(owner, this.#heldBy(owner) + 1)
      return place
    }
    return new Promise((resolve) => {
      this.#waiting.add(owner, (freed) => {
        this.#held.set(owner, this.#heldBy(owner) + 1)
        resolve(freed)
        return true
      })
    })
  }

  #release(place: Place, owner: Owner): void {
    const held = this.#heldBy(owner) - 1
    if (held > 0) this.#held.set(owner, held)
    else this.#held.delete(owner)
    this.#free.push(place)
    // One place more can let several go on.
    for (;;) {
      const next = this.#waiting.next(this.#canHold)
      const given = next && this.#free.pop()
      if (next === undefined || given === undefined) return
      if (!next(given)) this.#free.push(given)
    }
  }

  /** Lets running statements and transactions finish for up to `patienceMs`, then drops them. */
  async end(patienceMs: number): Promise<void> {
    const deadline = performance.now() + patienceMs
    const timer = new AbortController()
    const patience = wait(patienceMs, undefined, { signal: timer.signal }).catch(() => undefined)
    await Promise.race([Promise.allSettled(this.#transactions), patience])
    timer.abort()
    await Promise.all(this.#places.map((place) => place.end(Math.max(deadline - performance.now(), 0))))
  }
}

function send(place: Place, statement: WireStatement): Promise<Rows> {
  const { open } = place
  if (open === undefined) return place.connect().then((connection) => connection.query(statement, true))
  const rows = open.query(statement, true)
  place.refresh()
  return rows
}
