import type { Sql } from '../../db/database.ts'
import { type AccountId, newId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { AssignmentDefault, TaskType } from './task-assignment.ts'

/** Answers what may decide on a new task of this type: the default of the type and the fallback, as far as they are set. */
export async function listDefaultsFor(
  sql: Sql,
  accountId: AccountId,
  taskType: TaskType,
): Promise<AssignmentDefault[]> {
  return sql<AssignmentDefault[]>`
    select task_type, assigned_to from task_assignment_defaults
    where account_id = ${accountId} and (task_type = ${taskType} or task_type is null)`
}

/** All defaults of an account, the fallback first; at most one per task type. */
export async function listDefaults(
  sql: Sql,
  accountId: AccountId,
): Promise<(AssignmentDefault & { is_member: boolean })[]> {
  return sql<(AssignmentDefault & { is_member: boolean })[]>`
    select d.task_type, d.assigned_to, m.user_id is not null as is_member
    from task_assignment_defaults d
    left join members m on m.account_id = d.account_id and m.user_id = d.assigned_to
    where d.account_id = ${accountId} order by d.task_type nulls first`
}

/** Holds the defaults until the transaction ends, also where there are none yet. */
export async function lockDefaults(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

export async function writeDefault(
  { sql, accountId, now }: Work,
  { task_type: taskType, assigned_to: assignedTo }: AssignmentDefault,
): Promise<void> {
  await sql`
    insert into task_assignment_defaults (account_id, id, task_type, assigned_to, created_at, updated_at)
    values (${accountId}, ${newId('taskAssignmentDefault')}, ${taskType}, ${assignedTo}, ${now}, ${now})
    on conflict on constraint task_assignment_defaults_type_key
      do update set assigned_to = excluded.assigned_to, updated_at = excluded.updated_at`
}

export async function removeDefault({ sql, accountId }: Work, taskType: TaskType | null): Promise<void> {
  await sql`
    delete from task_assignment_defaults
    where account_id = ${accountId} and task_type is not distinct from ${taskType}`
}
