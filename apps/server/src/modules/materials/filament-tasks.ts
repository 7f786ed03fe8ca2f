import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { newId } from '../../kernel/ids.ts'
import { recordEvent } from '../events/events.queries.ts'
import { findAssignee } from '../worklist/assignment-defaults.service.ts'
import { type FilamentChange, type FilamentDemand, filamentChanges, type LoadedPrinter } from './filament-changes.ts'

/** A task that a person closed although the filament is still needed is not made again for this long. */
const quietMs = 60 * 60_000

/** Bounds of what is looked at in one go. */
const mostPrinters = 10_000
const mostDemands = 5_000

/** Keeps the tasks to change filament of all farms in line with their queues. */
export async function sweepFilamentTasks(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const accounts = await context.db.sql<{ id: string }[]>`
    /* every account: the sweep looks after the queues of all farms */
    select a.id from accounts a
    where exists (select from jobs j where j.account_id = a.id and j.status = 'queued')
       or exists (
         select from worklist_tasks w
         where w.account_id = a.id and w.filament_key is not null and w.status in ('pending', 'in_progress')
       )`
  for (const { id } of accounts) await keepFilamentTasks(context, id)
}

/** Makes the tasks that the queue of a farm asks for, and closes those that are done or not needed any more. */
export async function keepFilamentTasks(context: Pick<Context, 'db' | 'clock'>, accountId: string): Promise<void> {
  const now = context.clock.now()
  await context.db.begin(async (sql) => {
    const printers = await listLoadedPrinters(sql, accountId)
    const known = await listFilamentTasks(sql, accountId, new Date(now.getTime() - quietMs))
    const changes = filamentChanges(printers, await listFilamentDemand(sql, accountId), known)
    const isSame = (a: Pick<FilamentChange, 'printerId' | 'key'>) => (b: Pick<FilamentChange, 'printerId' | 'key'>) =>
      a.printerId === b.printerId && a.key === b.key
    for (const change of changes) if (!known.some(isSame(change))) await openTask(sql, accountId, change, now)
    for (const task of known) {
      if (!task.isOpen || changes.some(isSame(task))) continue
      const printer = printers.find(({ id }) => id === task.printerId)
      await closeTask(sql, accountId, task.id, printer && isLoaded(printer, task.key) ? 'completed' : 'cancelled', now)
    }
  })
}

const isLoaded = (printer: LoadedPrinter, key: string) =>
  [printer.current_color, printer.current_color_hex, ''].some(
    (color) => `${printer.current_filament_type}|${color}`.toLowerCase() === key,
  )

interface FilamentTask extends Pick<FilamentChange, 'printerId' | 'key'> {
  id: string
  isOpen: boolean
}

/** Open tasks, and those that a person closed since. */
async function listFilamentTasks(sql: Sql, accountId: string, since: Date): Promise<FilamentTask[]> {
  return sql<FilamentTask[]>`
    select id, printer_id as "printerId", filament_key as key, status in ('pending', 'in_progress') as "isOpen"
    from worklist_tasks
    where account_id = ${accountId} and filament_key is not null and printer_id is not null
      and (status in ('pending', 'in_progress') or updated_at > ${since})
    order by id limit ${mostPrinters}`
}

async function listLoadedPrinters(sql: Sql, accountId: string): Promise<LoadedPrinter[]> {
  return sql<LoadedPrinter[]>`
    select p.id, p.name, p.model, p.nozzle_size, p.current_filament_type, p.current_color, p.current_color_hex,
           spool.remaining,
           not exists (
             select from attempts a
             where a.account_id = p.account_id and a.printer_id = p.id and a.phase <> 'finished'
           ) as is_free
    from printers p
    left join lateral (
      select m.remaining from materials m
      where m.account_id = p.account_id and m.printer_id = p.id order by m.loaded_at desc limit 1
    ) spool on true
    where p.account_id = ${accountId} and p.is_active and not p.in_maintenance
    order by p.name limit ${mostPrinters}`
}

/**
 * What queued jobs need, by the index `jobs_unfinished`; jobs that take any filament need none in particular. A job that
 * the service gave to a printer may be printed on another one. Plates of unknown length count as an hour.
 */
async function listFilamentDemand(sql: Sql, accountId: string): Promise<FilamentDemand[]> {
  return sql<FilamentDemand[]>`
    select wanted.printer_id, wanted.printer_model, wanted.nozzle_diameter, wanted.filament_type, wanted.color,
           count(*) as jobs, max(wanted.plate_grams) as plate_grams, sum(wanted.print_seconds)::float8 as print_seconds
    from (
      select case when j.auto_assigned then null else j.printer_id end as printer_id, v.printer_model, v.nozzle_diameter,
             j.filament_type, case when j.any_color then '' else j.color end as color, j.created_at,
             v.filament_weight_grams as plate_grams,
             coalesce(v.print_time_seconds, 3600) * (j.plates_total - j.plates_done) as print_seconds
      from jobs j
      join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
      where j.account_id = ${accountId} and j.status = 'queued'
    ) wanted
    where wanted.filament_type <> '' or wanted.color <> ''
    group by wanted.printer_id, wanted.printer_model, wanted.nozzle_diameter, wanted.filament_type, wanted.color
    order by min(wanted.created_at) limit ${mostDemands}`
}

async function openTask(sql: Sql, accountId: string, change: FilamentChange, now: Date): Promise<void> {
  const filament = [change.filamentType, change.color].filter(Boolean).join(' ')
  const id = newId('worklistTask', now.getTime())
  const assignee = await findAssignee(sql, accountId, { task_type: 'filament_change' })
  const rows = await sql`
    insert into worklist_tasks
      (account_id, id, title, subtitle, task_type, priority, printer_id, assigned_to, filament_key, created_by, created_at,
       updated_at)
    values (${accountId}, ${id}, ${`Load ${filament}`}, ${change.printerName}, 'filament_change', 'medium',
            ${change.printerId}, ${assignee}, ${change.key}, 'system', ${now}, ${now})
    on conflict (account_id, printer_id, filament_key)
      where filament_key is not null and status in ('pending', 'in_progress') do nothing
    returning id`
  if (rows.length === 0) return
  await recordEvent(sql, accountId, {
    type: 'worklist_task.created',
    subjectId: id,
    data: { task_type: 'filament_change', printer_id: change.printerId, jobs: change.jobs },
    actor: 'system',
  })
}

async function closeTask(
  sql: Sql,
  accountId: string,
  taskId: string,
  status: 'completed' | 'cancelled',
  now: Date,
): Promise<void> {
  const rows = await sql`
    update worklist_tasks set status = ${status}, filament_key = null, updated_at = ${now},
      completed_at = case when ${status === 'completed'} then ${now}::timestamptz end
    where account_id = ${accountId} and id = ${taskId} and status in ('pending', 'in_progress') returning id`
  if (rows.length === 0) return
  await recordEvent(sql, accountId, {
    type: 'worklist_task.status_changed',
    subjectId: taskId,
    data: { status, task_type: 'filament_change' },
    actor: 'system',
  })
}
