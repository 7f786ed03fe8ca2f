/** What a cell holds: a value, nothing, or what it should hold instead. */
export type Read<T> = { value: T } | { problem: string }

/** A currency as it stands beside an amount: `€`, `US$`, `kr.`, `EUR`. */
const unitBefore = /^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)\s*/u
const unitAfter = /\s*(?:\p{Sc}|\p{L}{1,3}\.?)$/u

/**
 * An amount as shops write it (`12.50`, `1,234.56`, `12,50`, `€ 12`), in the minor unit. A comma before one or two digits at the
 * end is the decimal sign when there is no point.
 */
export function readAmount(text: string, digits: number): Read<number> {
  const bare = text.trim().replace(unitBefore, '').replace(unitAfter, '')
  const [, sign = '', whole = '', , fraction = ''] =
    /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(\.(\d*))?$/.exec(bare.replace(/^(-?\d+),(\d{1,2})$/, '$1.$2')) ?? []
  if (whole === '') return { problem: 'must be an amount such as 12.50' }
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > digits) return { problem: `has more than ${digits} digits after the decimal sign` }
  const amount = Number(`${whole.replaceAll(',', '')}${kept.padEnd(digits, '0')}`)
  if (!Number.isSafeInteger(amount)) return { problem: 'is too large' }
  if (sign === '-' && amount > 0) return { problem: 'must not be negative' }
  return { value: amount }
}

/** A whole number without a sign. */
export function readCount(text: string): Read<number> {
  const trimmed = text.trim()
  if (/^-\d+$/.test(trimmed)) return { problem: 'must be at least 1' }
  return /^\d{1,9}$/.test(trimmed) ? { value: Number(trimmed) } : { problem: 'must be a whole number' }
}

/**
 * A time as shops write it. A date alone is the noon of that day in UTC, so that it is the same day in the zones of nearly all
 * farms; a time without an offset is in UTC.
 */
export function readTime(text: string): Read<string> {
  const at = timeOf(text.trim())
  return at === undefined || Number.isNaN(at.getTime())
    ? { problem: 'must be a date such as 2026-11-20, with or without a time' }
    : { value: at.toISOString() }
}

/** The day that a text tells without a time, such as `2026-11-20`; undefined for any other text. */
export function dayAlone(text: string): string | undefined {
  const at = text.includes(':') ? undefined : timeOf(text.trim())
  return at?.toISOString().slice(0, 10)
}

const isoForm = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/
const usForm = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/

function timeOf(text: string): Date | undefined {
  const us = usForm.exec(text)
  if (us) {
    const [, month = '', day = '', year = ''] = us
    return moment(Number(year.length === 2 ? `20${year}` : year), Number(month), Number(day), 12, 0, 0, 0)
  }
  const iso = isoForm.exec(text)
  if (!iso) return undefined
  const [, year, month, day, hour, minute, second, zone] = iso
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const [hours, minutes, seconds] = [hour ?? '12', minute ?? '0', second ?? '0'].map(Number) as [number, number, number]
  return moment(Number(year), Number(month), Number(day), hours, minutes, seconds, offset)
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'UTC') return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  if (Number(minutes) > 59 || offset > 14 * 60) return undefined
  return sign === '-' ? -offset : offset
}

/** Undefined for a day or time that the calendar does not have. */
function moment(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  offset: number,
): Date | undefined {
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const isReal =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    minute < 60 &&
    second < 60
  return isReal ? new Date(local.getTime() - offset * 60_000) : undefined
}
