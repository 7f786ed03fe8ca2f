import type { Sql } from '../../../db/database.ts'
import type { AttemptRow, HubRow, JobRow, PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId, AttemptId } from '../../../kernel/ids.ts'

/** Most that one turn looks at of each kind; the rest comes with the next turn. */
const mostAtOnce = 200

type InAccount<Row> = Row & { account_id: AccountId }

/** Starts that were on their way when their hub went away, and that no one has heard of since. */
export async function listStartsLostWithHub(
  sql: Sql,
  silentSince: { attempt: Date; hub: Date },
): Promise<InAccount<Pick<AttemptRow, 'id' | 'hub_id' | 'updated_at'>>[]> {
  return sql<InAccount<Pick<AttemptRow, 'id' | 'hub_id' | 'updated_at'>>[]>`
    /* every account: the sweep that looks after all farms */
    select a.account_id, a.id, a.hub_id, a.updated_at
    from attempts a join hubs h on h.account_id = a.account_id and h.id = a.hub_id
    where a.phase in ('reserved', 'transferring', 'starting') and a.outcome is null
      and a.updated_at <= ${silentSince.attempt}
      and (h.last_seen_at is null or h.last_seen_at <= ${silentSince.hub})
    order by a.updated_at limit ${mostAtOnce}`
}

/**
 * Starts that were sent, and commands that a hub took, of which nothing was heard for too long, whether their hub is there or
 * not. A file that is on its way may take hours.
 */
export async function listSilentStarts(
  sql: Sql,
  since: { starting: Date; reserved: Date },
): Promise<InAccount<Pick<AttemptRow, 'id' | 'updated_at'>>[]> {
  return sql<InAccount<Pick<AttemptRow, 'id' | 'updated_at'>>[]>`
    /* every account: the sweep that looks after all farms */
    select account_id, id, updated_at from attempts
    where outcome is null and ((phase = 'starting' and updated_at <= ${since.starting})
      or (phase = 'reserved' and updated_at <= ${since.reserved}))
    order by updated_at limit ${mostAtOnce}`
}

type PrintOutOfReach = InAccount<
  Pick<AttemptRow, 'job_id' | 'printer_id' | 'progress'> &
    Pick<PrinterRow, 'location' | 'out_of_reach_since'> &
    Pick<JobRow, 'file_name' | 'product_name'> & { attempt_id: AttemptRow['id']; printer_name: PrinterRow['name'] }
>

/** Answers what may print on printers that have not answered their hub since then, and about which no one was asked since. */
export async function listPrintsOutOfReach(sql: Sql, since: Date): Promise<PrintOutOfReach[]> {
  return sql<PrintOutOfReach[]>`
    /* every account: the sweep that looks after all farms */
    select p.account_id, a.id as attempt_id, a.job_id, a.printer_id, a.progress, j.file_name, j.product_name,
           p.name as printer_name, p.location, p.out_of_reach_since
    from printers p
    join attempts a on a.account_id = p.account_id and a.printer_id = p.id and a.phase in ('starting', 'confirmed')
    join jobs j on j.account_id = a.account_id and j.id = a.job_id
    where p.out_of_reach_since <= ${since}
      and not exists (
        select from worklist_tasks w
        where w.account_id = p.account_id and w.source = 'out_of_reach' and w.subject_id = p.id
          and w.created_at >= p.out_of_reach_since
      )
    order by p.out_of_reach_since limit ${mostAtOnce}`
}

/** Attempts of unknown fate about which no one is asked now. One whose task was closed without an answer rests for a while. */
export async function listFatesToAskAbout(
  sql: Sql,
  since: { unknown: Date; closed: Date },
): Promise<InAccount<Pick<AttemptRow, 'id'>>[]> {
  return sql<InAccount<Pick<AttemptRow, 'id'>>[]>`
    /* every account: the sweep that looks after all farms */
    select a.account_id, a.id from attempts a
    where a.outcome = 'unknown' and a.phase <> 'finished' and a.unknown_since <= ${since.unknown}
      and not exists (
        select from worklist_tasks w
        where w.account_id = a.account_id and w.source = 'unknown_fate' and w.subject_id = a.printer_id
          and (w.status in ('pending', 'in_progress') or (w.attempt_id = a.id and w.updated_at > ${since.closed}))
      )
    order by a.unknown_since limit ${mostAtOnce}`
}

