import type { FastifyReply } from 'fastify'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { clientNetwork, clientSite } from '../kernel/client-network.ts'
import { AppError } from '../kernel/errors.ts'
import { FixedWindow } from '../kernel/fixed-window.ts'
import type { HubId } from '../kernel/ids.ts'
import type { Limits } from '../limits/limits.ts'

const windowSeconds = 60

/** What one person who is signed in may ask per minute, unless keys may ask more: a page asks for many things at once. */
const sessionCallsPerMinute = 1_200

/** Failed sign-ins by API key that one client address may make per minute. */
const failuresPerMinute = 60

/** The limit of a person who is signed in. */
export function makeSessionLimiter(limits: Limits, perMinuteOfKeys: number) {
  return makeCallLimiter(limits, 'session', Math.max(sessionCallsPerMinute, perMinuteOfKeys))
}

/**
 * The limit per API key or session: a fixed window that begins with the key's first call; refused calls do not extend it. Every
 * answer says how much is left. `X-RateLimit-Reset` is in Unix seconds, the draft's `t` in seconds from now.
 * Waits only where other processes count too.
 */
export function makeCallLimiter(limits: Limits, name: string, perMinute: number) {
  const policy = `"default";q=${perMinute};w=${windowSeconds}`
  const windows = new FixedWindow(windowSeconds * 1000)
  const shared = limits.isShared ? limits.counter({ name, points: perMinute, seconds: windowSeconds }) : undefined

  function conclude(reply: FastifyReply, calls: number, leftMs: number, now: number): void {
    const secondsLeft = Math.max(1, Math.ceil(leftMs / 1000))
    const remaining = Math.max(0, perMinute - calls)
    // In lower case, as they are kept: else each name is made so, and looked for, at every request.
    reply.header('x-ratelimit-limit', perMinute)
    reply.header('x-ratelimit-remaining', remaining)
    reply.header('x-ratelimit-reset', Math.ceil((now + leftMs) / 1000))
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"default";r=${remaining};t=${secondsLeft}`)
    if (calls > perMinute) {
      throw new AppError('RATE_LIMITED', { seconds: secondsLeft }, { retryAfterSeconds: secondsLeft })
    }
  }

  return function countCall(callerId: string, reply: FastifyReply): void | Promise<void> {
    const now = Date.now()
    if (shared !== undefined) {
      return shared
        .penalty(callerId)
        .then(({ consumedPoints, msBeforeNext }) => conclude(reply, consumedPoints, msBeforeNext, Date.now()))
    }
    const { calls, endsAt } = windows.count(callerId, now)
    conclude(reply, calls, endsAt - now, now)
  }
}

/** Slows down the guessing of keys: a client address that failed too often is refused before the key is looked at. */
export function makeFailureLimiter(limits: Limits, name: string) {
  const limiter = limits.counter({ name, points: failuresPerMinute, seconds: windowSeconds })
  return {
    async recordFailure(address: string): Promise<void> {
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

/**
 * Number of times that one hub may connect in a minute. Each time writes two events; a hub that waits longer and longer stays far
 * below.
 */
const connectsPerMinute = 120

/** Counts the connections of each hub; true when this one is too many. */
export function makeConnectLimiter(limits: Limits) {
  const limiter = limits.counter({ name: 'hub-connect', points: connectsPerMinute, seconds: windowSeconds })
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
 * Counts the tries of a client address at what the name says, right or wrong, or refuses them; those of one IPv6 site together, too. The time is a
 * minute unless it is given.
 */
export function makeTryLimiter(limits: Limits, name: string, tries: number, seconds: number = windowSeconds) {
  const ofNetwork = limits.counter({ name, points: tries, seconds })
  const ofSite = limits.counter({ name: `${name}-site`, points: tries * networksOfSite, seconds })

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
