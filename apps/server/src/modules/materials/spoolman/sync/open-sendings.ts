import type { AccountId } from '../../../../kernel/ids.ts'
import { concludeAfterMs } from './settle-usage.ts'
import type { LinkedSpool } from './sync.queries.ts'

/**
 * Times when this process began to tell what, by its steady clock. The clock of the machine may be set in that minute, and a request that is taken
 * for lost too early is told once more and counts twice.
 */
export class OpenSendings {
  readonly #steadyMs: () => number
  /** By spool and the time that was written down for it, which no other sending of that spool has. */
  readonly #openMs = new Map<string, number>()

  constructor(steadyMs: () => number) {
    this.#steadyMs = steadyMs
  }

  begin(accountId: AccountId, spoolId: number, sendingAt: Date): void {
    this.#openMs.set(keyOf(accountId, spoolId, sendingAt), this.#steadyMs())
  }

  /** It is known what came of it. */
  end(accountId: AccountId, spoolId: number, sendingAt: Date): void {
    this.#openMs.delete(keyOf(accountId, spoolId, sendingAt))
  }

  /** Answers whether what was told may still be on its way. What another process began is judged by the clock that all of them share. */
  mayStillArrive(
    accountId: AccountId,
    { spool_id, sending_at }: Pick<LinkedSpool, 'spool_id' | 'sending_at'>,
    now: Date,
  ) {
    if (sending_at === null) return false
    const begunMs = this.#openMs.get(keyOf(accountId, spool_id, sending_at))
    const passedMs = begunMs === undefined ? now.getTime() - sending_at.getTime() : this.#steadyMs() - begunMs
    return passedMs < concludeAfterMs
  }
}

const keyOf = (accountId: AccountId, spoolId: number, sendingAt: Date) =>
  `${accountId} ${spoolId} ${sendingAt.getTime()}`
