const dayMs = 86_400_000
/** A backup of the schedule that failed is tried again after this long. */
const retryMs = 3_600_000

/** The last time at which a backup of the schedule was to be made. */
function lastSlot(hour: number, now: Date): Date {
  const slot = new Date(now)
  slot.setUTCHours(hour, 0, 0, 0)
  return slot.getTime() > now.getTime() ? new Date(slot.getTime() - dayMs) : slot
}

/** Answers when the next backup of the schedule is to be made, at the latest; in the past when it is overdue. */
export function nextBackupAt(hour: number, last: { startedAt: Date; isDone: boolean } | undefined, now: Date): Date {
  const slot = lastSlot(hour, now)
  if (last === undefined || last.startedAt.getTime() < slot.getTime()) return slot
  const next = new Date(slot.getTime() + dayMs)
  if (last.isDone) return next
  return new Date(Math.min(next.getTime(), last.startedAt.getTime() + retryMs))
}
