import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { anyRates, skuFacts } from '../../../test/farm/cost-facts.ts'
import { knownAmount, totalAmount } from './cost.ts'
import { formatAmount, type Micros, parseAmount, percentOf } from './money.ts'
import { type Margin, marginAmount, marginAtMost, type OrderFacts, orderMargin } from './order-cost.ts'
import { plannedPlateCost } from './plate-cost.ts'
import { createUnitCosts, type SkuFacts } from './sku-cost.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../../../docs/costs.md'), 'utf8')
/** The last column of each row of the example, by its first. */
const told = new Map(
  [...page.matchAll(/^\| ([^|]+) \|[^|]*\| ([0-9.]+) \|$/gm)].map(([, what = '', amount = '']) => [what, amount]),
)

const screwId = newId('material')
const bagId = newId('material')
const money = parseAmount
const rates = anyRates({
  machineHourPrice: money('0.50'),
  watts: 120,
  energyPrice: money('0.32'),
  labourHourPrice: money('24'),
  plateLabourSeconds: 180,
  orderLabourSeconds: 300,
  filamentPrices: new Map([['pla', money('22')]]),
  materialPrices: new Map([
    [screwId, money('0.03')],
    [bagId, money('0.18')],
  ]),
  platformFees: new Map([['etsy', { sharePpm: 65_000, fixed: money('0.30') }]]),
})
const clip: SkuFacts = skuFacts({
  recipe: {
    units: 12,
    plate: {
      file: { id: newId('printFile'), name: 'clips' },
      machine: { printer: null, model: 'MK4S' },
      seconds: 3 * 3_600,
      filaments: [{ type: 'PLA', color: 'Red', milligrams: 60_000 }],
    },
  },
  materials: [
    { id: screwId, name: 'Screw', kind: 'components', quantity: 2 },
    { id: bagId, name: 'Bag', kind: 'packaging', quantity: 1 },
  ],
})
const order: OrderFacts = {
  id: newId('order'),
  number: '1001',
  platform: 'etsy',
  currency: 'EUR',
  paid: money('20.50'),
  goods: money('15.60'),
  lines: [
    {
      id: newId('orderItem'),
      skuId: clip.id,
      name: clip.name,
      units: 4,
      price: money('15.60'),
      shippedUnits: 0,
      restockedUnits: 0,
    },
  ],
  hasLeft: false,
  packaging: [],
  labourSeconds: null,
}

const write = (amount: Micros | null) => (amount === null ? 'unknown' : formatAmount(amount))

test('the example of the page is what is worked out', () => {
  if (!clip.recipe) throw new Error('the clip has a recipe')
  const plate = plannedPlateCost(rates, clip.recipe.plate)
  const unitCostOf = createUnitCosts(rates, new Map([[clip.id, clip]]))
  const unit = unitCostOf(clip.id).estimate
  const { estimate } = orderMargin(rates, order, unitCostOf)
  expect(
    Object.fromEntries(
      Object.entries({
        'Filament of a plate': plate.parts.filament,
        'Machine of a plate': plate.parts.machine,
        'Energy of a plate': plate.parts.energy,
        'Labour of a plate': plate.parts.labour,
        'A plate': totalAmount(plate),
        'A clip off the plate': knownAmount(unit) - unit.parts.components - unit.parts.packaging,
        'A clip in its bag': totalAmount(unit),
        'Four clips': (totalAmount(unit) ?? 0n) * 4n,
        'Fee of the platform': estimate.cost.parts.platform_fee,
        'Picking and packing': estimate.cost.parts.labour - unit.parts.labour * 4n,
        'Cost of the order': totalAmount(estimate.cost),
        Revenue: estimate.revenue,
        Margin: marginAmount(estimate),
      }).map(([what, amount]) => [what, write(amount)]),
    ),
  ).toEqual(Object.fromEntries(told))
  expect(page).toContain(
    `The margin is ${percentOf(marginAmount(estimate) ?? 0n, estimate.revenue ?? 0n)} % of the revenue`,
  )
})

test('and what it says of a missing price, too', () => {
  const unpriced = { ...rates, materialPrices: new Map([[bagId, money('0.18')]]) }
  const unitCostOf = createUnitCosts(unpriced, new Map([[clip.id, clip]]))
  const unit = unitCostOf(clip.id).estimate
  const margin: Margin = orderMargin(unpriced, order, unitCostOf).estimate
  expect([totalAmount(unit), marginAmount(margin)]).toEqual([null, null])
  expect(unit.unknown).toEqual([
    { part: 'components', input: 'material_price', subject: { kind: 'material', id: screwId, name: 'Screw' } },
  ])
  expect(page).toContain(`${write(knownAmount(unit))} of it is known`)
  expect(page).toContain(`is at most ${write(marginAtMost(margin))}.`)
})