/** What a person needs to know of an attempt to find out what became of it. */
export type FateToAskAbout = Pick<
  AttemptRow,
  'id' | 'job_id' | 'printer_id' | 'phase' | 'plate_number' | 'unknown_since' | 'progress' | 'seen_at'
> &
  Pick<JobRow, 'file_name' | 'product_name' | 'plates_total'> & {
    printer_name: PrinterRow['name']
    location: PrinterRow['location']
  }

/** Undefined when it is settled by now. The attempt is locked until the transaction ends, so that it stays so. */
export async function lockFateToAskAbout(
  sql: Sql,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<FateToAskAbout | undefined> {
  const [fate] = await sql<FateToAskAbout[]>`
    select a.id, a.job_id, a.printer_id, a.phase, a.plate_number, a.unknown_since, a.progress, a.seen_at, j.file_name, j.product_name, j.plates_total,
           p.name as printer_name, p.location
    from attempts a
    join jobs j on j.account_id = a.account_id and j.id = a.job_id
    join printers p on p.account_id = a.account_id and p.id = a.printer_id
    where a.account_id = ${accountId} and a.id = ${attemptId} and a.phase <> 'finished' and a.outcome = 'unknown'
    for no key update of a`
  return fate
}

type PrinterInError = InAccount<Pick<PrinterRow, 'id' | 'name' | 'location' | 'error_since'>>

/**
 * Printers in use that have reported an error since then, and about which no one was asked since it began. What is wrong
 * with one may be known by name: then its health has a task of its own.
 */
export async function listPrintersInError(sql: Sql, since: Date): Promise<PrinterInError[]> {
  return sql<PrinterInError[]>`
    /* every account: the sweep that looks after all farms */
    select p.account_id, p.id, p.name, p.location, p.error_since from printers p
    where p.error_since <= ${since} and p.is_active and not p.in_maintenance and p.health = '[]'
      and not exists (
        select from worklist_tasks w
        where w.account_id = p.account_id and w.source = 'printer_error' and w.subject_id = p.id
          and w.created_at >= p.error_since
      )
    order by p.error_since limit ${mostAtOnce}`
}

type SilentHub = InAccount<Pick<HubRow, 'id' | 'name'>> & { last_seen_at: Date; printers: number }

/** Hubs with printers in use of which nothing was heard since then, and about which no one was asked since. */
export async function listSilentHubs(sql: Sql, since: Date): Promise<SilentHub[]> {
  return sql<SilentHub[]>`
    /* every account: the sweep that looks after all farms */
    select h.account_id, h.id, h.name, h.last_seen_at, count(*) as printers
    from hubs h join printers p on p.account_id = h.account_id and p.hub_id = h.id and p.is_active
    where h.last_seen_at <= ${since}
      and not exists (
        select from worklist_tasks w
        where w.account_id = h.account_id and w.source = 'hub_silent' and w.subject_id = h.id
          and w.created_at >= h.last_seen_at
      )
    group by h.account_id, h.id, h.name, h.last_seen_at
    order by h.last_seen_at limit ${mostAtOnce}`
}

interface TaskToClose {
  account_id: AccountId
  source: 'printer_error' | 'hub_silent' | 'out_of_reach' | 'second_copy'
  subject_id: string
}

/**
 * Open tasks whose reason has gone: the printer reports no error any more, the hub is heard again, the printer answers or
 * has no print of ours any more, the plate is clear.
 */
export async function listTasksWithoutReason(sql: Sql, heardSince: Date): Promise<TaskToClose[]> {
  return sql<TaskToClose[]>`
    /* every account: the sweep that looks after all farms */
    select w.account_id, w.source, w.subject_id from worklist_tasks w
    left join printers p on p.account_id = w.account_id and p.id = w.subject_id
    left join hubs h on h.account_id = w.account_id and h.id = w.subject_id and w.source = 'hub_silent'
    where w.status in ('pending', 'in_progress') and case w.source
        when 'printer_error' then p.error_since is null
        when 'hub_silent' then h.id is null or h.last_seen_at > ${heardSince}
        when 'out_of_reach' then p.out_of_reach_since is null or not exists (
          select from attempts a
          where a.account_id = w.account_id and a.printer_id = p.id and a.phase in ('starting', 'confirmed'))
        when 'second_copy' then p.id is null or p.plate_state = 'clear'
        else false end
    limit ${mostAtOnce}`
}
