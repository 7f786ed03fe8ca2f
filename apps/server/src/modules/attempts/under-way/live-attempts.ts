import type { Fragment, Sql } from '../../../db/database.ts'
import type { AccountId, JobId, PrinterId } from '../../../kernel/ids.ts'

/** Parts of a statement that looks at the attempts under way of many printers, or of many jobs. */
interface LiveAttempts {
  /** Stands first in the list of `with`. */
  cte: Fragment
  /** The ID of the attempt that holds this printer or job; null where none does. */
  idOf(column: Fragment): Fragment
}

/**
 * The attempts under way, for statements that ask for them row by row: read once, into a map. A join by printer or job is planned by
 * statistics, and those of a farm at rest know of no attempt under way. Then all indexes of them are alike to the plan, also the one that lists
 * all of a hub, and it is read for every row: where thousands print that takes seconds. With the ID an attempt is found by its primary key.
 *
 * @param only the printer or job, where the statement looks at one
 */
export function liveAttempts(
  sql: Sql,
  accountId: AccountId,
  by: 'printer_id' | 'job_id',
  only?: PrinterId | JobId,
): LiveAttempts {
  return {
    cte: sql`
      live_attempts as (
        select coalesce(jsonb_object_agg(${sql(by)}, id), '{}') as ids from attempts
        where account_id = ${accountId} and phase <> 'finished' ${only === undefined ? sql`` : sql`and ${sql(by)} = ${only}`}
      )`,
    idOf: (column) => sql`((select ids from live_attempts) ->> ${column})`,
  }
}
