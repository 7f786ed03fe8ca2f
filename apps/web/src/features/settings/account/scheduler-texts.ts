import type { SchedulerSettings } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'

export const weekdays = [
  { value: '1', label: t('Mon') },
  { value: '2', label: t('Tue') },
  { value: '3', label: t('Wed') },
  { value: '4', label: t('Thu') },
  { value: '5', label: t('Fri') },
  { value: '6', label: t('Sat') },
  { value: '7', label: t('Sun') },
] as const

/** The settings as a form holds them. */
export interface SchedulerTexts {
  hasHours: boolean
  days: string[]
  from: string
  to: string
  heating_at_once: number | string
  heating_gap_seconds: number | string
}

export function readScheduler(settings: SchedulerSettings): SchedulerTexts {
  const { working_hours: hours, heating_at_once, heating_gap_seconds } = settings
  return {
    hasHours: hours !== null,
    days: (hours?.days ?? [1, 2, 3, 4, 5]).map(String),
    from: hours?.from ?? '08:00',
    to: hours?.to ?? '17:00',
    heating_at_once: heating_at_once ?? '',
    heating_gap_seconds: heating_gap_seconds ?? '',
  }
}

export function writeScheduler(texts: SchedulerTexts): Omit<SchedulerSettings, 'time_zone'> {
  const { hasHours, days, from, to, heating_at_once, heating_gap_seconds } = texts
  const number = (value: number | string) => (value === '' ? null : Number(value))
  return {
    working_hours: hasHours
      ? { days: days.map(Number).sort((a, b) => a - b), from: wholeTime(from), to: wholeTime(to) }
      : null,
    heating_at_once: number(heating_at_once),
    heating_gap_seconds: number(heating_gap_seconds),
  }
}

/** `8:30` and `8` are read as people mean them; the rest goes as it is typed, and the service says what is wrong. */
function wholeTime(text: string): string {
  const [, hour, minute = '00'] = /^(\d{1,2})(?::(\d{2}))?$/.exec(text.trim()) ?? []
  return hour === undefined ? text.trim() : `${hour.padStart(2, '0')}:${minute}`
}

/** `Mon, Tue 08:30–17:00` */
export function describeHours(hours: SchedulerSettings['working_hours']): string {
  if (hours === null) return t('at any time')
  const days = weekdays.filter(({ value }) => hours.days.includes(Number(value))).map(({ label }) => label)
  return `${days.join(', ')} ${hours.from}–${hours.to}`
}
