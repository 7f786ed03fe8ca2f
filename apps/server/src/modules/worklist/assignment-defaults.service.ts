import type { Sql } from '../../db/database.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { holdMembersAmong } from '../people/accounts/members.queries.ts'
import {
  listDefaults,
  listDefaultsFor,
  lockDefaults,
  removeDefault,
  writeDefault,
} from './assignment-defaults.queries.ts'
import { type AssignmentWish, resolveAssignee, type TaskType } from './task-assignment.ts'

/**
 * Sets who gets new tasks of a type, or with the type null those of every type without a default of its own; the
 * assignee null removes the default.
 *
 * @throws AppError `USER_NOT_FOUND` when the assignee is no member of the account.
 */
export async function setDefaultAssignee(
  work: Work,
  { task_type, assigned_to }: { task_type: TaskType | null; assigned_to: UserId | null },
): Promise<void> {
  await lockDefaults(work.sql, work.accountId)
  const before = (await listDefaults(work.sql, work.accountId)).find((present) => present.task_type === task_type)
  if ((before?.assigned_to ?? null) === assigned_to) return
  if (assigned_to === null) {
    await removeDefault(work, task_type)
  } else {
    const members = await holdMembersAmong(work.sql, work.accountId, [assigned_to])
    if (!members.has(assigned_to)) throw new AppError('USER_NOT_FOUND')
    await writeDefault(work, { task_type, assigned_to })
  }
  await work.record({
    type: 'task_assignment_default.set',
    subjectId: work.accountId,
    data: { task_type, assigned_to },
  })
}

/** Answers who gets a new task, by the defaults of the account; see `resolveAssignee`. `sql` is a transaction. */
export async function findAssignee(sql: Sql, accountId: AccountId, wish: AssignmentWish): Promise<UserId | null> {
  const isDecided = wish.assigned_to !== undefined || wish.apply_default_assignee === false
  const defaults = isDecided ? [] : await listDefaultsFor(sql, accountId, wish.task_type)
  const candidates = defaults.map(({ assigned_to }) => assigned_to)
  const members = candidates.length === 0 ? new Set<UserId>() : await holdMembersAmong(sql, accountId, candidates)
  return resolveAssignee(wish, defaults, members)
}
