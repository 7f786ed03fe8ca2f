import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisConnection } from '../redis/redis-connection.ts'
import { type Limits, ownLimits } from './limits.ts'

/**
 * Counts in Redis, exactly over all processes: each count is one script there. While Redis is gone, each process counts alone, so that a
 * key may have as many calls as there are processes times its limit; when it is back, counts begin again or go on where they were.
 */
export function redisLimits(connection: RedisConnection): Limits {
  const storeClient = boundedClient(connection)
  return {
    counter(options) {
      return new RateLimiterRedis({
        storeClient,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        points: options.points,
        duration: options.seconds,
        keyPrefix: `printyard:limit:${options.name}`,
        insuranceLimiter: ownLimits.counter(options),
      })
    },
    isShared: true,
    outage: () =>
      connection.awaySince && {
        problem: 'does not answer; each process counts rate limits alone',
        since: connection.awaySince,
      },
  }
}

interface EvalOptions {
  keys: string[]
  arguments: string[]
}

/** What the limiter asks of a client, each within its time. */
function boundedClient(connection: RedisConnection) {
  return {
    get isReady() {
      return connection.isReady
    },
    eval: (script: string, options: EvalOptions) => connection.run((client) => client.eval(script, options)),
    del: (key: string) => connection.run((client) => client.del(key)),
    /** It looks a count up by these two alone. */
    multi: () => ({
      get: (key: string) => ({
        pTTL: (sameKey: string) => ({
          exec: () => connection.run((client) => client.multi().get(key).pTTL(sameKey).exec()),
        }),
      }),
    }),
  }
}
