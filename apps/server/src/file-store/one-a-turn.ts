import { setImmediate as nextTurn } from 'node:timers/promises'

/** Does work that keeps its thread, one piece in a turn of the event loop: what was awaited ends between two of them, however many wait. */
export class OneATurn {
  #last: Promise<void> = Promise.resolve()

  /** Ends when the work is done, after what was given before. Rejects with what it throws; the next is done then as well. */
  do(work: () => void): Promise<void> {
    const done = this.#last.then(() => nextTurn()).then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
