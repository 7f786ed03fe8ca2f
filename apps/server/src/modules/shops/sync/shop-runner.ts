import type { Context } from '../../../context/context.ts'
import { newId, type ShopId } from '../../../kernel/ids.ts'
import { type Work, workIn } from '../../events/work.ts'
import { cancelGone } from '../../orders/from-shop/cancel-gone.ts'
import { LeasedWork } from '../../outbound/leased-work.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import { type OpenedShop, openShop } from '../settings/open-shop.ts'
import { renewalMs } from '../settings/shop-tokens.ts'
import { applyOrders, rereadMs } from './apply-orders.ts'
import {
  bringBack,
  changeHeld,
  type HeldShop,
  holdLease,
  type Leased,
  type LongestWaits,
  releaseLease,
  scheduleHeld,
  takeLeases,
} from './due.queries.ts'
import { pushParcels } from './push-parcels.ts'
import { pushStock } from './push-stock.ts'
import { listToReread, recordGone, recordReread } from './read-orders.queries.ts'
import { cursorWithin } from './shop-clock.ts'
import { failureOf, isToldOf, longestBackOffMs, pollMs, stockMs, waitAfter } from './shop-health.ts'

/** Finds shops that have become due. */
const sweepMs = 1_000

/** Longer than any one step takes: a page, with the refunds of its orders, or the parcels of a turn. */
const leaseMs = 10 * 60_000

/** Shops that one process speaks with at once; each has one call under way. */
const mostShops = 100

/** Orders that are asked for by themselves in one turn. */
const mostRereads = 20

const longestWaits: LongestWaits = { pollMs, stockMs, retryMs: longestBackOffMs, renewalMs, rereadMs }

/** The lease went to another process, or the shop was paused or disconnected: nothing of this turn counts any more. */
class LeaseLost extends Error {}

/**
 * Reads the orders of the shops of all accounts, and tells the shops what left. Any number may run on one database: each shop is spoken
 * with by the process that holds its lease, one call after another, and beside all others. A page and the position after it are written in
 * one transaction, so that of a process that dies no order is lost, and what is read again changes nothing.
 */
export class ShopRunner {
  readonly #context: Context
  readonly #leaseId = newId('shopLease')
  readonly #work: LeasedWork<Leased>
  #writing: Promise<unknown> = Promise.resolve()

