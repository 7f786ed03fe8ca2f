import { createContext, use, useSyncExternalStore } from 'react'
import { formatAge, formatMoment, formatStamp, formatUntil, parseTimestamp, zoneOf } from '../lib/format.ts'
import { t } from '../lib/i18n/t.ts'

/** The time zone of the account: everybody in the workshop reads the same clock. Undefined: the browser's. */
export const TimeZoneContext = createContext<string | undefined>(undefined)

const tickMs = 30_000
const subscribe = (onTick: () => void) => {
  const timer = setInterval(onTick, tickMs)
  return () => clearInterval(timer)
}
const readTick = () => Math.floor(Date.now() / tickMs) * tickMs

/** The time now, in steps of half a minute, so that what depends on it is drawn again. */
export function useNowMs(): number {
  useSyncExternalStore(subscribe, readTick)
  return Date.now()
}

interface TimeProps {
  /** As the service writes it, or null for never. */
  at: string | null | undefined
  /** `ago` (default): `3 min. ago`, the date on hovering; `clock`: `14:05`, with the date when it is not today. */
  as?: 'ago' | 'clock' | 'full'
  /** Instead of `never`. */
  never?: string
}

/** A moment, relative to now or in the account's time zone, which is named where the reader's clock shows another time. */
export function Time({ at, as = 'ago', never = t('never') }: TimeProps) {
  const timeZone = use(TimeZoneContext)
  const nowMs = useNowMs()
  const ms = parseTimestamp(at ?? null)
  if (ms === undefined || at == null) return <span>{never}</span>
  const reader = timeZone === undefined ? {} : { timeZone }
  const zone = zoneOf(ms, reader)
  const named = (clock: string) => (zone === '' ? clock : `${clock} ${zone}`)
  const full = named(formatStamp(ms, reader))
  const relative = ms > nowMs + tickMs ? formatUntil(ms, nowMs) : formatAge(ms, nowMs)
  return (
    <time dateTime={at} title={as === 'full' ? relative : full}>
      {as === 'ago' ? relative : as === 'clock' ? named(formatMoment(ms, nowMs, reader)) : full}
    </time>
  )
}
