import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from '../../../context/context.ts'
import { clientNetwork } from '../../../kernel/client-network.ts'
import { AppError } from '../../../kernel/errors.ts'

const windowSeconds = 15 * 60

/**
 * Wrong passwords and codes in a quarter of an hour: for one person from one network, for one person from anywhere, from
 * one network for anybody. The second is higher than the first, so that whoever guesses does not so easily keep the person
 * out too; and it is not asked where the person is known to sign in from.
 */
const mostWrong = { person_and_network: 10, person: 50, network: 100 }

/** A guess that is under way. It counts as wrong until it is said to be right, so that guesses sent at once count too. */
export interface Guess {
  /** It was right: what this network has got wrong for this person is forgotten. */
  wasRight(): Promise<void>
  /** It told nothing about the secret. */
  isNone(): Promise<void>
}

/** Counts the guesses of passwords and codes. */
export interface SignInThrottle {
  /** @throws AppError `RATE_LIMITED` */
  begin(email: string, address: string, from?: { isKnownNetwork: boolean }): Promise<Guess>
}

export function createSignInThrottle(): SignInThrottle {
  const limiters = Object.values(mostWrong).map(
    (points, index) => new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: `sign-in-${index}` }),
  )

  return {
    async begin(email, address, { isKnownNetwork } = { isKnownNetwork: false }) {
      const person = email.trim().toLowerCase()
      const network = clientNetwork(address)
      const keys = [`${network} ${person}`, isKnownNetwork ? undefined : person, network]
      const counted = keys.flatMap((key, index) =>
        key === undefined ? [] : { key, limiter: limiters[index] as RateLimiterMemory },
      )
      const taken: typeof counted = []
      const giveBack = () => Promise.all(taken.map(({ limiter, key }) => limiter.reward(key)))
      for (const each of counted) {
        try {
          await each.limiter.consume(each.key)
          taken.push(each)
        } catch (thrown) {
          // What is refused is no guess: it must not use up what the person has from other networks.
          await giveBack()
          if (!(thrown instanceof RateLimiterRes)) throw thrown
          const seconds = Math.max(1, Math.ceil(thrown.msBeforeNext / 1000))
          throw new AppError('RATE_LIMITED', { seconds }, { retryAfterSeconds: seconds })
        }
      }
      return {
        async wasRight() {
          await giveBack()
          await counted[0]?.limiter.delete(counted[0].key)
        },
        async isNone() {
          await giveBack()
        },
      }
    },
  }
}

/** The one count of guesses of a service, whichever of its routes asks for a password. */
export const signInThrottle = (context: Context): SignInThrottle => context.memory.hold(createSignInThrottle, context)
