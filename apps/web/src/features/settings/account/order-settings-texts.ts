import type { OrderSettings } from '../../../lib/api/api-schema.generated.ts'
import { weekdays } from './scheduler-texts.ts'

/** The settings as a form holds them. */
export interface OrderSettingsTexts {
  currency: string
  handling_days: number | string
  working_days: string[]
}

export function readOrderSettings({ currency, handling_days, working_days }: OrderSettings): OrderSettingsTexts {
  return { currency, handling_days: handling_days ?? '', working_days: working_days.map(String) }
}

export function writeOrderSettings(texts: OrderSettingsTexts): Omit<OrderSettings, 'time_zone'> {
  const { currency, handling_days, working_days } = texts
  return {
    currency: currency.trim().toUpperCase(),
    handling_days: handling_days === '' ? null : Number(handling_days),
    working_days: working_days.map(Number).sort((a, b) => a - b),
  }
}

/** `3 working days (Mon, Tue)` */
export function describeHandling({ handling_days, working_days }: OrderSettings): string {
  if (handling_days === null) return 'as the shop says'
  const days = weekdays.filter(({ value }) => working_days.includes(Number(value))).map(({ label }) => label)
  return `${handling_days} working ${handling_days === 1 ? 'day' : 'days'} (${days.join(', ')})`
}
