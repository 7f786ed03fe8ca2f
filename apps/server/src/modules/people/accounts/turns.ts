import { AppError } from '../../../kernel/errors.ts'

interface TurnLimits {
  atOnce: number
  mostWaiting: number
}

/**
 * Lets only some pieces of work run at once, in the order in which they came. Who would wait behind more than
 * `mostWaiting` others is refused at once.
 *
 * @throws AppError `SERVICE_UNAVAILABLE`
 */
export function makeTurns({ atOnce, mostWaiting }: TurnLimits) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) {
        throw new AppError('SERVICE_UNAVAILABLE', { why: 'too many people sign in at once' }, { retryAfterSeconds: 5 })
      }
      // Anyone who ends hands the turn on, so that no one who comes later takes it.
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

/**
 * Turns of which some are reserved: who is named gets one of those, and each name one at a time, so that neither strangers nor
 * one name alone can hold the others up. Who is not named, or has one already, waits with everybody.
 */
export function makeTurnsWithReserve(everybody: TurnLimits, reserve: TurnLimits) {
  const inTurn = makeTurns(everybody)
  const inReservedTurn = makeTurns(reserve)
  const served = new Set<string>()

  return async function inTurnOf<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
    if (name === undefined || served.has(name)) return inTurn(work)
    served.add(name)
    try {
      return await inReservedTurn(work)
    } finally {
      served.delete(name)
    }
  }
}
