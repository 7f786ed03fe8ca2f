import type { Sql } from '@printyard/server/db/database'

/** What a job of a print file is of. */
interface JobOf {
  accountId: string
  fileId: string
  versionId: string
}

type Value = string | number | boolean | null

/** The columns that the service writes for a job of a print file that was asked for with a file and a number alone, but ID and times. */
export function queuedJob({ accountId, fileId, versionId }: JobOf): Record<string, Value> {
  return {
    account_id: accountId,
    print_file_id: fileId,
    file_version_id: versionId,
    file_name: 'clip.gcode',
    color: '',
    filament_type: '',
    material_type: 'PLA',
    any_color: true,
    quantity_per_print: 1,
    plates_total: 1,
    estimated_print_time_minutes: null,
    filament_needed_grams: null,
    recipe_id: null,
    option_position: null,
    printer_id: null,
    product_id: null,
    product_sku_id: null,
    product_name: null,
    sku_name: null,
    number_of_units: 1,
    requires_assembly: false,
    priority: 'normal',
    due_date: null,
    created_by: 'system',
    order_item_id: null,
    status: 'queued',
  }
}

/** What the event of such a job tells. */
export const queuedData = ({ fileId }: JobOf) => ({ print_file_id: fileId, printer_id: null })

/**
 * The same two inserts as a script of pgbench. Its IDs grow with the time, as those of the service do, so that both write at the same end of
 * the indexes.
 */
export function insertsForPgbench(of: JobOf): string {
  const job = queuedJob(of)
  // The time of the transaction, which both inserts see.
  const id = (prefix: string) =>
    `'${prefix}' || lpad((extract(epoch from now()) * 1000000)::bigint::text, 17, '0') || lpad(:number::text, 9, '0')`
  // A colon before a name would be one of pgbench's variables.
  const data = JSON.stringify(queuedData(of)).replaceAll(':', ': ')
  return `\\set number random(1, 999999999)
begin;
insert into jobs (id, time_submitted, created_at, updated_at, ${Object.keys(job).join(', ')}) values (${id('job_')}, now(), now(), now(), ${Object.values(job).map(literal).join(', ')});
insert into events (account_id, id, type, subject_id, data, actor) values (${literal(of.accountId)}, ${id('evt_')}, 'job.queued', ${id('job_')}, ${literal(data)}, 'system');
end;
`
}

const literal = (value: Value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value))

/**
 * Compares the jobs that wait, one by each of those that write them, and their events: all but what tells one from another.
 *
 * @throws when they differ: what is measured beside the service would be other work.
 */
export async function requireSameJobs(sql: Sql, accountId: string): Promise<void> {
  const rows = await sql<{ row: unknown }[]>`
    select distinct jsonb_build_array(
      to_jsonb(j) - array['id', 'queue_position', 'created_by', 'time_submitted', 'created_at', 'updated_at'],
      to_jsonb(e) - array['id', 'subject_id', 'actor', 'created_at', 'txid']) as row
    from jobs j left join events e on e.account_id = j.account_id and e.subject_id = j.id
    where j.account_id = ${accountId} and j.status = 'queued'`
  if (rows.length !== 1) throw new Error(`The jobs differ:\n${rows.map(({ row }) => JSON.stringify(row)).join('\n')}`)
}
