import type { Context } from '../../../context/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { LeasedWork } from '../../outbound/leased-work.ts'
import { afterFailure, healthy, isDead, retryWaitMs } from '../../outbound/retry-schedule.ts'
import type { Receipt } from '../adapters/adapter.ts'
import { compose } from './compose.ts'
import {
  bringBack,
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

/**
 * Sends what is due to the channels of all accounts. Any number may run on one database: each channel is sent to by the process that
 * holds its lease, one message after another, and beside all others. What was sent is written down at once, so that of a process that
 * dies one message of a channel may come twice, and none is lost.
 */
export class NotificationSender {
  readonly #context: Context
  readonly #leaseId = newId('notificationLease')
  readonly #work: LeasedWork<Leased>

  constructor(context: Context) {
    this.#context = context
    this.#work = new LeasedWork(context, {
      leaseId: this.#leaseId,
      leaseMs,
      sweepMs,
      atOnce: mostChannels,
      bringBack: (lease) => bringBack(context.db.sql, lease),
      take: (lease, most) => takeLeases(context.db.sql, lease, most),
      serve: (channel) => this.#serve(channel),
      failure: 'notifications could not be sent; it is tried again',
    })
  }

  /** Looks for what is due. */
  sweep(): void {
    this.#work.sweep()
  }

  /** Ends messages under way that take too long, and leaves the channels to other processes. */
  stop(): Promise<void> {
    return this.#work.stop()
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
      if (!this.#work.signal.aborted) this.#work.logFailure(error)
    }
  }

  /** False when nothing more is sent for now. */
  async #sendAll(leased: Leased, rows: readonly Due[]): Promise<boolean> {
    for (const together of togetherOf(rows)) {
      if (this.#work.isStopped) return false
      const channel = await holdLease(this.#context.db.sql, this.#work.lease(), leased)
      if (!channel || !(await this.#send(channel, together))) return false
    }
    return true
  }

  async #send(channel: HeldChannel, rows: readonly [Due, ...Due[]]): Promise<boolean> {
    const message = await compose(this.#context, channel, rows)
    const receipt = await sendToChannel(this.#context, channel, message, this.#work.signal)
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
}

/** Answers what goes in one message: all of a digest that is due, and everything else by itself. */
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
