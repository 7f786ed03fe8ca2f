import { AppError } from '../../../kernel/errors.ts'

/**
 * Lets only some pieces of work run at once, in the order in which they came. Who would wait behind more than
 * `mostWaiting` others is refused at once.
 *
 * @throws AppError `SERVICE_UNAVAILABLE`
 */
export function makeTurns({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) {
        throw new AppError('SERVICE_UNAVAILABLE', { why: 'too many people sign in at once' }, { retryAfterSeconds: 5 })
      }
      // Whoever ends hands the turn on, so that nobody who comes later takes it.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
