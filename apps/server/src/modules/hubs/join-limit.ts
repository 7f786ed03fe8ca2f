import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../errors.ts'
import { clientNetwork } from '../../http/client-network.ts'

/** Tries that one client may make per minute, right or wrong. A code has 40 bits and lives for ten minutes. */
const triesPerMinute = 10

/** Counts a try of a client address, or refuses it with RATE_LIMITED. */
export function makeJoinLimiter() {
  const limiter = new RateLimiterMemory({ points: triesPerMinute, duration: 60 })

  return async function countTry(address: string): Promise<void> {
    try {
      await limiter.consume(clientNetwork(address))
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown
      const seconds = Math.max(1, Math.ceil(thrown.msBeforeNext / 1000))
      throw new AppError('RATE_LIMITED', { seconds }, { retryAfterSeconds: seconds })
    }
  }
}
