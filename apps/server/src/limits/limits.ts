import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible'
import type { Outage } from '../redis/outage.ts'

/** Counts by key, in windows of a fixed length that begin with the first count of the key. */
export type Counter = Pick<RateLimiterAbstract, 'consume' | 'penalty' | 'reward' | 'get' | 'delete'>

interface CounterOptions {
  /** Tells it from all others of the service. */
  name: string
  /** What a key has in a window. */
  points: number
  seconds: number
}

/** Counters of rate limits and throttles. */
export interface Limits {
  counter(options: CounterOptions): Counter
  /** True when other processes count in the same place, which has to be asked over the network. */
  readonly isShared: boolean
  /** Answers why each process counts alone although it should not; undefined when all is well. */
  outage(): Outage | undefined
}

/** Counts in the memory of this process. */
export const ownLimits = {
  counter: ({ name, points, seconds }: CounterOptions) =>
    new RateLimiterMemory({ points, duration: seconds, keyPrefix: name }),
  isShared: false,
  outage: () => undefined,
} satisfies Limits
