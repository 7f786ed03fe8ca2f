import type { Sql } from '../../db/database.ts'
import type { AccountId, AttemptId, JobId, PrinterId } from '../../kernel/ids.ts'
import { findJobOfAttempt } from './printers.queries.ts'

/** More than print at once at a process; beyond it the one first asked for is forgotten first. */
const mostKept = 20_000

/** Which job an attempt is of: asked for with each status of a printer that prints, and never another one. */
export class JobsOfAttempts {
  readonly #sql: Sql
  readonly #mostKept: number
  readonly #jobs = new Map<string, JobId>()

  constructor(sql: Sql, capacity = mostKept) {
    this.#sql = sql
    this.#mostKept = capacity
  }

  /** Answers at once what is known. Undefined when there is no such attempt of this printer in this account. */
  find(
    accountId: AccountId,
    printerId: PrinterId,
    attemptId: AttemptId,
  ): JobId | undefined | Promise<JobId | undefined> {
    // All three: a hub says which attempt it is, and may say that of a stranger.
    const key = `${accountId} ${printerId} ${attemptId}`
    return this.#jobs.get(key) ?? this.#read(key, accountId, printerId, attemptId)
  }

  async #read(
    key: string,
    accountId: AccountId,
    printerId: PrinterId,
    attemptId: AttemptId,
  ): Promise<JobId | undefined> {
    const jobId = await findJobOfAttempt(this.#sql, accountId, printerId, attemptId)
    if (jobId === undefined) return undefined
    this.#jobs.set(key, jobId)
    for (const first of this.#jobs.keys()) {
      if (this.#jobs.size <= this.#mostKept) break
      this.#jobs.delete(first)
    }
    return jobId
  }
}
