import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { closeFarmTask, filamentSubject, listFilamentTasks, openFarmTask } from '../worklist/farm-tasks.ts'
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
      const about = { source: 'filament' as const, subjectId: filamentSubject(task.printerId, task.key) }
      const status = printer && isLoaded(printer, task.key) ? 'completed' : 'cancelled'
      await closeFarmTask(sql, accountId, about, { status, by: 'system', now })
    }
  })
}

const isLoaded = (printer: LoadedPrinter, key: string) =>
  [printer.current_color, printer.current_color_hex, ''].some(
    (color) => `${printer.current_filament_type}|${color}`.toLowerCase() === key,
  )

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
  const { printerId, key } = change
  await openFarmTask(
    sql,
    accountId,
    {
      source: 'filament',
      subjectId: filamentSubject(printerId, key),
      filamentKey: key,
      printerId,
      task_type: 'filament_change',
      priority: 'medium',
      title: `Load ${[change.filamentType, change.color].filter(Boolean).join(' ')}`,
      subtitle: change.printerName,
      description: '',
      jobs: change.jobs,
    },
    now,
  )
}
