import type { Sql, Transaction } from '../../db/database.ts'
import { pagesById } from '../../db/pages-by-id.ts'
import type { AttemptRow, HubConnectionRow, HubRow, PrinterPeriodRow, PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, JobId, PrinterId } from '../../kernel/ids.ts'
import type { PeriodCause } from './period-cause.ts'

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

/** The printers of an account, page by page. @param beforeEach is waited for before a page is read */
export function watchedPrinters(
  sql: Sql,
  accountId: AccountId,
  beforeEach: () => Promise<void> = async () => undefined,
): AsyncGenerator<WatchedPrinter[], void> {
  return pagesById(async (after, limit) => {
    await beforeEach()
    return listWatchedPrinters(sql, accountId, { after, limit })
  })
}

type Watched = Pick<
  WatchedPrinter,
  'id' | 'hub_id' | 'is_active' | 'in_maintenance' | 'plate_state' | 'hub_process_id' | 'hub_seen_at'
>
type Attempt = Pick<WatchedPrinter, 'attempt_id' | 'attempt_phase' | 'attempt_outcome' | 'job_id'>
type OpenPeriod = Pick<WatchedPrinter, 'open_cause' | 'open_attempt_id'>

const noAttempt: Attempt = { attempt_id: null, attempt_phase: null, attempt_outcome: null, job_id: null }
const noPeriod: OpenPeriod = { open_cause: null, open_attempt_id: null }

/**
 * One page. What belongs to its printers is read by a statement of its own: however old the statistics are, as in the first minutes of a
 * large farm, it reads each table once at worst. One plan for all may read it once for each printer.
 */
async function listWatchedPrinters(
  sql: Sql,
  accountId: AccountId,
  { after, limit }: { after: string; limit: number },
): Promise<WatchedPrinter[]> {
  const printers = await sql<Watched[]>`
    select p.id, p.hub_id, p.is_active, p.in_maintenance, p.plate_state, c.process_id as hub_process_id,
           h.last_seen_at as hub_seen_at
    from printers p
    left join hubs h on h.account_id = p.account_id and h.id = p.hub_id
    left join hub_connections c on c.account_id = p.account_id and c.hub_id = p.hub_id
    where p.account_id = ${accountId} and p.id > ${after}
    order by p.id limit ${limit}`
  const ids = printers.map(({ id }) => id)
  const [attempts, periods] = await Promise.all([
    sql<(Attempt & { printer_id: PrinterId })[]>`
      select printer_id, id as attempt_id, phase as attempt_phase, outcome as attempt_outcome, job_id from attempts
      where account_id = ${accountId} and printer_id = any(${ids}) and phase <> 'finished'`,
    sql<(OpenPeriod & { printer_id: PrinterId })[]>`
      select printer_id, cause as open_cause, attempt_id as open_attempt_id from printer_periods
      where account_id = ${accountId} and printer_id = any(${ids}) and ended_at is null`,
  ])
  const attemptOf = new Map(attempts.map(({ printer_id, ...attempt }) => [printer_id, attempt]))
  const periodOf = new Map(periods.map(({ printer_id, ...period }) => [printer_id, period]))
  return printers.map((printer) => ({
    ...printer,
    ...(attemptOf.get(printer.id) ?? noAttempt),
    ...(periodOf.get(printer.id) ?? noPeriod),
  }))
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
 *
 * Printers and open periods are looked up for each change by key, and then by place: whatever statistics say, time grows with the number
 * of changes alone. A period that another statement changes meanwhile is at another place, and passed over. A plan that was kept from
 * when the tables were almost empty would read all of them for each change.
 */
export async function changePeriods(
  sql: Transaction,
  accountId: AccountId,
  changes: PeriodChange[],
  at: Date,
): Promise<void> {
  // The driver writes a null inside an array as a text; an empty one stands for it.
  await sql`
    with held as (
      select c.printer_id, c.seen, c.cause, nullif(c.attempt_id, '') as attempt_id, nullif(c.job_id, '') as job_id,
             o.account_id, o.started_at as open_since, o.ctid as open_row
      from (
        select * from unnest(
          ${changes.map((change) => change.printerId)}::text[], ${changes.map((change) => change.seen ?? '')}::text[],
          ${changes.map((change) => change.cause)}::text[],
          ${changes.map((change) => change.attemptId ?? '')}::text[], ${changes.map((change) => change.jobId ?? '')}::text[]
        ) as change (printer_id, seen, cause, attempt_id, job_id)
        order by change.printer_id
      ) c
      cross join lateral (
        select p.id from printers p where p.account_id = ${accountId} and p.id = c.printer_id for key share
      ) present
      left join lateral (
        select account_id, started_at, ctid from printer_periods
        where account_id = ${accountId} and printer_id = present.id and ended_at is null limit 1
      ) o on true
    ), replaced as (
      update printer_periods o set cause = h.cause, attempt_id = h.attempt_id, job_id = h.job_id
      from held h
      where o.account_id = h.account_id and o.ctid = h.open_row and o.cause = h.seen and h.open_since >= ${at}
    ), closed as (
      update printer_periods o set ended_at = ${at}
      from held h
      where o.account_id = h.account_id and o.ctid = h.open_row and o.cause = h.seen and h.open_since < ${at}
      returning h.printer_id, h.cause, h.attempt_id, h.job_id
    )
    insert into printer_periods (account_id, printer_id, cause, attempt_id, job_id, started_at)
    select ${accountId}, n.printer_id, n.cause, n.attempt_id, n.job_id, ${at}
    from (
      select printer_id, cause, attempt_id, job_id from closed
      union all
      select printer_id, cause, attempt_id, job_id from held where open_since is null
    ) n
    on conflict do nothing`.plannedForOnce()
}

/** Says that the printers of an account were watched until now. */
export async function recordWatched(sql: Sql, accountId: AccountId, at: Date): Promise<void> {
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
