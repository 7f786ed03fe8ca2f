import type { UserId } from '../../kernel/ids.ts'
export const taskTypes = ['assembly', 'filament_change', 'collection', 'maintenance', 'quality_check'] as const
export type TaskType = (typeof taskTypes)[number]

/** Person who gets new tasks of a type; without a type, those of every type that has no default of its own. */
export interface AssignmentDefault {
  task_type: TaskType | null
  assigned_to: UserId
}

/** What a new task says about who is to do it. */
export interface AssignmentWish {
  task_type: TaskType
  assigned_to?: UserId
  /** Default: true. */
  apply_default_assignee?: boolean
}

/**
 * The user ID of who gets a new task, or null for no one. Who is named gets it. Else the default of its type decides,
 * or the fallback when the type has none. A default that points to someone who is no longer a member assigns no one:
 * the fallback was not meant for this type.
 */
export function resolveAssignee(
  wish: AssignmentWish,
  defaults: AssignmentDefault[],
  members: ReadonlySet<string>,
): UserId | null {
  if (wish.assigned_to !== undefined) return wish.assigned_to
  if (wish.apply_default_assignee === false) return null
  const ownDefault = defaults.find(({ task_type }) => task_type === wish.task_type)
  const chosen = ownDefault ?? defaults.find(({ task_type }) => task_type === null)
  return chosen && members.has(chosen.assigned_to) ? chosen.assigned_to : null
}
