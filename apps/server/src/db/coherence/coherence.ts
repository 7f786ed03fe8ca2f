import { setTimeout as wait } from 'node:timers/promises'
import { backOffMs } from '../../kernel/back-off.ts'
import type { DatabaseTarget } from '../driver/database-target.ts'
import { type DatabaseLog, silentLog } from '../setup/database-log.ts'
import { LeaseClock, leaseMs, marginMs, readMoment, renewEveryMs } from './lease-clock.ts'
import { type Listener, NoticeSession } from './notice-session.ts'

/** Hears the ID of what was changed, by whichever process; or undefined when changes may have been missed. */
export type ForgetListener = (changedId: string | undefined) => void

interface Question {
  missing: Set<number>
  answered: () => void
}

/** Time that a process that cannot take part waits before it tries again, in ms. */
const longestBackOffMs = 5_000

/**
 * Keeps the memories of the processes on one database at one: docs/decisions/0043-keys-in-memory.md says how. A member may use what it
 * remembers while its lease is live; who changes something answers only when every member has forgotten it, or has no lease any more.
 */
export class Coherence {
  readonly #target: DatabaseTarget
  readonly #applicationName: string
  readonly #clock = new LeaseClock()
  readonly #listeners = new Set<ForgetListener>()
  readonly #questions = new Map<number, Question>()
  #lastQuestion = 0
  #log: DatabaseLog = silentLog
  #session: NoticeSession | undefined
  #opening: Promise<NoticeSession> | undefined
  #term = 0
  #isMember = false
  #isAlone = false
  #isClosed = false
  #membership: Promise<void> | undefined
  #nextRound: Promise<void> | undefined

  constructor(target: DatabaseTarget, applicationName = 'printyard') {
    this.#target = target
    this.#applicationName = `${applicationName} notices`
  }

  /** True when what was remembered in this term, and not forgotten since, is so at this moment. Asked at each use. */
  get isCurrent(): boolean {
    return this.#isMember && this.#clock.isLive
  }

  /** The time for which no notice was missed, as a number. Undefined while notices may be missed. */
  get term(): number | undefined {
    return this.#isMember ? this.#term : undefined
  }

  onForget(listener: ForgetListener): void {
    this.#listeners.add(listener)
  }

  /**
   * Takes part from now on until it is closed, with a session of the database of its own. Without that session nothing is current, and
   * it is tried again.
   *
   * @param isAlone that no other process takes part, as with the database of a data directory: then no one is waited for.
   */
  join(log: DatabaseLog, { isAlone = false } = {}): void {
    this.#log = log
    this.#isAlone = isAlone
    this.#membership ??= this.#stayMember()
  }

  /**
   * Forgets here what was changed by a transaction that has committed. The promise is that all others have forgotten it, too; there is
   * none where no one else is to be waited for.
   */
  tell(changedIds: readonly string[]): Promise<void> | undefined {
    for (const id of changedIds) this.#forget(id)
    if (this.#isAlone || this.#isClosed) return undefined
    // What was committed in the same turn is asked for together.
    this.#nextRound ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#nextRound = undefined
        resolve(this.#waitForOthers())
      })
    })
    return this.#nextRound
  }

  /** Answers how many other processes take part at this moment. */
  async countOthers(): Promise<number> {
    const session = await this.#open()
    return (await session.listMembers()).filter((pid) => pid !== session.pid).length
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#leave()
    const session = this.#session ?? (await this.#opening?.catch(() => undefined))
    await session?.close()
  }

  #forget(id: string | undefined): void {
    for (const listener of this.#listeners) listener(id)
  }

  async #stayMember(): Promise<void> {
    for (let failures = 0; !this.#isClosed; ) {
      try {
        const session = await this.#open()
        await session.join()
        await this.#checkDelivery(session)
        failures = 0
        await this.#renewUntilLost(session)
      } catch (error) {
        if (this.#isClosed) return
        failures += 1
        this.#log.warn({ err: error }, 'nothing is answered from memory: notices of changes do not arrive')
        this.#session?.destroy()
      }
      this.#leave()
      if (!this.#isClosed) await wait(backOffMs(failures + 1, { firstMs: 100, longestMs: longestBackOffMs }))
    }
  }

  /** Checks once, by a question of its own, that notices arrive at all. */
  async #checkDelivery(session: NoticeSession): Promise<void> {
    const missing = await this.#ask(session, [session.pid], longestBackOffMs)
    if (missing.length > 0) throw new Error('the database does not deliver notices on this connection')
  }

  async #renewUntilLost(session: NoticeSession): Promise<void> {
    while (!this.#isClosed && this.#session === session) {
      const askedAt = readMoment()
      await session.prove()
      if (this.#session !== session) return
      if (!this.#isMember) {
        this.#term += 1
        this.#isMember = true
      }
      this.#clock.extend(askedAt)
      await wait(renewEveryMs, undefined, { ref: false })
    }
  }

  #leave(): void {
    const wasMember = this.#isMember
    this.#isMember = false
    this.#clock.end()
    if (wasMember) this.#forget(undefined)
  }

  #open(): Promise<NoticeSession> {
    if (this.#session) return Promise.resolve(this.#session)
    this.#opening ??= this.#openNew().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #openNew(): Promise<NoticeSession> {
    let hasEnded = false
    const listener: Listener = {
      changed: (id) => this.#forget(id),
      asked: (by, question) => {
        // Everything told before was forgotten above. A failure is that of the session, which ends for itself.
        this.#session?.confirm(by, question).catch(() => undefined)
      },
      confirmed: (question, pid) => this.#confirmed(question, pid),
      ended: () => {
        hasEnded = true
        this.#session = undefined
        this.#leave()
      },
    }
    const session = await NoticeSession.open(this.#target, this.#applicationName, listener)
    if (hasEnded) throw new Error('the session for notices has ended')
    this.#session = session
    return session
  }

  /**
   * Never fails: a proof that was asked for after this began has brought the notices with it, and one from before is over by then, so
   * that time alone is enough.
   */
  async #waitForOthers(): Promise<void> {
    const patience = new AbortController()
    const patienceMs = leaseMs + marginMs
    const isOver = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)
    const isHeard = this.#askOthers(patienceMs).catch(async (error: unknown) => {
      if (!this.#isClosed) this.#log.warn({ err: error }, 'waiting until memories elsewhere are over')
      await isOver
    })
    await Promise.race([isOver, isHeard])
    patience.abort()
  }

  async #askOthers(patienceMs: number): Promise<void> {
    const session = await this.#open()
    const others = (await session.listMembers()).filter((pid) => pid !== session.pid)
    if (others.length === 0) return
    const missing = await this.#ask(session, others, patienceMs)
    if (missing.length === 0) return
    this.#log.warn({ sessions: missing }, 'a process has not confirmed a change; its session for notices is ended')
    await session.expel(missing)
  }

  /** Answers who has not confirmed in time. */
  async #ask(session: NoticeSession, pids: number[], patienceMs: number): Promise<number[]> {
    this.#lastQuestion += 1
    const number = this.#lastQuestion
    const patience = new AbortController()
    const missing = new Set(pids)
    const answered = new Promise<void>((resolve) => {
      this.#questions.set(number, { missing, answered: resolve })
    })
    try {
      await session.ask(number)
      await Promise.race([answered, wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)])
      return [...missing]
    } finally {
      patience.abort()
      this.#questions.delete(number)
    }
  }

  #confirmed(number: number, pid: number): void {
    const question = this.#questions.get(number)
    question?.missing.delete(pid)
    if (question?.missing.size === 0) question.answered()
  }
}
