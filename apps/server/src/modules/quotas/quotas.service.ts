import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { type Quota, quotaNames, quotas } from '../../kernel/quotas.ts'
import { countUsed, type StoredQuota } from './quotas.queries.ts'

/** Time that a count is good for: other processes add rows too. */
const leaseMs = 60_000

/** With less room than this share of the limit every request counts. */
const leastShareForLease = 0.1

/** What may be added before the next count. */
interface Lease {
  left: number
  endsAtMs: number
}

/** Kept per account and quota, so that a long queue is not counted again for each job. */
function makeLeases(): Map<string, Lease> {
  return new Map()
}

type Known = Pick<Context, 'config' | 'clock' | 'memory'>

/**
 * Refuses what would take an account beyond a quota. `more` is in the unit of the quota. Requests that run at the same time may
 * together go beyond it by what they add.
 *
 * @throws AppError `QUOTA_EXCEEDED` with `{quota, limit, used}`
 */
export async function requireRoom(
  context: Known,
  sql: Sql,
  accountId: AccountId,
  quota: StoredQuota,
  more = 1,
): Promise<void> {
  const now = context.clock.now()
  const leases = context.memory.hold(makeLeases, undefined)
  const key = `${accountId} ${quota}`
  const lease = leases.get(key)
  if (lease && lease.left >= more && lease.endsAtMs > now.getTime()) {
    lease.left -= more
    return
  }
  leases.delete(key)
  const limit = context.config.quotas[quota]
  const used = await countUsed(sql, accountId, quota, now)
  const room = limit - used - more
  if (room < 0) throw quotaExceeded(quota, limit, used)
  if (room > 0 && room >= limit * leastShareForLease) {
    // Half at most, so that a second process that counts at the same time takes the other.
    leases.set(key, { left: Math.floor(room / 2), endsAtMs: now.getTime() + leaseMs })
  }
}

function quotaExceeded(quota: Quota, limit: number, used: number): AppError {
  const { what } = quotas[quota]
  return new AppError('QUOTA_EXCEEDED', { used, limit, what }, { details: { quota, limit, used } })
}

/** Answers how much of each quota an account uses. */
export async function readUsage(
  context: Pick<Context, 'config' | 'clock' | 'db'>,
  accountId: AccountId,
  openStreams: number,
): Promise<{ quota: Quota; what: string; used: number; limit: number }[]> {
  const now = context.clock.now()
  return Promise.all(
    quotaNames.map(async (quota) => ({
      quota,
      what: quotas[quota].what,
      used:
        quota === 'event_streams'
          ? openStreams
          : await countUsed(context.db.reportsFor(accountId), accountId, quota, now),
      limit: context.config.quotas[quota],
    })),
  )
}
