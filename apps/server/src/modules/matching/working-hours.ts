/** Hours at which a person is there, in the account's own time zone. */
export interface WorkingHours {
  timeZone: string
  /** 1 is Monday, 7 is Sunday. */
  days: readonly number[]
  /** Minutes after midnight; `fromMinute` is before `toMinute`. */
  fromMinute: number
  toMinute: number
}

const dayMinutes = 24 * 60
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const formats = new Map<string, Intl.DateTimeFormat>()

/** Minutes after midnight of a time such as `08:30`, and of `24:00`. */
export function minuteOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** As an account set them; null where it set none. */
export function readWorkingHours(
  settings: { working_days: number[] | null; working_from: string | null; working_to: string | null } | null,
  timeZone: string,
): WorkingHours | null {
  if (!settings?.working_days || settings.working_from === null || settings.working_to === null) return null
  return {
    timeZone,
    days: settings.working_days,
    fromMinute: minuteOfDay(settings.working_from),
    toMinute: minuteOfDay(settings.working_to),
  }
}

interface Stretch {
  from: Date
  to: Date
}

/** Answers when people are there between two moments, in the order of time. */
export function listWorkingStretches(hours: WorkingHours, from: Date, until: Date): Stretch[] {
  const stretches: Stretch[] = []
  let at = nextWorkingMoment(hours, from)
  while (at !== null && at < until) {
    const { minute } = localTime(at, hours.timeZone)
    const wholeMinute = Math.floor(at.getTime() / 60_000) * 60_000
    const closes = new Date(wholeMinute + (hours.toMinute - minute) * 60_000)
    stretches.push({ from: at, to: closes < until ? closes : until })
    at = nextWorkingMoment(hours, closes)
  }
  return stretches
}

/** The first moment from `at` on at which a person is there: `at` itself when a person is. Null when no one ever is. */
export function nextWorkingMoment(hours: WorkingHours, at: Date): Date | null {
  const { day, minute } = localTime(at, hours.timeZone)
  const isWorkday = hours.days.includes(day)
  if (isWorkday && minute >= hours.fromMinute && minute < hours.toMinute) return at
  const first = isWorkday && minute < hours.fromMinute ? 0 : 1
  for (let ahead = first; ahead <= 7; ahead += 1) {
    if (hours.days.includes(((day - 1 + ahead) % 7) + 1)) return openingAfter(hours, at, ahead, minute)
  }
  return null
}

function openingAfter(hours: WorkingHours, at: Date, daysAhead: number, minute: number): Date {
  const wholeMinute = Math.floor(at.getTime() / 60_000) * 60_000
  const guess = new Date(wholeMinute + (daysAhead * dayMinutes + hours.fromMinute - minute) * 60_000)
  // A change of the clocks in between moves the guess by an hour or so.
  const off = localTime(guess, hours.timeZone).minute - hours.fromMinute
  const shift = off > dayMinutes / 2 ? off - dayMinutes : off < -dayMinutes / 2 ? off + dayMinutes : off
  return new Date(guess.getTime() - shift * 60_000)
}

function localTime(at: Date, timeZone: string): { day: number; minute: number } {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return {
    day: weekdays.indexOf(parts.weekday ?? '') + 1,
    minute: (Number(parts.hour) % 24) * 60 + Number(parts.minute),
  }
}
