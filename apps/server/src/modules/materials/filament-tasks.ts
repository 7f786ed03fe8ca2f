import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { newId } from '../../kernel/ids.ts'
import { recordEvent } from '../events/events.queries.ts'
import type { FarmFacts, PrinterFacts } from '../matching/farm-facts.ts'
import { filamentFit } from '../matching/filament-match.ts'
import { loadDemand } from '../matching/load-demand.ts'
import { findAssignee } from '../worklist/assignment-defaults.service.ts'
import { type FilamentChange, filamentChanges, keyOf, type LoadedPrinter } from './filament-changes.ts'

/** A task that a person closed although the filament is still needed is not made again for this long. */
const quietMs = 60 * 60_000

/** The most tasks that are looked at in one go. */
const mostTasks = 10_000

/** Keeps the tasks to change filament of all farms in line with their queues. */
export async function sweepFilamentTasks(context: Pick<Context, 'db' | 'clock' | 'hubs' | 'printers'>): Promise<void> {
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
export async function keepFilamentTasks(
  context: Pick<Context, 'db' | 'clock' | 'hubs' | 'printers'>,
  accountId: string,
): Promise<void> {
  const now = context.clock.now()
  await context.db.begin(async (sql) => {
    const { printers: all, demand, farm } = await loadDemand(context, sql, accountId)
    const printers = all.filter(({ is_active, in_maintenance }) => is_active && !in_maintenance).map(presentPrinter)
    const known = await listFilamentTasks(sql, accountId, new Date(now.getTime() - quietMs))
    const changes = filamentChanges(printers.toSorted(byName), demand, known, farm)
    const isSame = (a: Pick<FilamentChange, 'printerId' | 'key'>) => (b: Pick<FilamentChange, 'printerId' | 'key'>) =>
      a.printerId === b.printerId && a.key === b.key
    for (const change of changes) if (!known.some(isSame(change))) await openTask(sql, accountId, change, now)
    for (const task of known) {
      if (!task.isOpen || changes.some(isSame(task))) continue
      const printer = printers.find(({ id }) => id === task.printerId)
      // What is loaded at a printer whose hub is away, or connected to another process, cannot be told.
      if (printer && !printer.is_in_sight && demand.some((wanted) => keyOf(wanted) === task.key)) continue
      await closeTask(
        sql,
        accountId,
        task.id,
        printer && isLoaded(printer, task.key, farm) ? 'completed' : 'cancelled',
        now,
      )
    }
  })
}

const byName = (a: LoadedPrinter, b: LoadedPrinter) => a.name.localeCompare(b.name)

function presentPrinter(printer: PrinterFacts): LoadedPrinter {
  return {
    ...printer,
    is_free: !printer.has_live_attempt,
    is_in_sight: printer.hub_id === null || printer.hub_online,
  }
}

/** Whether every filament of a task is in the printer now. */
function isLoaded(printer: LoadedPrinter, key: string, farm: FarmFacts): boolean {
  return key.split('\n').every((line) => {
    const [type = '', color = ''] = line.split('|')
    const need = { indexes: [0], type, color, preset_id: '', grams: null }
    return printer.places.some((place) => filamentFit(place, need, true, farm) === 'yes')
  })
}

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
    order by id limit ${mostTasks}`
}

async function openTask(sql: Sql, accountId: string, change: FilamentChange, now: Date): Promise<void> {
  const id = newId('worklistTask', now.getTime())
  const assignee = await findAssignee(sql, accountId, { task_type: 'filament_change' })
  const rows = await sql`
    insert into worklist_tasks
      (account_id, id, title, subtitle, task_type, priority, printer_id, assigned_to, filament_key, created_by, created_at,
       updated_at)
    values (${accountId}, ${id}, ${`Load ${change.filament}`}, ${change.printerName}, 'filament_change', 'medium',
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
