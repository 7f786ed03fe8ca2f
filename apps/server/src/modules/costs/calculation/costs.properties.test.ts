import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import {
  allPrices,
  anyRates,
  orderOf,
  printedPlates,
  printedSku,
  skuFacts,
  somePrices,
} from '../../../test/farm/cost-facts.ts'
import { addCosts, type Cost, costParts, knownAmount, scaleCost, totalAmount } from './cost.ts'
import { formatAmount, fromMinorUnits, parseAmount, percentOf, shareOf, spreadAmount } from './money.ts'
import { marginAmount, marginAtMost, orderMargin } from './order-cost.ts'
import { nothingPrinted, printedPlatesCost } from './plate-cost.ts'
import { filamentCost, platformFee, printingCost, spoolCost } from './rates.ts'
import { createUnitCosts } from './sku-cost.ts'

const runs = { numRuns: 300 }
const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const job = { kind: 'job', id: newId('job'), name: 'Clips' } as const

const isWhole = (cost: Cost) => costParts.reduce((sum, part) => sum + cost.parts[part], 0n) === knownAmount(cost)

describe('amounts', () => {
  test('are the same after they were written and read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (amount) => {
        expect(parseAmount(formatAmount(amount))).toBe(amount)
        expect(formatAmount(-amount)).toBe(amount === 0n ? '0' : `-${formatAmount(amount)}`)
      }),
      runs,
    )
  })

  test('are written without digits that say nothing', () => {
    expect(['12', '12.50', '0.000001', '0'].map((text) => formatAmount(parseAmount(text)))).toEqual([
      '12',
      '12.5',
      '0.000001',
      '0',
    ])
    expect(fromMinorUnits(1_250, 2)).toBe(parseAmount('12.50'))
    expect(fromMinorUnits(1_250, 0)).toBe(parseAmount('1250'))
    expect([percentOf(1n, 3n), percentOf(-1n, 8n), percentOf(1n, 2n), percentOf(1n, 0n)]).toEqual([
      '33.3',
      '-12.5',
      '50',
      null,
    ])
  })

  test('are rounded half away from zero, and are nowhere further than half a millionth from what is exact', () => {
    expect([shareOf(5n, 1, 2), shareOf(-5n, 1, 2), shareOf(5n, 1, 3), shareOf(5n, -1, 2)]).toEqual([3n, -3n, 2n, -3n])
    const whole = fc.integer({ min: 1, max: 10 ** 9 })
    fc.assert(
      fc.property(amounts, fc.nat({ max: 10 ** 9 }), whole, (amount, part, of) => {
        const off = 2n * (shareOf(amount, part, of) * BigInt(of) - amount * BigInt(part))
        expect((off < 0n ? -off : off) <= BigInt(of)).toBe(true)
      }),
      runs,
    )
  })

  test('that are spread add up to what was spread', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(amounts, weights, (amount, given) => {
        expect(spreadAmount(amount, given).reduce((sum, each) => sum + each, 0n)).toBe(amount)
      }),
      runs,
    )
    expect(spreadAmount(100n, [0, 0, 0])).toEqual([33n, 34n, 33n])
  })
})

