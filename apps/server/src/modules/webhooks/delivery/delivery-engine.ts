import type { Context } from '../../../context/context.ts'
import { isConnectionError } from '../../../db/database-errors.ts'
import { type AccountId, newId, type WebhookId } from '../../../kernel/ids.ts'
import { ClockWatch } from '../../outbound/clock-watch.ts'
import type { Outcome } from '../../outbound/outcome.ts'
import { afterFailure, healthy, isDead, isFailing, retryWaitMs } from '../../outbound/retry-schedule.ts'
import type { Sender } from '../../outbound/send-request.ts'
import {
  type Attempted,
  bringBack,
  type Due,
  makeAllDue,
  readDue,
  releaseLeases,
  renewLeases,
  saveHealth,
  settleAttempts,
  takeLeases,
} from './due.queries.ts'
import { listAccountsWithWebhooks } from './fan-out.queries.ts'
import { fanOut } from './fan-out.ts'
import { makeMessage } from './message.ts'
import { pauseWebhook } from './pause-webhook.ts'
import { SharedPlaces, WebhookLine } from './webhook-line.ts'

/** Time within which what comes is looked at together. */
const gatherMs = 20

/** An event that another transaction may still come before is looked at again after this. */
const waitForFinalMs = 25

/** Finds what no notice told: what another process recorded, and what has become due. */
const sweepMs = 500

/** A webhook is sent to by one process for so long after the last sign of life of that; longer than any attempt. */
const leaseMs = 30_000
const renewEveryMs = 10_000

/** A webhook that nothing was sent to for so long is given up, for any process to take. */
const idleMs = 5_000

/** Webhooks that one process sends to at once, and messages at once beyond those that each webhook may have. */
const mostLines = 500
const sharedPlaces = 200

/** After a failure of the database. */
const restMs = 1_000

/** Time that messages under way may still take when the service stops. */
const graceMs = 3_000

interface Settled extends Attempted {
  line: WebhookLine
}

/**
 * Sends the events of all accounts to their webhooks. Any number may run on one database: feeds are read by one at a time, and each
 * webhook is sent to by the process that holds its lease. What was sent is written down afterwards, so that a process that dies in
 * between makes another send it again, never skip it.
 */
export class DeliveryEngine {
  readonly #context: Context
  readonly #sender: Sender
  readonly #leaseId = newId('webhookLease')
  readonly #lines = new Map<WebhookId, WebhookLine>()
  readonly #places = new SharedPlaces(sharedPlaces)
  readonly #sending = new Set<Promise<void>>()
  readonly #ending = new AbortController()
  readonly #clockWatch = new ClockWatch()
  /** Accounts with webhooks, as far as this process knows; those of others it learns of by its sweep. */
  #accounts = new Set<AccountId>()
  #woken = new Set<AccountId>()
  #isSweepDue = true
  #renewedAtMs = performance.now()
  #turn: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #sweeper: NodeJS.Timeout | undefined
  #results: Settled[] = []
  /** Subjects of which attempts ended, once all before are written down. */
  #ended: { line: WebhookLine; subject: string }[] = []
  /** Lines whose health is another than the database says. */
  readonly #changed = new Set<WebhookLine>()
  readonly #recovered = new Set<WebhookLine>()
  readonly #toPause = new Map<WebhookLine, 'failing' | 'gone'>()
  #flush: Promise<void> | undefined
  #isStopped = false

