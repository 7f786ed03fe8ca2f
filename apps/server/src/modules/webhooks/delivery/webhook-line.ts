import { type EndpointHealth, isFailing } from '../../outbound/retry-schedule.ts'
import type { Due, Leased } from './due.queries.ts'

/** Rows of one webhook that are held in memory. */
const mostLoaded = 100

/** Messages to one webhook at once that need no one's leave, and at most. */
const ownPlaces = 2
const mostPlaces = 10

/** A receiver that takes longer to answer than this, in ms, gets no more than its own places. */
const slowMs = 1_000

/** Share of the newest answer in the average of how long answers take. */
const newestShare = 0.2

/** Places beside those that every webhook has, for all webhooks of a process together. */
export class SharedPlaces {
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  take(): boolean {
    if (this.#free === 0) return false
    this.#free -= 1
    return true
  }

  giveBack(): void {
    this.#free += 1
  }
}

/** What one process holds of a webhook that it sends to: of each subject one message at a time, in order. */
export class WebhookLine {
  readonly accountId: Leased['account_id']
  readonly id: Leased['id']
  health: EndpointHealth
  /** True when there may be something to read. */
  isDirty = true
  /** Time when something was last read or sent, in ms of the process. */
  usedAtMs = performance.now()
  readonly #shared: SharedPlaces
  /** By subject, in the order in which it came: what is not being sent yet. */
  readonly #waiting = new Map<string, Due[]>()
  /** By subject: whether its message uses a shared place. */
  readonly #running = new Map<string, boolean>()
  /** Subjects whose last attempts are not written down yet. */
  readonly #settling = new Set<string>()
  #loaded = 0
  #averageMs = 0

  constructor({ account_id, id, ...health }: Leased, shared: SharedPlaces) {
    this.accountId = account_id
    this.id = id
    this.health = health
    this.#shared = shared
  }

  /** Answers how many more rows may be read. */
  room(now: Date): number {
    if (this.health.retry_at !== null && this.health.retry_at > now) return 0
    if (isFailing(this.health)) return this.#loaded === 0 && this.#running.size === 0 ? 1 : 0
    return mostLoaded - this.#loaded
  }

  /** Subjects that nothing is read of. */
  busySubjects(): string[] {
    return [...this.#waiting.keys(), ...this.#running.keys(), ...this.#settling]
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0 && this.#settling.size === 0
  }

  load(rows: readonly Due[]): void {
    for (const row of rows) {
      const lane = this.#waiting.get(row.subject_id)
      if (lane) lane.push(row)
      else this.#waiting.set(row.subject_id, [row])
    }
    this.#loaded += rows.length
    if (rows.length > 0) this.usedAtMs = performance.now()
  }

  /** The rows of the next subject, for which there is a place now; undefined when there is none. */
  next(now: Date): Due[] | undefined {
    if (this.health.retry_at !== null && this.health.retry_at > now) this.drop()
    const [first] = this.#waiting
    if (!first) return undefined
    const needsShared = this.#running.size >= ownPlaces
    if (isFailing(this.health) ? this.#running.size > 0 : needsShared && !this.#takeShared()) return undefined
    const [subject, rows] = first
    this.#waiting.delete(subject)
    this.#running.set(subject, needsShared)
    return rows
  }

  /** Forgets what is not being sent yet. */
  drop(): void {
    for (const rows of this.#waiting.values()) this.#loaded -= rows.length
    this.#waiting.clear()
  }

  #takeShared(): boolean {
    return this.#running.size < mostPlaces && this.#averageMs < slowMs && this.#shared.take()
  }

  recordDuration(ms: number): void {
    this.#averageMs += (ms - this.#averageMs) * newestShare
  }

  /** Nothing more is sent of these rows for now; what was is to be written down. */
  end(rows: readonly Due[]): void {
    const subject = rows[0]?.subject_id
    if (subject === undefined) return
    if (this.#running.get(subject)) this.#shared.giveBack()
    this.#running.delete(subject)
    this.#settling.add(subject)
    this.#loaded -= rows.length
    this.usedAtMs = performance.now()
  }

  /** What was sent of a subject is written down: more of it may be read. */
  settled(subject: string): void {
    this.#settling.delete(subject)
    this.isDirty = true
  }
}
