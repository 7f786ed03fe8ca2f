import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../errors.ts'

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

/** Who counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one client has to itself. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] as string
  const bare = address.split('%')[0] as string
  if (!isIPv6(bare)) return address
  const [head = '', tail] = bare.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    // A dotted ending stands for two groups.
    const length = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
    groups.push(...Array.from({ length: 8 - groups.length - length }, () => '0'), ...after)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
