import type { Context } from '../../context/context.ts'
import type { Fragment, Sql, Transaction } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { Happening } from './event-catalogue.ts'
import { recordEvent, recordEvents, recordingEvent } from './events.queries.ts'

/**
 * A unit of work: what a change is made in, for whom and when. All that one request or report changes has the same `now`, and its
 * events carry the same actor and are there when the transaction is committed.
 */
export interface Work {
  readonly sql: Transaction
  readonly accountId: AccountId
  /** As in `Actor.label`. */
  readonly actor: string
  readonly now: Date
  record(happening: Happening): Promise<void>
  /** The same as a part of the one statement that makes the change: `with told as (…)`. */
  recording(happening: Happening): Fragment
  /** The same for many, in one statement. */
  recordAll(happenings: readonly Happening[]): Promise<void>
}

/** The work of a request. */
export function workOf({ clock }: Pick<Context, 'clock'>, { accountId, label }: Actor, sql: Transaction): Work {
  return workIn(sql, { accountId, actor: label, now: clock.now() })
}

/** The work of a person in an account that they are about to enter. */
export function workOfUser(
  { clock }: Pick<Context, 'clock'>,
  sql: Transaction,
  accountId: AccountId,
  userId: UserId,
): Work {
  return workIn(sql, { accountId, actor: `user:${userId}`, now: clock.now() })
}

/** The same work where its events name another: what a rule does because of what a person did. */
export function workBy({ sql, accountId, now }: Work, actor: string): Work {
  return workIn(sql, { accountId, actor, now })
}

/** The work of a report or a rule. `sql` is a transaction, also where callers hold it as a plain handle. */
export function workIn(sql: Sql, { accountId, actor, now }: { accountId: AccountId; actor: string; now: Date }): Work {
  // What calls this with a plain handle says of it that it is a transaction.
  const transaction = sql as Transaction
  return {
    sql: transaction,
    accountId,
    actor,
    now,
    recording: (happening) => recordingEvent(transaction, accountId, { ...happening, actor }),
    record: (happening) => recordEvent(sql, accountId, { ...happening, actor }),
    recordAll: (happenings) =>
      recordEvents(
        sql,
        accountId,
        happenings.map((happening) => ({ ...happening, actor })),
      ),
  }
}
