import type { Sql } from '../../db/database.ts'
import type { WorklistTaskRow as TaskTableRow } from '../../db/rows.generated.ts'
import { type AccountId, type AttemptId, newId, type PrinterId, type TaskId } from '../../kernel/ids.ts'
import { type Work, workBy } from '../events/work.ts'
import { findAssignee } from './assignment-defaults.service.ts'
import { timesAfter } from './task-status.ts'

/** The rule that makes a task; `person` is none. */
type FarmTaskSource = Exclude<TaskTableRow['source'], 'person'>

type FarmTask = Pick<TaskTableRow, 'title' | 'subtitle' | 'description' | 'task_type' | 'priority'> & {
  source: FarmTaskSource
  /** What it is about: the ID of a printer, a hub, an order or an assembly task, with more behind it where one has several tasks. */
  subjectId: string
  printerId: PrinterId | null
  attemptId?: AttemptId
  /** The filament to load, as the queue names it. */
  filamentKey?: string
  /** Number of jobs that wait for it. */
  jobs?: number
}

/** Actor that makes and closes tasks for which no person asked. */
const farmActor = 'system'

/** Longer texts come from names that people gave; a task has room for this much. */
const cut = (text: string, length: number) => Array.from(text).slice(0, length).join('')

/**
 * Makes the task that a rule asks for, or brings the open one up to date: there is never a second one for the same
 * subject. Who has it and what a person began stay as they are. True when a task was made.
 */
export async function openFarmTask(work: Work, task: FarmTask): Promise<boolean> {
  const { sql, accountId, now } = work
  const title = cut(task.title, 200)
  const subtitle = cut(task.subtitle, 200)
  const description = cut(task.description, 2000)
  const [row] = await sql<{ id: TaskId; is_new: boolean; former_priority: TaskTableRow['priority'] | null }[]>`
    with before as (
      select priority from worklist_tasks
      where account_id = ${accountId} and source = ${task.source} and subject_id = ${task.subjectId}
        and status in ('pending', 'in_progress')
    )
    insert into worklist_tasks
      (account_id, id, title, subtitle, description, task_type, priority, printer_id, assigned_to, source, subject_id,
       attempt_id, filament_key, created_by, created_at, updated_at)
    values (${accountId}, ${newId('worklistTask', now.getTime())}, ${title}, ${subtitle}, ${description},
            ${task.task_type}, ${task.priority}, ${task.printerId},
            ${await findAssignee(sql, accountId, { task_type: task.task_type })}, ${task.source}, ${task.subjectId},
            ${task.attemptId ?? null}, ${task.filamentKey ?? null}, ${farmActor}, ${now}, ${now})
    on conflict (account_id, source, subject_id) where status in ('pending', 'in_progress') and source <> 'person'
      do update set title = excluded.title, subtitle = excluded.subtitle, description = excluded.description,
        priority = excluded.priority, attempt_id = excluded.attempt_id, updated_at = excluded.updated_at
    returning id, (xmax = 0) as is_new, (select priority from before) as former_priority`
  if (!row?.is_new) {
    // Told because it may matter more now; its texts change with every look of the rule.
    if (row && row.former_priority !== null && row.former_priority !== task.priority) {
      const data = { fields: ['priority'] }
      await workBy(work, farmActor).record({ type: 'worklist_task.updated', subjectId: row.id, data })
    }
    return false
  }
  await workBy(work, farmActor).record({
    type: 'worklist_task.created',
    subjectId: row.id,
    data: {
      task_type: task.task_type,
      printer_id: task.printerId,
      source: task.source,
      ...(task.jobs !== undefined && { jobs: task.jobs }),
    },
  })
  return true
}

/**
 * Closes the open task of a rule because what it asked for has happened: as completed, or as cancelled when it turned out
 * that there is nothing to do. True when one was open.
 */
export async function closeFarmTask(
  work: Work,
  about: Pick<FarmTask, 'source' | 'subjectId'>,
  status: 'completed' | 'cancelled' = 'completed',
): Promise<boolean> {
  const { sql, accountId, now } = work
  const [task] = await sql<Pick<TaskTableRow, 'id' | 'status' | 'started_at' | 'task_type' | 'printer_id'>[]>`
    select id, status, started_at, task_type, printer_id from worklist_tasks
    where account_id = ${accountId} and source = ${about.source} and subject_id = ${about.subjectId}
      and status in ('pending', 'in_progress')
    for update`
  if (!task) return false
  await sql`
    update worklist_tasks set ${sql({
      status,
      ...timesAfter(task, status, now),
      // What still names a filament was closed by a person.
      filament_key: null,
      updated_at: now,
    })}
    where account_id = ${accountId} and id = ${task.id}`
  await work.record({
    type: 'worklist_task.status_changed',
    subjectId: task.id,
    data: {
      status,
      previous_status: task.status,
      task_type: task.task_type,
      printer_id: task.printer_id,
      source: about.source,
    },
  })
  return true
}

/** Empties what people may have written into the tasks about this, and gives them this title. Answers how many had anything else. */
export async function emptyTextsOfTasks(
  { sql, accountId, now }: Work,
  sources: FarmTaskSource[],
  { subjectId, title }: { subjectId: string; title: string },
): Promise<number> {
  const rows = await sql`
    update worklist_tasks set title = ${title}, subtitle = '', description = '', updated_at = ${now}
    where account_id = ${accountId} and source = any(${sources}) and subject_id = ${subjectId}
      and (title, subtitle, description) is distinct from (${title}, '', '')
    returning id`
  return rows.length
}

/** All tasks about any of these, also those that are done. */
export async function listTaskIdsAbout(
  sql: Sql,
  accountId: AccountId,
  subjectIds: readonly string[],
): Promise<TaskId[]> {
  const tasks = await sql<{ id: TaskId }[]>`
    select id from worklist_tasks where account_id = ${accountId} and subject_id = any(${[...subjectIds]}::text[])`
  return tasks.map(({ id }) => id)
}

/** The most open tasks of one rule that are read at once. */
const mostSubjects = 20_000

/** Answers what the open tasks of a rule are about. */
export async function listOpenTasks(
  sql: Sql,
  accountId: AccountId,
  source: FarmTaskSource,
): Promise<{ subject_id: string; subtitle: string }[]> {
  return sql<{ subject_id: string; subtitle: string }[]>`
    select subject_id, subtitle from worklist_tasks
    where account_id = ${accountId} and source = ${source} and status in ('pending', 'in_progress')
      and subject_id is not null
    limit ${mostSubjects}`
}

/** The subject of a task to load a filament into a printer. */
export const filamentSubject = (printerId: PrinterId, key: string) => `${printerId} ${key}`

interface FilamentTask {
  id: TaskId
  printerId: PrinterId
  key: string
  isOpen: boolean
}

/** The most tasks to change filament that are read at once. */
const mostFilamentTasks = 10_000

/** Open tasks to change filament, and those that a person closed since. */
export async function listFilamentTasks(sql: Sql, accountId: AccountId, since: Date): Promise<FilamentTask[]> {
  return sql<FilamentTask[]>`
    select id, printer_id as "printerId", filament_key as key, status in ('pending', 'in_progress') as "isOpen"
    from worklist_tasks
    where account_id = ${accountId} and filament_key is not null and printer_id is not null
      and (status in ('pending', 'in_progress') or updated_at > ${since})
    order by id limit ${mostFilamentTasks}`
}
