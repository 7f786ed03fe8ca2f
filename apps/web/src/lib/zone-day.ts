import { timeWriter } from './i18n/writers.ts'

/**
 * The moment at which a day begins in a time zone, as the API writes times. Where clocks skip midnight that day, the first
 * moment after it.
 *
 * @param day `2026-05-04`
 * @param timeZone IANA name
 */
export function startOfDay(day: string, timeZone: string): string | undefined {
  const asUtcMs = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(asUtcMs)) return undefined
  // The offset at the first guess may be that of the other side of a change of clocks; the second one is right.
  const guessMs = asUtcMs - offsetMs(asUtcMs, timeZone)
  return new Date(asUtcMs - offsetMs(guessMs, timeZone)).toISOString()
}

/** The date of a moment by the calendar of a time zone, by default that of the browser: `2026-11-20`. */
export function dateOf(atMs: number, timeZone: string | undefined): string {
  return timeWriter('sv-SE', { dateStyle: 'short', timeZone }).format(atMs)
}

/** A day as an address names it: `2026-11-20`. Undefined for anything else. */
export function readDay(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined
}

/** The day after. */
export function nextDay(day: string): string | undefined {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(ms) ? undefined : new Date(ms + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

/** By how much the zone's clocks are ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = timeWriter('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(atMs)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '00'
  const local = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`
  return Date.parse(local) - Math.floor(atMs / 1000) * 1000
}
