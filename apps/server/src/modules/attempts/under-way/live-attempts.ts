import type { Fragment, Sql } from '../../../db/database.ts'
import type { AccountId, JobId, PrinterId } from '../../../kernel/ids.ts'

/**
 * The printer or job that an attempt holds until it is over; null afterwards. A look for the attempt that holds one compares this: it finds it by
 * `attempts_live_printer_key` or `attempts_live_job_key`. To a farm at rest, whose statistics know of no attempt under way, a condition on the
 * phase would make the index of all that a hub has under way look as good.
 *
 * @param attempts name of the table in the statement
 */
export function held(sql: Sql, attempts: string, what: 'printer_id' | 'job_id'): Fragment {
  return sql`(case when ${sql(attempts)}.phase <> 'finished' then ${sql(attempts)}.${sql(what)} end)`
}

/** Parts of a statement that looks at the attempts under way of many printers, or of many jobs. */
interface LiveAttempts {
  /** Stands first in the list of `with`. */
  cte: Fragment
  /** The ID of the attempt that holds this printer or job; null where none does. */
  idOf(column: Fragment): Fragment
}

/**
 * The attempts under way, for statements that ask for those of many: read once, into a map. With the ID an attempt is found by its primary key.
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
        where account_id = ${accountId} and ${only === undefined ? sql`phase <> 'finished'` : sql`${held(sql, 'attempts', by)} = ${only}`}
      )`,
    idOf: (column) => sql`((select ids from live_attempts) ->> ${column})`,
  }
}
