import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { clientNetwork, clientSite } from '../kernel/client-network.ts'
import { AppError } from '../kernel/errors.ts'
import { FixedWindow } from '../kernel/fixed-window.ts'
import type { HubId } from '../kernel/ids.ts'

const windowSeconds = 60

/** What one person who is signed in may ask per minute, unless keys may ask more: a page asks for many things at once. */
const sessionCallsPerMinute = 1_200

/** Failed sign-ins by API key that one client address may make per minute. */
const failuresPerMinute = 60

/** The limit of a person who is signed in. */
export function makeSessionLimiter(perMinuteOfKeys: number) {
  return makeCallLimiter(Math.max(sessionCallsPerMinute, perMinuteOfKeys))
}

/**
 * The limit per API key or session: a fixed window that begins with the key's first call; refused calls do not extend it. Every
 * answer says how much is left. `X-RateLimit-Reset` is in Unix seconds, the draft's `t` in seconds from now.
 */
export function makeCallLimiter(perMinute: number) {
  const windows = new FixedWindow(windowSeconds * 1000)
  const policy = `"default";q=${perMinute};w=${windowSeconds}`

  return function countCall(callerId: string, reply: FastifyReply): void {
    const now = Date.now()
    const { calls, endsAt } = windows.count(callerId, now)
    const secondsLeft = Math.max(1, Math.ceil((endsAt - now) / 1000))
    const remaining = Math.max(0, perMinute - calls)
    // In lower case, as they are kept: else each name is made so, and looked for, at every request.
    reply.header('x-ratelimit-limit', perMinute)
    reply.header('x-ratelimit-remaining', remaining)
    reply.header('x-ratelimit-reset', Math.ceil(endsAt / 1000))
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"default";r=${remaining};t=${secondsLeft}`)
    if (calls > perMinute) {
      throw new AppError('RATE_LIMITED', { seconds: secondsLeft }, { retryAfterSeconds: secondsLeft })
    }
  }
}

/** Slows down the guessing of keys: a client address that failed too often is refused before the key is looked at. */
export function makeFailureLimiter() {
  const limiter = new RateLimiterMemory({ points: failuresPerMinute, duration: windowSeconds })
  return {
    async noteFailure(address: string): Promise<void> {
      await limiter.penalty(clientNetwork(address))
    },
    async refuseIfExhausted(address: string): Promise<void> {
      const state = await limiter.get(clientNetwork(address))
      if (state && state.consumedPoints >= failuresPerMinute) {
        const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
        throw new AppError('RATE_LIMITED', { seconds }, { retryAfterSeconds: seconds })
      }
    },
  }
}

/** How often one hub may connect in a minute. Each time writes two events; a hub that waits longer and longer stays far below. */
const connectsPerMinute = 120

/** Counts the connections of each hub; true when this one is too many. */
export function makeConnectLimiter() {
  const limiter = new RateLimiterMemory({ points: connectsPerMinute, duration: windowSeconds })
  return async function isTooMany(hubId: HubId): Promise<boolean> {
    try {
      await limiter.consume(hubId)
      return false
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown
      return true
    }
  }
}

/** An IPv6 site, all of whose networks one client may have, has as many tries as so many networks. */
const networksOfSite = 4

/**
 * Counts the tries of a client address, right or wrong, or refuses them; those of one IPv6 site together, too. The time is a
 * minute unless it is given.
 */
export function makeTryLimiter(tries: number, seconds: number = windowSeconds) {
  const ofNetwork = new RateLimiterMemory({ points: tries, duration: seconds })
  const ofSite = new RateLimiterMemory({ points: tries * networksOfSite, duration: seconds })

  return async function countTry(address: string): Promise<void> {
    const site = clientSite(address)
    try {
      await ofNetwork.consume(clientNetwork(address))
      if (site !== undefined) await ofSite.consume(site)
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown
      const secondsLeft = Math.max(1, Math.ceil(thrown.msBeforeNext / 1000))
      throw new AppError('RATE_LIMITED', { seconds: secondsLeft }, { retryAfterSeconds: secondsLeft })
    }
  }
}
