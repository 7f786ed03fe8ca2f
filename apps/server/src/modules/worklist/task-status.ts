/** The life of a worklist task. A completed task stays completed; a cancelled one may be taken up again. */
export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** Times when a task was worked on, and for how long. */
interface TaskTimes {
  started_at: Date | null
  completed_at: Date | null
  /** Whole minutes, rounded up. */
  actual_time_minutes: number | null
}

/**
 * The times of a task that moves to another status. Work counts from the moment the task was last taken up, and only as
 * long as it stays in progress: what is put back and taken up again starts over. No one knows how long a task took that
 * is completed without having been in progress.
 */
export function timesAfter(
  task: { status: TaskStatus; started_at: Date | null },
  status: TaskStatus,
  now: Date,
): TaskTimes {
  const startedAt = task.status === 'in_progress' ? task.started_at : null
  switch (status) {
    case 'pending':
      return { started_at: null, completed_at: null, actual_time_minutes: null }
    case 'in_progress':
      return { started_at: startedAt ?? now, completed_at: null, actual_time_minutes: null }
    case 'completed':
      return { started_at: startedAt, completed_at: now, actual_time_minutes: startedAt && minutesFrom(startedAt, now) }
    case 'cancelled':
      return { started_at: startedAt, completed_at: null, actual_time_minutes: null }
  }
}

/** A clock that was set back makes it 0, never less. */
function minutesFrom(start: Date, end: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - start.getTime()) / 60_000))
}