  constructor(context: Context) {
    this.#context = context
    this.#work = new LeasedWork(context, {
      leaseId: this.#leaseId,
      leaseMs,
      sweepMs,
      atOnce: mostShops,
      bringBack: (lease) => bringBack(context.db.sql, lease, longestWaits),
      take: (lease, most) => takeLeases(context.db.sql, lease, most),
      serve: (leased) => this.#serve(leased),
      failure: 'a shop could not be read; it is tried again',
    })
  }

  /** Looks for shops that are due. */
  sweep(): void {
    this.#work.sweep()
  }

  /** Ends calls under way that take too long, and leaves the shops to other processes. */
  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #serve(leased: Leased): Promise<void> {
    const { db } = this.#context
    try {
      let isMore = true
      while (isMore && !this.#work.isStopped) {
        const held = await holdLease(db.sql, this.#work.lease(), leased)
        if (!held) break
        try {
          isMore = await this.#step(held, openShop(this.#context, held, this.#work.signal))
        } catch (error) {
          if (!(error instanceof ShopProblem)) throw error
          await this.#settleFailure(held, error)
          break
        }
      }
    } catch (error) {
      if (!this.#work.signal.aborted && !(error instanceof LeaseLost)) {
        this.#logFailure(error, leased.id)
        await this.#waitAfterFault(leased)
      }
    } finally {
      // A lease that could not be given back ends by itself.
      await releaseLease(db.sql, this.#leaseId, leased).catch((error: unknown) => this.#logFailure(error, leased.id))
    }
  }

  /** One step of a turn. @returns whether another one follows at once */
  async #step(held: HeldShop, opened: OpenedShop): Promise<boolean> {
    const { clock } = this.#context
    if (held.due_at <= clock.now()) {
      if (!(await this.#readPage(held, opened))) return true
      await this.#rereadOrders(held, opened)
      if (held.pushes_stock && held.stock_due_at <= clock.now()) {
        const isMore = await pushStock(this.#context, held, opened)
        const turn = { seen: held.stock_due_at, next: new Date(clock.now().getTime() + (isMore ? 0 : stockMs)) }
        await this.#write(held, (work) => scheduleHeld(work, this.#leaseId, held.id, 'stock_due_at', turn))
      }
    }
    await pushParcels(this.#context, held, opened)
    return false
  }

  /** @returns whether all that has changed is read */
  async #readPage(held: HeldShop, { connector, client, shop }: OpenedShop): Promise<boolean> {
    const cursor = held.cursor ?? connector.firstCursor(held.orders_since)
    const page = await connector.readPage(client, shop, cursor)
    await this.#write(held, async (work) => {
      const sinceReadMs = work.now.getTime() - (held.last_read_at ?? held.orders_since).getTime()
      const turn = { seen: held.due_at, next: new Date(work.now.getTime() + pollMs) }
      const isHeld = await changeHeld(work, this.#leaseId, held.id, {
        cursor: page.isLast ? cursorWithin(connector, page.cursor, client.theirNow(), sinceReadMs) : page.cursor,
        ...(page.isLast && { last_read_at: work.now }),
        ...{ failures: 0, failing_since: null, retry_at: null, problem: null },
      })
      if (!isHeld) throw new LeaseLost()
      if (page.isLast) await scheduleHeld(work, this.#leaseId, held.id, 'due_at', turn)
      if (isToldOf(held.failures)) await work.record({ type: 'shop.recovered', subjectId: held.id, data: {} })
      await applyOrders(this.#context, work, held, page.orders)
    })
    return page.isLast
  }

  async #rereadOrders(held: HeldShop, { connector, client, shop }: OpenedShop): Promise<void> {
    const { db, clock } = this.#context
    const due = await listToReread(db.sql, held.account_id, held.id, clock.now(), mostRereads)
    for (const { external_id: externalId, order_id: orderId } of due) {
      const order = await connector.readOrder(client, shop, externalId)
      await this.#write(held, async (work) => {
        if (!(await changeHeld(work, this.#leaseId, held.id, { problem: null }))) throw new LeaseLost()
        if (order !== undefined) await applyOrders(this.#context, work, held, [order], { isAskedAgain: true })
        else if (orderId !== null) await cancelGone(work, orderId)
        if (order === undefined) await recordGone(work, held.id, externalId)
        else await recordReread(work, held.id, externalId)
      })
    }
  }

  async #settleFailure(held: HeldShop, problem: ShopProblem): Promise<void> {
    const { id } = held
    const failure = failureOf(held, problem.kind)
    await this.#write(held, async (work) => {
      const waitMs = waitAfter(problem, failure.failures, Math.random())
      const change = {
        ...failure,
        failing_since: failure.failures === 0 ? null : (held.failing_since ?? work.now),
        retry_at: new Date(work.now.getTime() + waitMs),
        problem: problem.message,
      }
      if (!(await changeHeld(work, this.#leaseId, id, change))) return
      if (isToldOf(failure.failures) && !isToldOf(held.failures)) {
        await work.record({ type: 'shop.failing', subjectId: id, data: { kind: problem.kind } })
      }
    })
  }

  /** One write at a time: each holds a connection for as long as fifty orders take. */
  async #write<T>({ account_id: accountId }: Leased, write: (work: Work) => Promise<T>): Promise<T> {
    const { db, clock } = this.#context
    const turn = this.#writing.then(() =>
      db.begin((sql) => write(workIn(sql, { accountId, actor: 'system', now: clock.now() }))),
    )
    this.#writing = turn.catch(() => undefined)
    return turn
  }

  /** A fault of ours, or of the database: the shop has its next turn a while later, and others meanwhile. */
  async #waitAfterFault(leased: Leased): Promise<void> {
    try {
      await this.#write(leased, (work) =>
        changeHeld(work, this.#leaseId, leased.id, { retry_at: new Date(work.now.getTime() + pollMs) }),
      )
    } catch (error) {
      this.#logFailure(error, leased.id)
    }
  }

  #logFailure(error: unknown, shopId: ShopId): void {
    this.#work.logFailure(error, { shop_id: shopId })
  }
}