  constructor(context: Context, sender: Sender) {
    this.#context = context
    this.#sender = sender
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs)
    this.#soon(0)
  }

  /** Something happened in an account. */
  wake(accountId: AccountId, what: string): void {
    if (what.startsWith('webhook.')) this.#accounts.add(accountId)
    if (!this.#accounts.has(accountId)) return
    this.#woken.add(accountId)
    this.#soon(gatherMs)
  }

  /** Messages that are under way. */
  get underWay(): number {
    return this.#sending.size
  }

  /** Ends messages under way that take too long, writes down the others, and leaves the webhooks to other processes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeper)
    clearTimeout(this.#timer)
    for (const line of this.#lines.values()) line.drop()
    const patience = setTimeout(() => this.#ending.abort(), graceMs)
    await Promise.all([this.#turn, ...this.#sending])
    clearTimeout(patience)
    await this.#flush
    try {
      await this.#writeDown()
      await releaseLeases(this.#context.db.sql, this.#leaseId, [...this.#lines.keys()])
    } catch (error) {
      this.#context.log.warn({ err: error }, 'deliveries of webhooks could not be written down: they are sent again')
    }
    this.#lines.clear()
  }

  #sweep(): void {
    this.#isSweepDue = true
    this.#soon(0)
  }

  #soon(waitMs: number): void {
    if (this.#isStopped || this.#turn || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#turn = this.#takeTurn().finally(() => {
        this.#turn = undefined
        if (this.#hasWork()) this.#soon(gatherMs)
      })
    }, waitMs)
  }

  #hasWork(): boolean {
    return this.#woken.size > 0 || this.#isSweepDue || [...this.#lines.values()].some((line) => this.#wantsMore(line))
  }

  #wantsMore(line: WebhookLine): boolean {
    return line.isDirty && line.room(this.#context.clock.now()) > 0
  }

  async #takeTurn(): Promise<void> {
    try {
      const isSweep = this.#isSweepDue
      this.#isSweepDue = false
      if (isSweep) await this.#clockWatch.look(this.#context.clock.now(), () => this.#bringBack())
      if (isSweep) this.#accounts = new Set(await listAccountsWithWebhooks(this.#context.db.sql))
      await this.#lookAtFeeds(isSweep)
      await this.#renewLeases()
      if (isSweep) {
        if (this.#accounts.size > 0 || this.#lines.size > 0) await this.#takeLeases()
        for (const line of this.#lines.values()) line.isDirty = true
      }
      await this.#load()
      if (isSweep) await this.#releaseIdle()
    } catch (error) {
      if (this.#isStopped) return
      const isAway = isConnectionError(error)
      this.#context.log[isAway ? 'warn' : 'error'](
        { err: error },
        'webhooks could not be looked after; it is tried again',
      )
      await new Promise((resolve) => setTimeout(resolve, restMs))
      this.#isSweepDue = true
    }
  }

  async #bringBack(): Promise<void> {
    await bringBack(this.#context.db.sql, this.#lease())
    for (const line of this.#lines.values()) line.health = { ...line.health, retry_at: null }
  }

  async #lookAtFeeds(isSweep: boolean): Promise<void> {
    const accounts = isSweep ? this.#accounts : this.#woken
    this.#woken = new Set()
    if (accounts.size === 0) return
    const { webhookIds, hasMore, isWaiting } = await fanOut(this.#context, [...accounts])
    if (hasMore) for (const id of accounts) this.#woken.add(id)
    if (isWaiting) setTimeout(() => this.#wakeAll(accounts), waitForFinalMs).unref()
    const others: WebhookId[] = []
    for (const id of webhookIds) {
      const line = this.#lines.get(id)
      if (line) line.isDirty = true
      else others.push(id)
    }
    if (others.length > 0 && !isSweep) await this.#takeLeases(others)
  }

  #wakeAll(accounts: ReadonlySet<AccountId>): void {
    for (const id of accounts) this.#woken.add(id)
    this.#soon(0)
  }

  async #takeLeases(among?: readonly WebhookId[]): Promise<void> {
    const room = mostLines - this.#lines.size
    if (room <= 0 || this.#isStopped) return
    for (const leased of await takeLeases(this.#context.db.sql, this.#lease(), room, among)) {
      const held = this.#lines.get(leased.id)
      // It was lost meanwhile, by a change of its settings or a long pause of this process.
      held?.drop()
      const { account_id: _, id: __, ...health } = leased
      if (held) Object.assign(held, { health, isDirty: true })
      else this.#lines.set(leased.id, new WebhookLine(leased, this.#places))
    }
  }

  #lease() {
    const now = this.#context.clock.now()
    return { id: this.#leaseId, now, until: new Date(now.getTime() + leaseMs) }
  }

  async #renewLeases(): Promise<void> {
    if (this.#lines.size === 0 || performance.now() - this.#renewedAtMs < renewEveryMs) return
    this.#renewedAtMs = performance.now()
    const held = await renewLeases(this.#context.db.sql, this.#lease(), [...this.#lines.keys()])
    for (const [id, line] of this.#lines) {
      if (held.has(id)) continue
      line.drop()
      this.#lines.delete(id)
    }
  }

  async #load(): Promise<void> {
    const { db, clock } = this.#context
    const now = clock.now()
    const lines = [...this.#lines.values()].filter((line) => this.#wantsMore(line))
    if (lines.length === 0 || this.#isStopped) return
    for (const line of lines) line.isDirty = false
    const asks = lines.map((line) => ({ accountId: line.accountId, webhookId: line.id, room: line.room(now) }))
    const busy = lines.flatMap((line) => line.busySubjects().map((subject) => `${line.id} ${subject}`))
    const rows = Map.groupBy(await readDue(db.sql, this.#leaseId, now, asks, busy), (row) => row.webhook_id)
    for (const [index, line] of lines.entries()) {
      const own = rows.get(line.id) ?? []
      line.load(own)
      if (own.length === asks[index]?.room) line.isDirty = true
      this.#start(line)
    }
  }

  async #releaseIdle(): Promise<void> {
    const before = performance.now() - idleMs
    const idle = [...this.#lines.values()].filter((line) => line.isIdle && line.usedAtMs < before)
    for (const line of idle) this.#lines.delete(line.id)
    await releaseLeases(
      this.#context.db.sql,
      this.#leaseId,
      idle.map((line) => line.id),
    )
  }

  /** Sends as much at once as there are places. */
  #start(line: WebhookLine): void {
    while (!this.#isStopped) {
      const rows = line.next(this.#context.clock.now())
      if (!rows) break
      const sending = this.#sendAll(line, rows).finally(() => {
        this.#sending.delete(sending)
        this.#start(line)
      })
      this.#sending.add(sending)
    }
    if (this.#wantsMore(line)) this.#soon(gatherMs)
  }

  /** The events of one subject, one after another, until one is not taken. */
  async #sendAll(line: WebhookLine, rows: readonly Due[]): Promise<void> {
    for (const row of rows) {
      if (this.#isStopped || this.#lines.get(line.id) !== line) break
      const outcome = await this.#send(row)
      if (!outcome) break
      this.#recordOutcome(line, row, outcome)
      if (outcome.failure !== null) break
    }
    line.end(rows)
    const [first] = rows
    if (first) this.#ended.push({ line, subject: first.subject_id })
    this.#flushSoon()
  }

  /** Undefined when the service ended it. */
  async #send(row: Due): Promise<Outcome | undefined> {
    const { secrets, clock } = this.#context
    if (row.event_at === null) return refused('event_removed', 'The event is older than events are kept.')
    let message: ReturnType<typeof makeMessage>
    try {
      const event = {
        id: row.event_id,
        type: row.event_type,
        subject_id: row.subject_id,
        data: row.data,
        actor: row.actor ?? '',
        created_at: row.event_at,
      }
      message = makeMessage(secrets, row, event, clock.now())
    } catch (error) {
      this.#context.log.error({ err: error, webhook_id: row.webhook_id }, 'the secret of a webhook cannot be opened')
      return refused('secret_unreadable', 'The stored secret cannot be decrypted: rotate it.')
    }
    try {
      return await this.#sender.send(message, this.#ending.signal)
    } catch (error) {
      if (this.#ending.signal.aborted) return undefined
      throw error
    }
  }

  #recordOutcome(line: WebhookLine, row: Due, outcome: Outcome): void {
    const now = this.#context.clock.now()
    const { failure, status_code, answer, duration_ms, retryAfterMs } = outcome
    const attempted = {
      line,
      account_id: row.account_id,
      id: row.id,
      attempts: row.attempts,
      failure,
      status_code,
      answer,
      duration_ms,
      attempted_at: now,
    }
    line.recordDuration(duration_ms)
    if (failure === null) {
      this.#recordSuccess(line)
      this.#results.push({ ...attempted, status: 'delivered', due_at: now })
      return
    }
    const isOver = failure === 'event_removed'
    if (!isOver) {
      line.health = afterFailure(line.health, now, retryAfterMs, Math.random())
      this.#changed.add(line)
      if (status_code === 410) this.#toPause.set(line, 'gone')
      else if (isDead(line.health, now)) this.#toPause.set(line, 'failing')
    }
    const waitMs = isOver ? undefined : retryWaitMs(row.attempts + 1, retryAfterMs, Math.random())
    const isGivenUp = waitMs === undefined && !this.#toPause.has(line)
    this.#results.push({
      ...attempted,
      status: isGivenUp ? 'failed' : 'pending',
      due_at: new Date(now.getTime() + (waitMs ?? 0)),
    })
  }

  #recordSuccess(line: WebhookLine): void {
    if (line.health.failures === 0 && line.health.retry_at === null) return
    if (isFailing(line.health)) this.#recovered.add(line)
    line.health = healthy
    this.#changed.add(line)
    this.#toPause.delete(line)
  }

  #flushSoon(): void {
    this.#flush ??= new Promise((resolve) => setTimeout(resolve, gatherMs / 2))
      .then(() => this.#writeDown())
      .catch(async (error: unknown) => {
        if (this.#isStopped) return
        this.#context.log.warn({ err: error }, 'deliveries of webhooks could not be written down; it is tried again')
        await new Promise((resolve) => setTimeout(resolve, restMs))
      })
      .finally(() => {
        this.#flush = undefined
        if (this.#results.length + this.#ended.length > 0 && !this.#isStopped) this.#flushSoon()
      })
  }

  /** Everything is kept until it is written, so that a failure of the database loses nothing. */
  async #writeDown(): Promise<void> {
    const { db, clock } = this.#context
    const results = [...this.#results]
    const ended = [...this.#ended]
    if (results.length > 0) {
      await settleAttempts(
        db.sql,
        results.map(({ line: _, ...attempted }) => attempted),
      )
      this.#results = this.#results.slice(results.length)
    }
    for (const line of this.#changed) {
      this.#changed.delete(line)
      const row = { account_id: line.accountId, id: line.id, ...line.health }
      await saveHealth(db.sql, this.#leaseId, row).catch((error: unknown) => {
        this.#changed.add(line)
        throw error
      })
    }
    for (const line of this.#recovered) {
      await makeAllDue(db.sql, line.accountId, line.id, clock.now())
      this.#recovered.delete(line)
    }
    for (const [line, reason] of this.#toPause) {
      await pauseWebhook(this.#context, line.accountId, line.id, reason)
      this.#toPause.delete(line)
      line.drop()
      this.#lines.delete(line.id)
    }
    this.#ended = this.#ended.slice(ended.length)
    for (const { line, subject } of ended) {
      line.settled(subject)
      this.#start(line)
    }
  }
}

/** Answers what is not even tried. */
function refused(failure: 'event_removed' | 'secret_unreadable', answer: string): Outcome {
  return { failure, status_code: null, answer, duration_ms: 0, retryAfterMs: 0 }
}
