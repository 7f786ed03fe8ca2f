import type { ShiftsOfMember } from '../../../lib/api/api-schema.generated.ts'
import { weekdays } from '../account/scheduler-texts.ts'

type Shift = ShiftsOfMember['shifts'][number]

/** Shifts of the same times on several days, as a form holds them. */
export interface ShiftLine {
  days: string[]
  from: string
  to: string
}

/** Shifts of the same times in one line, in the order of the first of them. */
export function linesOf(shifts: readonly Shift[]): ShiftLine[] {
  const lines = Map.groupBy(shifts, ({ from, to }) => `${from} ${to}`)
  return [...lines.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    return [{ days: same.map(({ day }) => String(day)), from: first.from, to: first.to }]
  })
}

/** A shift for each day of each line, each once. */
export function shiftsOf(lines: readonly ShiftLine[]): Shift[] {
  const shifts = lines.flatMap(({ days, from, to }) => days.map((day) => ({ day: Number(day), from, to })))
  return [...new Map(shifts.map((shift) => [`${shift.day} ${shift.from} ${shift.to}`, shift])).values()]
}

/** `Mon–Fri`, `Tue, Thu`. */
export function daysInWords(days: readonly string[]): string {
  const chosen = weekdays.filter(({ value }) => days.includes(value))
  const [first, last] = [chosen[0], chosen.at(-1)]
  const isRun = first && last && Number(last.value) - Number(first.value) === chosen.length - 1
  if (first && last && isRun && chosen.length > 2) return `${first.label}–${last.label}`
  return chosen.map(({ label }) => label).join(', ')
}
