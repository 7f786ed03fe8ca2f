import Type, { type Static } from 'typebox'
import { idOf, nullable, oneOf, request, resource, text } from '../../../http/schema.ts'
import { platforms } from '../../orders/listings/platforms.ts'
import { currencyCode } from '../../orders/settings/order-settings.schema.ts'
import { amountPattern, formatAmount, parseAmount } from '../calculation/money.ts'
import type { CostColumns } from './cost-settings.queries.ts'
import type { AllCostSettings, MaterialPrice as PriceOfMaterial } from './cost-settings.service.ts'

/** A price as text, so that none is rounded on its way. */
export const price = (description: string) =>
  Type.String({
    pattern: amountPattern,
    description: `${description}, as a decimal number in text`,
    examples: ['0.32'],
  })

/** 10 kW and a day: more than any printer or plate takes. */
const watts = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description: 'Watts on average while it prints',
  examples: [120],
})
const seconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 86_400, description: `${description}, in seconds`, examples: [180] })

const ofMachine = {
  machine_hour_price: nullable(price('Price of an hour of printing without energy; null: that of the account')),
  watts: nullable(watts),
}

const fields = {
  machine_hour_price: nullable(price('Price of an hour of printing without energy; null: not known')),
  watts: nullable(watts),
  energy_price: nullable(price('Price of a kilowatt hour; null: not known')),
  labour_hour_price: nullable(price('Price of an hour of labour; null: not known')),
  plate_labour_seconds: nullable(
    seconds('Time of a person to take a plate off and make the printer ready; null: not known'),
  ),
  assembly_labour_seconds: nullable(
    seconds('Time of a person to put a unit together where no article says it; null: not known'),
  ),
  order_labour_seconds: nullable(seconds('Time of a person to pick and pack an order; null: not known')),
}

const percent = Type.String({
  pattern: '^(100|[1-9]?[0-9])([.][0-9]{1,4})?$',
  description: 'Share that the platform keeps of what the customer pays, in %, as a decimal number in text',
  examples: ['6.5'],
})

const lists = {
  models: Type.Array(request({ model: text(1, 100, 'Model of printers, by any of its names'), ...ofMachine }), {
    maxItems: 200,
    description: 'Values that differ for models of printers',
  }),
  printers: Type.Array(request({ printer_id: idOf('printer', 'The printer'), ...ofMachine }), {
    maxItems: 1_000,
    description: 'Values that differ for single printers',
  }),
  filaments: Type.Array(
    request({ filament_type: text(1, 100, 'Type of filament, such as PLA'), price: price('Price of a kilogram') }),
    { maxItems: 200, description: 'Prices of filament by type, where no spool has one of its own' },
  ),
  platform_fees: Type.Array(
    request({
      platform: oneOf(platforms, { description: 'The platform' }),
      percent,
      fixed: price('Fixed fee for each order'),
    }),
    {
      maxItems: platforms.length,
      description: 'Fees of platforms. An order that was entered by hand pays none',
    },
  ),
}

export const CostSettings = resource('CostSettings', 'Prices of the materials, machines and labour of the farm', {
  currency: currencyCode('Currency of all prices here and of all costs, as ISO 4217 has it'),
  ...fields,
  ...lists,
})

