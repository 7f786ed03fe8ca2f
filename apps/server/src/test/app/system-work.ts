import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { type Work, workIn } from '../../modules/events/work.ts'

/** Work of the system itself; outside a transaction too, where a test needs none. */
export function systemWork(sql: Sql, accountId: AccountId, now = new Date()): Work {
  return workIn(sql, { accountId, actor: 'system', now })
}
