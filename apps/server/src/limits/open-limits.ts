import type { BaseLogger } from 'pino'
import { type Config, ConfigError } from '../kernel/config.ts'
import { RedisConnection, RedisRefusedError } from '../redis/redis-connection.ts'
import { type Limits, ownLimits } from './limits.ts'
import { redisLimits } from './redis-limits.ts'

const loss = {
  without: 'rate limits are counted by each process alone until it answers',
  back: 'rate limits are counted together',
}

/** Limits as the settings choose them. @throws ConfigError when Redis refuses the credentials */
export async function openLimits(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  log: Pick<BaseLogger, 'warn' | 'info'>,
): Promise<{ limits: Limits; close(): void }> {
  if (redisUrl === undefined) return { limits: ownLimits, close: () => undefined }
  try {
    const connection = await RedisConnection.open(redisUrl, log, loss)
    return { limits: redisLimits(connection), close: () => connection.close() }
  } catch (error) {
    if (!(error instanceof RedisRefusedError)) throw error
    throw new ConfigError([{ variable: 'REDIS_URL', problem: 'has a name or password that Redis refuses' }])
  }
}