describe('for any prices', () => {
  test('the parts of a cost add up to it, and it has a total just where nothing is missing', () => {
    fc.assert(
      fc.property(somePrices, printedSku, (rates, sku) => {
        const { estimate, actual } = createUnitCosts(rates, new Map([[sku.id, sku]]))(sku.id)
        for (const cost of [estimate, actual]) {
          expect(isWhole(cost)).toBe(true)
          expect(totalAmount(cost)).toBe(cost.unknown.length === 0 ? knownAmount(cost) : null)
        }
      }),
      runs,
    )
  })

  test('a price that is missing takes away the total, and no other part of what is known', () => {
    fc.assert(
      fc.property(allPrices, printedSku, (rates, sku) => {
        const costWith = (prices: typeof rates) => createUnitCosts(prices, new Map([[sku.id, sku]]))(sku.id).estimate
        const whole = costWith(rates)
        expect(whole.unknown).toEqual([])
        const missing = costWith({ ...rates, machineHourPrice: null })
        expect({ ...missing.parts, machine: 0n }).toEqual({ ...whole.parts, machine: 0n })
        expect(missing.parts.machine).toBe(0n)
        const isUsed = (sku.recipe?.plate.seconds ?? 0) > 0
        expect(totalAmount(missing)).toBe(isUsed ? null : knownAmount(whole))
        expect(missing.unknown.map(({ part, input }) => [part, input])).toEqual(
          isUsed ? [['machine', 'machine_hour_price']] : [],
        )
      }),
      runs,
    )
  })

  test('the lines of an order add up to it, part by part and in what they earn', () => {
    fc.assert(
      fc.property(
        somePrices,
        printedSku.chain((sku) => fc.tuple(fc.constant(sku), orderOf(sku))),
        (rates, [sku, order]) => {
          const margin = orderMargin(rates, order, createUnitCosts(rates, new Map([[sku.id, sku]])))
          expect(margin.actual === null).toBe(!order.hasLeft)
          for (const way of ['estimate', 'actual'] as const) {
            const whole = margin[way]
            if (whole === null) continue
            const lines = margin.lines.flatMap((line) => line[way] ?? [])
            expect(lines.reduce((sum, { revenue }) => sum + (revenue ?? 0n), 0n)).toBe(order.goods)
            expect(whole.revenue).toBe(order.goods)
            for (const part of costParts) {
              expect(lines.reduce((sum, { cost }) => sum + cost.parts[part], 0n)).toBe(whole.cost.parts[part])
            }
            const left = marginAmount(whole)
            if (left !== null) expect(left).toBe(marginAtMost(whole))
          }
        },
      ),
      runs,
    )
  })

  test('plates that went wrong make the good units dearer, never cheaper', () => {
    fc.assert(
      fc.property(
        allPrices,
        printedPlates,
        printedPlates,
        fc.integer({ min: 1, max: 100 }),
        (rates, good, bad, units) => {
          const both = addCosts([good, bad].map((plates) => printedPlatesCost(rates, plates, job)))
          const one = printedPlatesCost(rates, good, job)
          expect(knownAmount(both)).toBe(knownAmount(one) + knownAmount(printedPlatesCost(rates, bad, job)))
          expect(knownAmount(scaleCost(both, 1, units)) >= knownAmount(scaleCost(one, 1, units)) - 7n).toBe(true)
        },
      ),
      runs,
    )
  })
})

describe('prices', () => {
  const printer = { id: newId('printer'), name: 'North 1' }
  const file = { kind: 'print_file', id: newId('printFile'), name: 'clip' } as const
  const rates = anyRates({
    machineHourPrice: 3n,
    watts: 100,
    energyPrice: 0n,
    models: [{ model: 'Prusa MK4S', machineHourPrice: 5n, watts: null }],
    printers: new Map([[printer.id, { machineHourPrice: 7n, watts: null }]]),
  })
  const anHour = (machine: Parameters<typeof printingCost>[1]) =>
    addCosts(printingCost(rates, machine, 3_600, file)).parts.machine

  test('of a printer count before those of its model, by whatever name, and these before those of the account', () => {
    expect([
      anHour({ printer, model: 'MK4S' }),
      anHour({ printer: null, model: 'Original Prusa MK4S' }),
      anHour({ printer: null, model: 'P1S' }),
      anHour({ printer: null, model: null }),
    ]).toEqual([7n, 5n, 3n, 3n])
  })

  test('of filament are those of the spool, else of its type; of what is not on a spool, of the one of its colour priced last', () => {
    const [priced, unpriced] = [newId('material'), newId('material')]
    const filament = anyRates({
      filamentPrices: new Map([['pla', 20_000_000n]]),
      materialPrices: new Map([[priced, 30_000_000n]]),
      spoolPrices: [
        { materialId: priced, type: 'PLA', color: 'Silk Gold', price: 30_000_000n },
        { materialId: newId('material'), type: 'pla', color: 'silk gold', price: 99_000_000n },
      ],
    })
    const kilogram = 1_000_000
    const ofSpool = (materialId: typeof priced, type: string) =>
      spoolCost(filament, { materialId, type, name: 'Spool' }, kilogram)
    expect(ofSpool(priced, 'PLA').parts.filament).toBe(30_000_000n)
    expect(ofSpool(unpriced, ' pla ').parts.filament).toBe(20_000_000n)
    expect(filamentCost(filament, 'PLA', 'silk gold', kilogram).parts.filament).toBe(30_000_000n)
    expect(filamentCost(filament, 'PLA', 'Red', kilogram).parts.filament).toBe(20_000_000n)
    expect(ofSpool(unpriced, 'PETG').unknown).toEqual([
      { part: 'filament', input: 'filament_price', subject: { kind: 'material', id: unpriced, name: 'Spool' } },
    ])
    expect(filamentCost(filament, 'PETG', '', kilogram).unknown).toEqual([
      { part: 'filament', input: 'filament_price', subject: { kind: 'filament_type', id: 'PETG', name: 'PETG' } },
    ])
  })

  test('of platforms: an order written down by hand pays none, one of a platform without a fee is not known', () => {
    expect(platformFee(anyRates(), 'manual', 100n)).toEqual(addCosts([]))
    expect(platformFee(anyRates(), 'etsy', 100n).unknown).toMatchObject([
      { input: 'platform_fee', subject: { id: 'etsy' } },
    ])
  })
})

