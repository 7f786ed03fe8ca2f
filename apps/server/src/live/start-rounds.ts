import type { AccountId } from '../kernel/ids.ts'

interface Open {
  rounds: number
  over: PromiseWithResolvers<void>
}

/** Rounds in which this process starts jobs. What is not needed to start a printer waits for them: a large farm takes seconds. */
export class StartRounds {
  readonly #open = new Map<AccountId, Open>()

  /** Runs a round of an account. */
  async run<T>(accountId: AccountId, round: () => Promise<T>): Promise<T> {
    const open = this.#open.get(accountId) ?? { rounds: 0, over: Promise.withResolvers<void>() }
    this.#open.set(accountId, open)
    open.rounds += 1
    try {
      return await round()
    } finally {
      open.rounds -= 1
      if (open.rounds === 0) {
        this.#open.delete(accountId)
        open.over.resolve()
      }
    }
  }

  /** Resolves when no round of the account is under way; undefined when none is. Another one may begin at once. */
  end(accountId: AccountId): Promise<void> | undefined {
    return this.#open.get(accountId)?.over.promise
  }
}

/** For `context.memory.hold`. */
export const makeStartRounds = () => new StartRounds()
