import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from '../../../context/context.ts'
import { clientNetwork, clientSite } from '../../../kernel/client-network.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Counter as Limiter } from '../../../limits/limits.ts'

const windowSeconds = 15 * 60

/**
 * Wrong passwords and codes in a quarter of an hour: for one person from one network or site, for one person from anywhere,
 * from one network or site for anybody. A site is an IPv6 /48: its holder has 65,536 networks. What is typed in a browser
 * where the person has signed in before counts there alone, so that others who guess do not keep the person out.
 */
const mostWrong = { personAndNetwork: 10, personAndSite: 20, person: 50, network: 100, site: 200, device: 10 }
type Count = keyof typeof mostWrong

/** A guess that is under way. It counts as wrong until it is said to be right, so that guesses sent at once count too. */
interface Guess {
  /** It was right: what this network has got wrong for this person is forgotten. */
  wasRight(): Promise<void>
  /** It told nothing about the secret. */
  isNone(): Promise<void>
}

/** What tells a person from strangers who guess. Neither is looked up unless it is needed. */
interface GuessedFrom {
  /** ID of the browser, when the person has signed in by it before. */
  deviceId?: string | undefined
  /** True when the person was lately signed in from this network; asked when others have used up what the person has. */
  isKnownNetwork?: () => Promise<boolean>
}

/** Counts the guesses of passwords and codes. It does the same for people who are known and those who are not. */
export interface SignInThrottle {
  /** @throws AppError `RATE_LIMITED` */
  begin(email: string, address: string, from?: GuessedFrom): Promise<Guess>
}

interface Counter {
  limiter: Limiter
  key: string
}

export function createSignInThrottle({ limits }: Pick<Context, 'limits'>): SignInThrottle {
  const limiters = Object.fromEntries(
    Object.entries(mostWrong).map(([name, points]) => [
      name,
      limits.counter({ name: `sign-in-${name}`, points, seconds: windowSeconds }),
    ]),
  ) as Record<Count, Limiter>

  function countersOf(person: string, address: string, deviceId: string | undefined): Counter[] {
    if (deviceId !== undefined) return [{ limiter: limiters.device, key: `${deviceId} ${person}` }]
    const network = clientNetwork(address)
    const site = clientSite(address)
    const ofSite = (name: Count, key: string) => (site === undefined ? [] : [{ limiter: limiters[name], key }])
    return [
      { limiter: limiters.personAndNetwork, key: `${network} ${person}` },
      ...ofSite('personAndSite', `${site} ${person}`),
      { limiter: limiters.network, key: network },
      ...ofSite('site', `${site}`),
      { limiter: limiters.person, key: person },
    ]
  }

  return {
    async begin(email, address, { deviceId, isKnownNetwork } = {}) {
      const person = email.trim().toLowerCase()
      const counters = countersOf(person, address, deviceId)
      const taken: Counter[] = []
      const giveBack = () => Promise.all(taken.map(({ limiter, key }) => limiter.reward(key)))
      for (const each of counters) {
        const waitMs = await consume(each)
        if (waitMs === undefined) taken.push(each)
        else if (each.limiter !== limiters.person || !(await isKnownNetwork?.())) {
          // What is refused is no guess: it must not use up what the person has from other networks.
          await giveBack()
          const seconds = Math.max(1, Math.ceil(waitMs / 1000))
          throw new AppError('RATE_LIMITED', { seconds }, { retryAfterSeconds: seconds })
        }
      }
      return {
        async wasRight() {
          await giveBack()
          await counters[0]?.limiter.delete(counters[0].key)
        },
        async isNone() {
          await giveBack()
        },
      }
    },
  }
}

/** Undefined when it was counted; else how long there is nothing left, in ms. */
async function consume({ limiter, key }: Counter): Promise<number | undefined> {
  try {
    await limiter.consume(key)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof RateLimiterRes)) throw thrown
    return thrown.msBeforeNext
  }
}

/** The one count of guesses of a service, whichever of its routes asks for a password. */
export const signInThrottle = (context: Context): SignInThrottle => context.memory.hold(createSignInThrottle, context)