test('a plate of which nothing was booked has an unknown cost of filament, and the rest of it is known', () => {
  const rates = anyRates({ labourHourPrice: 3_600n })
  const cost = printedPlatesCost(rates, { ...nothingPrinted, unbooked: 1, labourSeconds: 60 }, job)
  expect(cost.unknown).toEqual([{ part: 'filament', input: 'filament_usage', subject: job }])
  expect([knownAmount(cost), totalAmount(cost)]).toEqual([60n, null])
})

test('a kit costs its parts and the time for it, but not what its parts would be shipped in', () => {
  const [screw, bag, box] = [newId('material'), newId('material'), newId('material')]
  const part = skuFacts({
    materials: [
      { id: screw, name: 'Screw', kind: 'components', quantity: 3 },
      { id: bag, name: 'Bag', kind: 'packaging', quantity: 1 },
    ],
  })
  const kit = skuFacts({
    name: 'KIT',
    children: [{ skuId: part.id, quantity: 2 }],
    materials: [{ id: box, name: 'Box', kind: 'packaging', quantity: 1 }],
    assemblySeconds: 60,
  })
  const rates = anyRates({
    labourHourPrice: 3_600n,
    assemblyLabourSeconds: 10,
    materialPrices: new Map([
      [screw, 5n],
      [bag, 1_000n],
      [box, 100n],
    ]),
  })
  const costOf = createUnitCosts(rates, new Map([part, kit].map((each) => [each.id, each])))
  expect(costOf(kit.id).estimate).toEqual({
    parts: { ...addCosts([]).parts, components: 30n, packaging: 100n, labour: 60n + 20n },
    unknown: [],
  })
  const measured = createUnitCosts(
    rates,
    new Map([part, { ...kit, assembled: { seconds: 90, units: 3 } }].map((each) => [each.id, each])),
  )
  expect(measured(kit.id).actual.parts.labour).toBe(30n + 20n)
})

test('bills that go in a circle, and SKUs that are gone, end in something unknown', () => {
  const [one, other] = [skuFacts({ name: 'ONE' }), skuFacts({ name: 'OTHER' })]
  const circle = new Map([
    [one.id, { ...one, children: [{ skuId: other.id, quantity: 1 }] }],
    [other.id, { ...other, children: [{ skuId: one.id, quantity: 1 }] }],
  ])
  const costOf = createUnitCosts(anyRates({ labourHourPrice: 0n, assemblyLabourSeconds: 0 }), circle)
  expect(new Set(costOf(one.id).estimate.unknown.map(({ input }) => input))).toEqual(new Set(['recipe']))
  expect(totalAmount(costOf(newId('sku')).estimate)).toBeNull()
})

test('the margin of an order in another currency is not known, and says why', () => {
  const sku = skuFacts({ materials: [{ id: newId('material'), name: 'Screw', kind: 'components', quantity: 0 }] })
  const order = {
    id: newId('order'),
    number: '7',
    platform: 'manual' as const,
    currency: 'USD',
    paid: 500n,
    goods: 500n,
    lines: [
      { id: newId('orderItem'), skuId: sku.id, name: 'X', units: 1, price: 1n, shippedUnits: 0, restockedUnits: 0 },
    ],
    hasLeft: false,
    packaging: [],
    labourSeconds: null,
  }
  const rates = anyRates({ labourHourPrice: 0n, orderLabourSeconds: 0, assemblyLabourSeconds: 0 })
  const { estimate } = orderMargin(rates, order, createUnitCosts(rates, new Map([[sku.id, sku]])))
  expect([estimate.revenue, marginAmount(estimate), marginAtMost(estimate)]).toEqual([null, null, null])
  expect(estimate.cost.unknown).toEqual([
    { part: 'platform_fee', input: 'currency', subject: { kind: 'order', id: order.id, name: '7 (USD)' } },
  ])
})
