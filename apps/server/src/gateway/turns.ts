import { FairQueue } from '../db/driver/fair-queue.ts'

interface TurnLimits {
  /** Pieces of work that run at once. */
  atOnce: number
  /** Time that one of them counts, in ms. One that takes longer goes on, and the next begins beside it. */
  longestMs: number
}

interface Waiting {
  isWanted(): boolean
  begin(): void
  giveUp(): void
}

/**
 * Lets a few pieces of work run at once. Owners are served in turns, each in the order in which it asked. Work that hangs holds its
 * place for a while only, and work that is not wanted any more when its turn comes takes none.
 */
export class Turns<Owner> {
  readonly #limits: TurnLimits
  readonly #queue = new FairQueue<Owner, Waiting>()
  #running = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Answers what `work` answers, once it had its turn; undefined when it was not wanted any more by then. */
  run<T>(owner: Owner, work: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        const leave = this.#takePlace()
        work().finally(leave).then(resolve, reject)
      }
      this.#queue.add(owner, { isWanted, begin, giveUp: () => resolve(undefined) })
      this.#serve()
    })
  }

  #serve(): void {
    while (this.#running < this.#limits.atOnce) {
      const next = this.#queue.next(() => true)
      if (next === undefined) return
      if (next.isWanted()) next.begin()
      else next.giveUp()
    }
  }

  #takePlace(): () => void {
    this.#running += 1
    let isHeld = true
    const leave = () => {
      clearTimeout(timer)
      if (!isHeld) return
      isHeld = false
      this.#running -= 1
      this.#serve()
    }
    const timer = setTimeout(leave, this.#limits.longestMs).unref()
    return leave
  }
}
