import type { Context } from '../../../context/context.ts'
import { isConnectionError } from '../../../db/database-errors.ts'
import { type NotificationChannelId, newId } from '../../../kernel/ids.ts'
import { afterFailure, healthy, isDead, retryWaitMs } from '../../outbound/retry-schedule.ts'
import type { Receipt } from '../adapters/adapter.ts'
import { compose } from './compose.ts'
import {
  type Due,
  type HeldChannel,
  holdLease,
  type Leased,
  makeAllDue,
  readDue,
  releaseLease,
  saveHealth,
  settle,
  takeLeases,
} from './due.queries.ts'
import { pauseChannel } from './pause-channel.ts'
import { sendToChannel } from './send-to-channel.ts'

/** Finds what has become due. */
const sweepMs = 500

/** Longer than any one message takes: the camera, and three requests of the slowest service. */
const leaseMs = 90_000

/** Channels that one process sends to at once; each has one message under way. */
const mostChannels = 200

/** Rows that are read at once; those of a digest become one message. */
const mostRows = 100

/** Attempts of one message, over some eight hours by the schedule: later it is no news. */
const mostAttempts = 6

/** How long messages under way may still take when the service stops. */
const graceMs = 3_000

/**
 * Sends what is due to the channels of all accounts. Any number may run on one database: each channel is sent to by the process that
 * holds its lease, one message after another, and beside all others. What was sent is written down at once, so that of a process that
 * dies one message of a channel may come twice, and none is lost.
 */
export class NotificationSender {
  readonly #context: Context
  readonly #leaseId = newId('notificationLease')
  readonly #serving = new Map<NotificationChannelId, Promise<void>>()
  readonly #ending = new AbortController()
  #sweeping: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout
  #isStopped = false

  constructor(context: Context) {
    this.#context = context
    this.#timer = setInterval(() => this.sweep(), sweepMs)
  }

  /** Looks for what is due. */
  sweep(): void {
    if (this.#isStopped) return
    this.#sweeping ??= this.#takeChannels().finally(() => {
      this.#sweeping = undefined
    })
  }

  /** Ends messages under way that take too long, and leaves the channels to other processes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    const patience = setTimeout(() => this.#ending.abort(), graceMs)
    await this.#sweeping
    await Promise.all(this.#serving.values())
    clearTimeout(patience)
  }

  async #takeChannels(): Promise<void> {
    const room = mostChannels - this.#serving.size
    if (room <= 0) return
    try {
      for (const channel of await takeLeases(this.#context.db.sql, this.#lease(), room)) {
        const serving = this.#serve(channel).finally(() => this.#serving.delete(channel.id))
        this.#serving.set(channel.id, serving)
      }
    } catch (error) {
      this.#logFailure(error)
    }
  }

  #lease() {
    const now = this.#context.clock.now()
    return { id: this.#leaseId, now, until: new Date(now.getTime() + leaseMs) }
  }

  async #serve(leased: Leased): Promise<void> {
    const { db, clock } = this.#context
    try {
      for (;;) {
        const rows = await readDue(db.sql, leased, clock.now(), mostRows)
        if (rows.length === 0 || !(await this.#sendAll(leased, rows))) break
      }
      await releaseLease(db.sql, this.#leaseId, leased)
    } catch (error) {
      // The lease ends by itself, and what was not written down is sent again.
      if (!this.#ending.signal.aborted) this.#logFailure(error)
    }
  }

  /** False when nothing more is sent for now. */
  async #sendAll(leased: Leased, rows: readonly Due[]): Promise<boolean> {
    for (const together of togetherOf(rows)) {
      if (this.#isStopped) return false
      const channel = await holdLease(this.#context.db.sql, this.#lease(), leased)
      if (!channel || !(await this.#send(channel, together))) return false
    }
    return true
  }

  async #send(channel: HeldChannel, rows: readonly [Due, ...Due[]]): Promise<boolean> {
    const message = await compose(this.#context, channel, rows)
    const receipt = await sendToChannel(this.#context, channel, message, this.#ending.signal)
    const now = this.#context.clock.now()
    if (receipt.verdict === 'accepted') {
      await this.#settleSuccess(channel, rows, receipt, now)
      return true
    }
    await this.#settleFailure(channel, rows, receipt, now)
    return receipt.verdict === 'refused'
  }

  async #settleSuccess(channel: HeldChannel, rows: readonly Due[], receipt: Receipt, now: Date): Promise<void> {
    await this.#context.db.begin(async (sql) => {
      await settle(sql, channel.account_id, rows, { ...attemptOf(receipt, now), status: 'sent', due_at: now })
      if (channel.failures === 0 && channel.retry_at === null) return
      await saveHealth(sql, this.#leaseId, channel, healthy)
      await makeAllDue(sql, channel, now)
    })
  }

  async #settleFailure(
    channel: HeldChannel,
    rows: readonly [Due, ...Due[]],
    receipt: Receipt,
    now: Date,
  ): Promise<void> {
    const { verdict, retryAfterMs } = receipt
    const health = afterFailure(channel, now, retryAfterMs, Math.random())
    const attempts = rows[0].attempts + 1
    const waitMs =
      verdict === 'retry' && attempts < mostAttempts ? retryWaitMs(attempts, retryAfterMs, Math.random()) : undefined
    await this.#context.db.begin(async (sql) => {
      await settle(sql, channel.account_id, rows, {
        ...attemptOf(receipt, now),
        status: waitMs === undefined ? 'failed' : 'pending',
        due_at: new Date(now.getTime() + (waitMs ?? 0)),
      })
      await saveHealth(sql, this.#leaseId, channel, health)
    })
    if (verdict === 'gone') await pauseChannel(this.#context, channel, 'gone')
    else if (isDead(health, now)) await pauseChannel(this.#context, channel, 'failing')
  }

  #logFailure(error: unknown): void {
    const words = 'notifications could not be sent; it is tried again'
    if (isConnectionError(error)) this.#context.log.warn({ err: error }, words)
    else this.#context.log.error({ err: error }, words)
  }
}

/** What goes in one message: all of a digest that is due, and everything else by itself. */
function togetherOf(rows: readonly Due[]): [Due, ...Due[]][] {
  const collected = rows.filter((row) => row.is_digest)
  const [first, ...others] = collected
  const single = rows.filter((row) => !row.is_digest).map((row): [Due, ...Due[]] => [row])
  return first === undefined ? single : [...single, [first, ...others]]
}

function attemptOf({ verdict, status_code, answer, duration_ms }: Receipt, now: Date) {
  return {
    attempted_at: now,
    status_code,
    answer,
    duration_ms,
    failure: verdict === 'accepted' ? null : verdict,
  }
}
