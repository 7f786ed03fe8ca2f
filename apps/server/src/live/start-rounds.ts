import type { AccountId } from '../kernel/ids.ts'

/** Rounds in which this process starts jobs. What is not needed to start a printer waits for them: a large farm takes seconds. */
export class StartRounds {
  /** Of each account with rounds the end of the last one that was asked for. */
  readonly #ends = new Map<AccountId, Promise<void>>()

  /** Runs a round of an account after those that were asked for before: one that waits holds no connection to the database. */
  run<T>(accountId: AccountId, round: () => Promise<T>): Promise<T> {
    const result = (this.#ends.get(accountId) ?? Promise.resolve()).then(round)
    const end = result.then(
      () => undefined,
      () => undefined,
    )
    const last = end.then(() => {
      if (this.#ends.get(accountId) === last) this.#ends.delete(accountId)
    })
    this.#ends.set(accountId, last)
    return result
  }

  /** Resolves when the rounds that were asked for so far are over; undefined when there are none. */
  end(accountId: AccountId): Promise<void> | undefined {
    return this.#ends.get(accountId)
  }
}

/** For `context.memory.hold`. */
export const makeStartRounds = () => new StartRounds()
