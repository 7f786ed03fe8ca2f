import Type, { type Static } from 'typebox'
import { nullable, oneOf, request, resource } from '../../../http/schema.ts'
import type { OrderSettings as OrderSettingsOfAccount } from './order-settings.service.ts'

/** A code of ISO 4217; which ones there are is checked by the services. */
export const currencyCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{3}$', description, examples: ['EUR'] })

const handlingDays = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 365,
    description:
      'Working days from the day of an order to that on which it is to be shipped; null: `ship_by` is the one of the shop',
    examples: [2],
  }),
)
const workingDays = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
  description: 'Days of the week on which orders are handled: 1 is Monday, 7 is Sunday',
})

const autoProduce = oneOf(['off', 'paid', 'always'], {
  description:
    'Automatic production for orders: off: never; paid: of orders that are paid and have no line ' +
    'without a SKU; always: of all orders',
})

const shipLinesAlone = Type.Boolean({
  description:
    'Whether each line of an order is picked and shipped as soon as all its units are there; false: an order leaves when all of it is ' +
    'there. More parcels, and customers wait less',
})

export const OrderSettings = resource('OrderSettings', 'Defaults for orders that do not set it themselves', {
  currency: currencyCode('Currency of orders that name none, as ISO 4217 has it; USD until the account names one'),
  handling_days: handlingDays,
  working_days: workingDays,
  auto_produce: autoProduce,
  ship_lines_alone: shipLinesAlone,
  time_zone: Type.String({ description: "The account's time zone, by which the day of an order is known" }),
})

export const OrderSettingsBody = request(
  {
    currency: Type.Optional(
      currencyCode(
        'Currency of orders that name none. The first one that is set is that of all orders until then; a later one counts ' +
          'for orders from then on',
      ),
    ),
    handling_days: Type.Optional(handlingDays),
    working_days: Type.Optional(workingDays),
    auto_produce: Type.Optional(autoProduce),
    ship_lines_alone: Type.Optional(shipLinesAlone),
  },
  { minProperties: 1 },
)
export type OrderSettingsChange = Static<typeof OrderSettingsBody>

export function presentOrderSettings(settings: OrderSettingsOfAccount): Static<typeof OrderSettings> {
  const { currency, handling_days, working_days, auto_produce, ship_lines_alone, time_zone } = settings
  return { currency, handling_days, working_days, auto_produce, ship_lines_alone, time_zone }
}
