import type { Sql } from '../../db/database.ts'
import type { AccountId, HubId, JobId, PrinterId } from '../../kernel/ids.ts'
import { placeInQueue, placeOf } from '../jobs/queue/queue-order.ts'
import { type JobForRules, jobColumnsForRules } from '../matching/matching.queries.ts'

/** What a set of printers could print at all, so that jobs for others are not read. */
export interface Candidates {
  printerIds: PrinterId[]
  /** Spellings of models in files; files that name none are always candidates. */
  fileModels: string[]
  /** In lower case. */
  filamentTypes: string[]
  /** Jobs that are left out. */
  except?: readonly JobId[] | undefined
  limit: number
  after: JobForRules | undefined
}

/** What `trim` takes off a text, where `btrim` alone takes off spaces. */
const whiteSpace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Queued jobs in the order of the queue, read by the index `jobs_queue`. */
export async function listCandidates(sql: Sql, accountId: AccountId, of: Candidates): Promise<JobForRules[]> {
  const { after, except = [] } = of
  // What asks for nothing in particular takes any.
  const filamentTypes = ['', ...of.filamentTypes]
  return sql<JobForRules[]>`
    select ${jobColumnsForRules(sql)}
    from jobs j join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    where j.account_id = ${accountId} and j.status = 'queued'
      and (
        (not j.auto_assigned and j.printer_id = any(${of.printerIds}))
        or (j.printer_id is null or j.auto_assigned)
          and (v.printer_model is null or v.printer_model = any(${of.fileModels}))
          and (
            lower(btrim(j.filament_type, ${whiteSpace})) = any(${filamentTypes})
            or jsonb_array_length(v.filaments) > 1
          )
        or (j.printer_id is null or j.auto_assigned) and j.option_position is not null and j.plates_done = 0
          and exists (
            select from job_options o
            join print_file_versions w on w.account_id = o.account_id and w.id = o.file_version_id
            where o.account_id = j.account_id and o.job_id = j.id
              and (w.printer_model is null or w.printer_model = any(${of.fileModels}))
              and (
                lower(btrim(o.filament_type, ${whiteSpace})) = any(${filamentTypes})
                or jsonb_array_length(w.filaments) > 1
              )
          )
      )
      ${except.length > 0 ? sql`and j.id not in (select unnest(${[...except]}::text[]))` : sql``}
      ${after ? sql`and (${placeInQueue(sql)}) > (${placeOf(sql, after)})` : sql``}
    order by ${placeInQueue(sql)}
    limit ${of.limit}`
}

/** Answers how many queued jobs stand before this one. */
export async function countJobsBefore(
  sql: Sql,
  accountId: AccountId,
  job: Pick<JobForRules, 'id' | 'priority_rank' | 'due_date' | 'queue_position'>,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from jobs j
    where j.account_id = ${accountId} and j.status = 'queued'
      and (${placeInQueue(sql)}) < (${placeOf(sql, job)})`
  return row?.count ?? 0
}

/** The models that the account's files are sliced for, as they spell them. */
export async function listFileModels(sql: Sql, accountId: AccountId): Promise<string[]> {
  const rows = await sql<{ printer_model: string }[]>`
    select distinct printer_model from print_file_versions
    where account_id = ${accountId} and is_sliced and printer_model is not null limit 1000`
  return rows.map((row) => row.printer_model)
}

/** The printers that people gave queued jobs, by the index `jobs_queued_for_printer`. */
export async function listPrintersGivenJobs(sql: Sql, accountId: AccountId): Promise<PrinterId[]> {
  const rows = await sql<{ printer_id: PrinterId }[]>`
    select distinct printer_id from jobs
    where account_id = ${accountId} and status = 'queued' and printer_id is not null and not auto_assigned`
  return rows.map((row) => row.printer_id)
}

/** Rounds of one account follow one another, in whichever process they run, until the transaction ends. */
export async function waitForTurn(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scheduler ${accountId}`}, 0))`
}

/** Accounts that have both a printer on these hubs that may take a job, and a queued job. Looks no further than the first of each. */
export async function listAccountsWithWork(sql: Sql, hubIds: HubId[]): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    select distinct h.account_id from hubs h
    /* every account: the sweep looks for the one who was overlooked */
    where h.id = any(${hubIds})
      and exists (select from jobs j where j.account_id = h.account_id and j.status = 'queued')
      and exists (
        select from printers p
        where p.account_id = h.account_id and p.hub_id = h.id
          and p.auto_start and p.is_active and not p.in_maintenance and p.plate_state = 'clear'
      )`
  return rows.map((row) => row.account_id)
}
