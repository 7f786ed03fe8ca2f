import type { Sql } from '../../db/database.ts'
import type { AttemptRow, HubConnectionRow, HubRow, PrinterPeriodRow, PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, JobId, PrinterId } from '../../kernel/ids.ts'
import type { PeriodCause } from './period-cause.ts'

/** More printers than any farm has; what is looked at in one go at most. */
const mostPrinters = 10_000

/** A printer as the tables have it, with the attempt that holds it and the period that it is in. */
export type WatchedPrinter = Pick<PrinterRow, 'id' | 'hub_id' | 'is_active' | 'in_maintenance' | 'plate_state'> & {
  attempt_id: AttemptRow['id'] | null
  attempt_phase: AttemptRow['phase'] | null
  attempt_outcome: AttemptRow['outcome']
  job_id: AttemptRow['job_id'] | null
  open_cause: PeriodCause | null
  open_attempt_id: PrinterPeriodRow['attempt_id']
  /** The process that has let its hub in, and when any was last told something by the hub. */
  hub_process_id: HubConnectionRow['process_id'] | null
  hub_seen_at: HubRow['last_seen_at']
}

export async function listWatchedPrinters(sql: Sql, accountId: AccountId): Promise<WatchedPrinter[]> {
  return sql<WatchedPrinter[]>`
    select p.id, p.hub_id, p.is_active, p.in_maintenance, p.plate_state, a.id as attempt_id, a.phase as attempt_phase,
           a.outcome as attempt_outcome, a.job_id, o.cause as open_cause, o.attempt_id as open_attempt_id,
           c.process_id as hub_process_id, h.last_seen_at as hub_seen_at
    from printers p
    left join attempts a on a.account_id = p.account_id and a.printer_id = p.id and a.phase <> 'finished'
    left join printer_periods o on o.account_id = p.account_id and o.printer_id = p.id and o.ended_at is null
    left join hubs h on h.account_id = p.account_id and h.id = p.hub_id
    left join hub_connections c on c.account_id = p.account_id and c.hub_id = p.hub_id
    where p.account_id = ${accountId}
    limit ${mostPrinters}`
}

export interface PeriodChange {
  printerId: PrinterId
  /** The cause of the period that it was seen in; null for the first of its periods. */
  seen: PeriodCause | null
  cause: PeriodCause
  attemptId: AttemptId | null
  jobId: JobId | null
}

/**
 * Ends the open periods of these printers and begins the new ones at the same moment, in one statement. The printers'
 * rows are held meanwhile, in the order in which a deletion would take them. Where the open period began at that moment
 * or, because the clock was set back, later, it takes on the new cause instead: no period lasts less than nothing. A
 * printer that is not in the period any more in which it was seen stays as it is: anyone who moved it knew better.
 */
export async function changePeriods(sql: Sql, accountId: AccountId, changes: PeriodChange[], at: Date): Promise<void> {
  if (changes.length === 0) return
  // The driver writes a null inside an array as a text; an empty one stands for it.
  await sql`
    with change as (
      select * from unnest(
        ${changes.map((change) => change.printerId)}::text[], ${changes.map((change) => change.seen ?? '')}::text[],
        ${changes.map((change) => change.cause)}::text[],
        ${changes.map((change) => change.attemptId ?? '')}::text[], ${changes.map((change) => change.jobId ?? '')}::text[]
      ) as c (printer_id, seen, cause, attempt_id, job_id)
    ), present as (
      select p.id from printers p
      where p.account_id = ${accountId} and p.id in (select printer_id from change)
      order by p.id for key share
    ), replaced as (
      update printer_periods o
      set cause = c.cause, attempt_id = nullif(c.attempt_id, ''), job_id = nullif(c.job_id, '')
      from change c join present on present.id = c.printer_id
      where o.account_id = ${accountId} and o.printer_id = c.printer_id and o.ended_at is null
        and o.cause = c.seen and o.started_at >= ${at}
      returning o.printer_id
    ), closed as (
      update printer_periods o set ended_at = ${at}
      from change c join present on present.id = c.printer_id
      where o.account_id = ${accountId} and o.printer_id = c.printer_id and o.ended_at is null
        and o.cause = c.seen and o.started_at < ${at}
      returning o.printer_id, o.ended_at
    )
    insert into printer_periods (account_id, printer_id, cause, attempt_id, job_id, started_at)
    select ${accountId}, c.printer_id, c.cause, nullif(c.attempt_id, ''), nullif(c.job_id, ''),
           coalesce(closed.ended_at, ${at})
    from change c
    join present on present.id = c.printer_id
    left join closed on closed.printer_id = c.printer_id
    where c.printer_id not in (select printer_id from replaced)
    on conflict do nothing`
}

/** Says that the printers of an account were watched until now. */
export async function noteWatched(sql: Sql, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    insert into printer_watches (account_id, watched_until) values (${accountId}, ${at})
    on conflict (account_id) do update set watched_until = excluded.watched_until`
}

interface Watch {
  account_id: AccountId
  /** Null when its printers were never watched. */
  watched_until: Date | null
}

/** Every account that has printers, and until when they were watched. */
export async function listWatches(sql: Sql): Promise<Watch[]> {
  return sql<Watch[]>`
    /* every account: the sweep looks after the printers of all farms */
    select a.id as account_id, w.watched_until
    from accounts a
    left join printer_watches w on w.account_id = a.id
    where exists (select from printers p where p.account_id = a.id)
    order by a.id`
}

/** Periods of printers that ended before this time, by the index `printer_periods_by_end`. */
export async function deletePeriodsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: periods of all farms grow old alike */
    delete from printer_periods p using (
      select each.account_id, each.printer_id, each.started_at from accounts a
      cross join lateral (
        select o.account_id, o.printer_id, o.started_at from printer_periods o
        where o.account_id = a.id and o.ended_at < ${before}
        order by o.ended_at limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where p.account_id = old.account_id and p.printer_id = old.printer_id and p.started_at = old.started_at`
  return count
}
