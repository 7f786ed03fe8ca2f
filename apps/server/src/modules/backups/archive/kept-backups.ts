/** Number of backups that stay: the newest of each of so many days, weeks and months that have one, in UTC. */
export interface KeepRule {
  daily: number
  weekly: number
  monthly: number
}

/** The backups that a rule keeps. The newest always stays. */
export function chooseKept<T extends { takenAt: Date }>(backups: readonly T[], rule: KeepRule): T[] {
  const newestFirst = [...backups].sort((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
  const kept = new Set<T>(newestFirst.slice(0, 1))
  for (const [most, periodOf] of [
    [rule.daily, dayOf],
    [rule.weekly, weekOf],
    [rule.monthly, monthOf],
  ] as const) {
    const newest = new Map<string, T>()
    for (const backup of newestFirst) {
      const period = periodOf(backup.takenAt)
      if (!newest.has(period)) newest.set(period, backup)
    }
    for (const backup of [...newest.values()].slice(0, most)) kept.add(backup)
  }
  return newestFirst.filter((backup) => kept.has(backup))
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const monthOf = (time: Date) => time.toISOString().slice(0, 7)

/** The Monday of its week. */
function weekOf(time: Date): string {
  const monday = new Date(time)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  return dayOf(monday)
}
