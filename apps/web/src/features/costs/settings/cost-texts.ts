import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { CostSettings } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'

type Change = BodyOf<'PATCH /costs/settings'>
type Platform = CostSettings['platform_fees'][number]['platform']

/** The settings as a form holds them. Fields are called as in the service, so that what is wrong with one stands at it. */
export interface CostTexts {
  currency: string
  machine_hour_price: string
  watts: string
  energy_price: string
  labour_hour_price: string
  plate_labour_seconds: string
  assembly_labour_seconds: string
  order_labour_seconds: string
  models: { model: string; machine_hour_price: string; watts: string }[]
  printers: { printer_id: string; machine_hour_price: string; watts: string }[]
  filaments: { filament_type: string; price: string }[]
  platform_fees: { platform: Platform | ''; percent: string; fixed: string }[]
}

/** A price as the service takes it: `1,5` is 1.5; nothing typed is not known. */
export function toPrice(typed: string): string | null {
  const text = typed.trim().replace(',', '.')
  return text === '' ? null : text
}

const toWatts = (typed: string) => (typed.trim() === '' ? null : Number(typed.trim().replace(',', '.')))
const toText = (value: string | number | null) => (value === null ? '' : String(value))

/** What is wrong with a price that was typed; null for nothing. */
export function priceProblem(typed: string): string | null {
  const price = toPrice(typed)
  return price === null || /^\d{1,9}([.]\d{1,6})?$/.test(price) ? null : t('Write an amount such as 0.32')
}

/** The same where there must be one. */
export function neededPriceProblem(typed: string): string | null {
  return toPrice(typed) === null ? t('Write an amount such as 0.32') : priceProblem(typed)
}

export function wattsProblem(typed: string): string | null {
  const watts = toWatts(typed)
  return watts === null || (Number.isInteger(watts) && watts >= 0 && watts <= 10_000)
    ? null
    : t('Write whole watts, up to 10,000')
}

export function minutesProblem(typed: string): string | null {
  const seconds = toSeconds(typed)
  return seconds === null || (seconds >= 0 && seconds <= 86_400) ? null : t('Write minutes, up to a day')
}

/** Minutes, to a hundredth. */
export function toMinutes(seconds: number | null): string {
  return seconds === null ? '' : String(Math.round((seconds / 60) * 100) / 100)
}

export function toSeconds(minutes: string): number | null {
  const text = minutes.trim().replace(',', '.')
  return text === '' ? null : Math.round(Number(text) * 60)
}

export function readCosts(settings: CostSettings): CostTexts {
  return {
    currency: settings.currency,
    machine_hour_price: toText(settings.machine_hour_price),
    watts: toText(settings.watts),
    energy_price: toText(settings.energy_price),
    labour_hour_price: toText(settings.labour_hour_price),
    plate_labour_seconds: toMinutes(settings.plate_labour_seconds),
    assembly_labour_seconds: toMinutes(settings.assembly_labour_seconds),
    order_labour_seconds: toMinutes(settings.order_labour_seconds),
    models: settings.models.map((each) => ({ ...each, ...ofMachine(each) })),
    printers: settings.printers.map((each) => ({ ...each, ...ofMachine(each) })),
    filaments: settings.filaments.map((each) => ({ ...each })),
    platform_fees: settings.platform_fees.map((each) => ({ ...each })),
  }
}

function ofMachine(rates: { machine_hour_price: string | null; watts: number | null }) {
  return { machine_hour_price: toText(rates.machine_hour_price), watts: toText(rates.watts) }
}

function writeCosts(texts: CostTexts): Required<Change> {
  return {
    currency: texts.currency.trim().toUpperCase(),
    machine_hour_price: toPrice(texts.machine_hour_price),
    watts: toWatts(texts.watts),
    energy_price: toPrice(texts.energy_price),
    labour_hour_price: toPrice(texts.labour_hour_price),
    plate_labour_seconds: toSeconds(texts.plate_labour_seconds),
    assembly_labour_seconds: toSeconds(texts.assembly_labour_seconds),
    order_labour_seconds: toSeconds(texts.order_labour_seconds),
    models: texts.models.map(({ model, machine_hour_price, watts }) => ({
      model: model.trim(),
      machine_hour_price: toPrice(machine_hour_price),
      watts: toWatts(watts),
    })),
    printers: texts.printers.map(({ printer_id, machine_hour_price, watts }) => ({
      printer_id,
      machine_hour_price: toPrice(machine_hour_price),
      watts: toWatts(watts),
    })),
    filaments: texts.filaments.map(({ filament_type, price }) => ({
      filament_type: filament_type.trim(),
      price: toPrice(price) ?? '',
    })),
    platform_fees: texts.platform_fees.flatMap(({ platform, percent, fixed }) =>
      platform === '' ? [] : [{ platform, percent: toPrice(percent) ?? '0', fixed: toPrice(fixed) ?? '0' }],
    ),
  }
}

/** Only what is other than before, so that what another person changes meanwhile stays. */
export function costChanges(before: CostTexts, after: CostTexts): Change {
  const [old, now] = [writeCosts(before), writeCosts(after)]
  const names = Object.keys(now) as (keyof Change)[]
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name])).map((name) => [name, now[name]]),
  )
}
