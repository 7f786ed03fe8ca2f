import type { Sql } from '../../db/database.ts'
import type { AccountId, FileVersionId } from '../../kernel/ids.ts'
import type { PrintedRatios } from './learnt-time.ts'

/** Prints that a factor is learnt from: enough for a 90th percentile, and few enough that what changed since is forgotten. */
const printsOfFile = 20
const printsOfModel = 50

/** The latest prints of the farm that are looked at for those of a model. */
const printsOfFarm = 2_000

/** A file as it is printed on a model. */
export interface FileOnModel {
  file_version_id: FileVersionId
  model: string
}

/** The models of all printers that there are, as people wrote them. */
export async function listWrittenModels(sql: Sql, accountId: AccountId): Promise<string[]> {
  const rows = await sql<{ model: string }[]>`select distinct model from printers where account_id = ${accountId}`
  return rows.map((row) => row.model)
}

/** Spelling by which printers are said to be of a model: the same one has several names. */
interface SpelledModel {
  model: string
  written: string
}

type RatiosOfFile = FileOnModel & Pick<PrintedRatios, 'of_file'> & { print_time_seconds: number | null }

/**
 * Answers what prints of each of these took, the latest first, by the index `attempts_done_by_file`. What a person told of the end of a print,
 * and what a hub told a time of that cannot be, is left out.
 */
export async function listRatiosOfFiles(
  sql: Sql,
  accountId: AccountId,
  wanted: readonly FileOnModel[],
  spelled: readonly SpelledModel[],
): Promise<RatiosOfFile[]> {
  if (wanted.length === 0) return []
  return sql<RatiosOfFile[]>`
    with ${spelledModels(sql, spelled)}
    select wanted.file_version_id, wanted.model, v.print_time_seconds,
      array(
        select extract(epoch from a.finished_at - a.confirmed_at) / v.print_time_seconds
        from attempts a
        join printers p on p.account_id = a.account_id and p.id = a.printer_id and p.model in (select s.written from spelled s where s.model = wanted.model)
        where a.account_id = ${accountId} and a.file_version_id = wanted.file_version_id and a.outcome = 'done'
          and ${isTimed(sql)} and v.print_time_seconds > 0
        order by a.finished_at desc limit ${printsOfFile}
      )::float8[] as of_file
    from (
      select distinct file_version_id, model
      from unnest(
        ${wanted.map((each) => each.file_version_id)}::text[], ${wanted.map(({ model }) => model)}::text[]
      ) as each (file_version_id, model)
    ) wanted
    join print_file_versions v on v.account_id = ${accountId} and v.id = wanted.file_version_id`
}

/** Answers what the latest prints on each of these models took, whatever was printed; by the index `attempts_done`. */
export async function listRatiosOfModels(
  sql: Sql,
  accountId: AccountId,
  spelled: readonly SpelledModel[],
): Promise<Map<string, readonly number[]>> {
  if (spelled.length === 0) return new Map()
  const rows = await sql<{ model: string; ratios: number[] }[]>`
    with ${spelledModels(sql, spelled)}, latest as (
      select s.model, a.finished_at,
             extract(epoch from a.finished_at - a.confirmed_at) / v.print_time_seconds as ratio,
             row_number() over (partition by s.model order by a.finished_at desc) as age
      from (
        select * from attempts
        where account_id = ${accountId} and outcome = 'done' and ${isTimed(sql)}
        order by finished_at desc limit ${printsOfFarm}
      ) a
      join printers p on p.account_id = a.account_id and p.id = a.printer_id
      join spelled s on s.written = p.model
      join print_file_versions v on v.account_id = a.account_id and v.id = a.file_version_id and v.print_time_seconds > 0
    )
    select model, array_agg(ratio order by finished_at desc)::float8[] as ratios
    from latest where age <= ${printsOfModel} group by model`
  return new Map(rows.map((row) => [row.model, row.ratios]))
}

const spelledModels = (sql: Sql, spelled: readonly SpelledModel[]) => sql`
  spelled as (
    select * from unnest(
      ${spelled.map(({ model }) => model)}::text[], ${spelled.map(({ written }) => written)}::text[]
    ) as each (model, written)
  )`

/** Condition for attempts both times of which were seen where they happened. */
const isTimed = (sql: Sql) => sql`confirmed_at < finished_at and time_note is null and evidence ->> 'kind' <> 'person'`
