import type { OrderSettings } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { weekdays } from './scheduler-texts.ts'

/** The settings as a form holds them. */
export interface OrderSettingsTexts {
  currency: string
  handling_days: number | string
  working_days: string[]
  auto_produce: OrderSettings['auto_produce']
  ship_lines_alone: boolean
}

export const autoProduceOptions: readonly { value: OrderSettings['auto_produce']; label: string }[] = [
  { value: 'off', label: t('Only when a person starts it') },
  { value: 'paid', label: t('Automatically, for orders that are paid and mapped') },
  { value: 'always', label: t('Automatically, for all orders') },
]

export function readOrderSettings(settings: OrderSettings): OrderSettingsTexts {
  const { handling_days, working_days, time_zone: _, ...others } = settings
  return { ...others, handling_days: handling_days ?? '', working_days: working_days.map(String) }
}

export function writeOrderSettings(texts: OrderSettingsTexts): Omit<OrderSettings, 'time_zone'> {
  const { currency, handling_days, working_days, auto_produce, ship_lines_alone } = texts
  return {
    currency: currency.trim().toUpperCase(),
    handling_days: handling_days === '' ? null : Number(handling_days),
    working_days: working_days.map(Number).sort((a, b) => a - b),
    auto_produce,
    ship_lines_alone,
  }
}

/** `3 working days (Mon, Tue)` */
export function describeHandling({ handling_days, working_days }: OrderSettings): string {
  if (handling_days === null) return t('as the shop says')
  const days = weekdays.filter(({ value }) => working_days.includes(Number(value))).map(({ label }) => label)
  return t('{handling_days, plural, one {# working day} other {# working days}} ({days})', {
    handling_days,
    days: days.join(', '),
  })
}
