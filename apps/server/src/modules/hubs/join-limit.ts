import { makeTryLimiter } from '../../http/rate-limit.ts'
import type { Limits } from '../../limits/limits.ts'

/** Tries that one client may make per minute, right or wrong. A code has 40 bits and lives for ten minutes. */
const triesPerMinute = 10

/** Counts a try of a client address, or refuses it with RATE_LIMITED. */
export function makeJoinLimiter(limits: Limits) {
  return makeTryLimiter(limits, 'join', triesPerMinute)
}