export const CostSettingsBody = request(
  {
    currency: Type.Optional(currencyCode('Currency of all prices; those that are set stay the same numbers')),
    ...(Object.fromEntries(
      Object.entries({ ...fields, ...lists }).map(([name, schema]) => [name, Type.Optional(schema)]),
    ) as { [Name in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[Name]>> } & {
      [Name in keyof typeof lists]: ReturnType<typeof Type.Optional<(typeof lists)[Name]>>
    }),
  },
  { minProperties: 1 },
)
export type CostSettingsChange = Static<typeof CostSettingsBody>

export const MaterialPrice = resource('MaterialPrice', 'Price of a material', {
  material_id: Type.String({ description: 'ID of the material' }),
  price: nullable(price('Price of a kilogram of the spool, or of a piece of anything else; null: not known')),
  unit: oneOf(['kilogram', 'piece'], { description: 'Unit of the price' }),
  currency: currencyCode('Currency of the price'),
  type_price: nullable(
    price('Price of a kilogram of its type, for a spool, which counts where the spool has no price; else null'),
  ),
})

export const MaterialPriceBody = request({
  price: nullable(price('Price of a kilogram of the spool, or of a piece of anything else; null: not known')),
})

const toNumber = (amount: string) => Number(parseAmount(amount))
const toText = (stored: number) => formatAmount(BigInt(stored))
const orNull = <In, Out>(value: In | null, change: (value: In) => Out) => (value === null ? null : change(value))

/** Digits of the stored millionths that stand behind the point of a percentage. */
const percentDigits = 4

/** `6.5` as 65,000 millionths. */
export function toPpm(percentText: string): number {
  const [whole = '0', fraction = ''] = percentText.split('.')
  return Number(whole + fraction.padEnd(percentDigits, '0'))
}

function fromPpm(ppm: number): string {
  return formatAmount(BigInt(ppm) * 100n)
}

/** The columns that a change sets. */
export function costColumns(change: CostSettingsChange): Partial<CostColumns> {
  const { machine_hour_price, energy_price, labour_hour_price } = change
  const { watts: power, plate_labour_seconds, assembly_labour_seconds, order_labour_seconds } = change
  return {
    ...(machine_hour_price !== undefined && { machine_hour_price: orNull(machine_hour_price, toNumber) }),
    ...(energy_price !== undefined && { energy_price: orNull(energy_price, toNumber) }),
    ...(labour_hour_price !== undefined && { labour_hour_price: orNull(labour_hour_price, toNumber) }),
    ...(power !== undefined && { watts: power }),
    ...(plate_labour_seconds !== undefined && { plate_labour_seconds }),
    ...(assembly_labour_seconds !== undefined && { assembly_labour_seconds }),
    ...(order_labour_seconds !== undefined && { order_labour_seconds }),
  }
}

/** What a price of a list is stored as. */
export const storedPrice = (amount: string | null) => orNull(amount, toNumber)

export function presentCostSettings({ settings, ...lists }: AllCostSettings): Static<typeof CostSettings> {
  return {
    currency: settings.currency,
    machine_hour_price: orNull(settings.machine_hour_price, toText),
    watts: settings.watts,
    energy_price: orNull(settings.energy_price, toText),
    labour_hour_price: orNull(settings.labour_hour_price, toText),
    plate_labour_seconds: settings.plate_labour_seconds,
    assembly_labour_seconds: settings.assembly_labour_seconds,
    order_labour_seconds: settings.order_labour_seconds,
    models: lists.models.map(({ model, watts: power, machine_hour_price }) => ({
      model,
      machine_hour_price: orNull(machine_hour_price, toText),
      watts: power,
    })),
    printers: lists.printers.map(({ printer_id, watts: power, machine_hour_price }) => ({
      printer_id,
      machine_hour_price: orNull(machine_hour_price, toText),
      watts: power,
    })),
    filaments: lists.filaments.map(({ filament_type, price: stored }) => ({ filament_type, price: toText(stored) })),
    platform_fees: lists.platformFees.map(({ platform, share_ppm, fixed }) => ({
      platform,
      percent: fromPpm(share_ppm),
      fixed: toText(fixed),
    })),
  }
}

export function presentMaterialPrice({ material, currency, typePrice }: PriceOfMaterial): Static<typeof MaterialPrice> {
  return {
    material_id: material.id,
    price: orNull(material.price, toText),
    unit: material.kind === 'filament' ? 'kilogram' : 'piece',
    currency,
    type_price: orNull(typePrice, toText),
  }
}
