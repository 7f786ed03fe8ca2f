import type { Context } from '../../context/context.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { type EventPosition, listEventsAfter } from '../events/event-feed.queries.ts'
import { type EventStream, eventFrame } from './event-stream.ts'

const eventsPerRead = 200

/** Between two looks for a transaction that is not at its end yet, in ms: the first, and the longest. */
const shortestWaitMs = 10
const longestWaitMs = 1_000

/**
 * Reads the events of one account for all who listen to it, when it is told that something changed. What is committed while
 * an earlier transaction still runs is read when that has ended, so nothing is ever given out of order.
 */
export class AccountFeed {
  readonly accountId: AccountId
  readonly streams = new Set<EventStream>()
  readonly #context: Context
  #position: EventPosition
  #isReading = false
  #isWoken = false
  #waitMs = shortestWaitMs
  #timer: NodeJS.Timeout | undefined

  constructor(context: Context, accountId: AccountId, position: EventPosition) {
    this.#context = context
    this.accountId = accountId
    this.#position = position
  }

  get position(): EventPosition {
    return this.#position
  }

  /** Something may have happened. */
  wake(): void {
    this.#isWoken = true
    if (this.#isReading) return
    this.#isReading = true
    clearTimeout(this.#timer)
    void this.#readAll()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.streams.clear()
  }

  async #readAll(): Promise<void> {
    let isWaiting = false
    try {
      while (this.#isWoken && this.streams.size > 0) {
        this.#isWoken = false
        isWaiting = await this.#readOnce()
      }
    } catch (error) {
      isWaiting = true
      this.#waitMs = longestWaitMs
      this.#context.log.warn({ err: error, account_id: this.accountId }, 'events could not be read for the streams')
    }
    this.#isReading = false
    this.#waitMs = isWaiting ? this.#waitMs : shortestWaitMs
    if (!isWaiting || this.streams.size === 0) return
    this.#timer = setTimeout(() => this.wake(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
  }

  /** Answers whether there are events that are not final yet. */
  async #readOnce(): Promise<boolean> {
    const { db } = this.#context
    const { events, isWaiting } = await listEventsAfter(db.sql, this.accountId, this.#position, eventsPerRead)
    for (const frame of events.map(eventFrame)) {
      this.#position = { id: frame.id, txid: frame.txid }
      for (const stream of this.streams) stream.tell(frame)
    }
    if (events.length > 0) this.#waitMs = shortestWaitMs
    if (events.length === eventsPerRead) this.#isWoken = true
    return isWaiting
  }
}
