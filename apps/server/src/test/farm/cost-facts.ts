import fc from 'fast-check'
import { newId } from '../../kernel/ids.ts'
import type { LineFacts, OrderFacts } from '../../modules/costs/calculation/order-cost.ts'
import type { PrintedPlates } from '../../modules/costs/calculation/plate-cost.ts'
import type { Rates } from '../../modules/costs/calculation/rates.ts'
import type { SkuFacts } from '../../modules/costs/calculation/sku-cost.ts'

/** Prices of an account of which no more is known than is given. */
export function anyRates(given: Partial<Rates> = {}): Rates {
  return {
    currency: 'EUR',
    machineHourPrice: null,
    watts: null,
    energyPrice: null,
    labourHourPrice: null,
    plateLabourSeconds: null,
    assemblyLabourSeconds: null,
    orderLabourSeconds: null,
    models: [],
    printers: new Map(),
    filamentPrices: new Map(),
    spoolPrices: [],
    materialPrices: new Map(),
    platformFees: new Map(),
    ...given,
  }
}

/** A SKU that nothing makes, but for what is given. */
export function skuFacts(given: Partial<SkuFacts> = {}): SkuFacts {
  return {
    id: newId('sku'),
    name: 'CLIP-RED',
    children: [],
    materials: [],
    recipe: null,
    requiresAssembly: false,
    assemblySeconds: null,
    printed: null,
    assembled: null,
    ...given,
  }
}

/** Things that facts of any farm are about. */
const spools = [newId('material'), newId('material')] as const
const [screw, bag] = [newId('material'), newId('material')]
const printers = [newId('printer'), newId('printer')] as const
const file = { id: newId('printFile'), name: 'clip' }

const price = fc.bigInt({ min: 0n, max: 10n ** 12n })
const maybePrice = fc.option(price)
const seconds = fc.nat({ max: 1_000_000 })
const milligrams = fc.nat({ max: 5_000_000 })

/** Prices of which any may be missing. */
export const somePrices: fc.Arbitrary<Rates> = fc
  .record({
    machineHourPrice: maybePrice,
    watts: fc.option(fc.nat({ max: 2_000 })),
    energyPrice: maybePrice,
    labourHourPrice: maybePrice,
    plateLabourSeconds: fc.option(seconds),
    assemblyLabourSeconds: fc.option(seconds),
    orderLabourSeconds: fc.option(seconds),
    filament: maybePrice,
    spool: maybePrice,
    screw: maybePrice,
    bag: maybePrice,
    fee: fc.option(fc.record({ sharePpm: fc.nat({ max: 1_000_000 }), fixed: price })),
  })
  .map(({ filament, spool, screw: ofScrew, bag: ofBag, fee, ...account }) =>
    anyRates({
      ...account,
      filamentPrices: new Map(filament === null ? [] : [['pla', filament]]),
      materialPrices: new Map(
        (
          [
            [spools[0], spool],
            [screw, ofScrew],
            [bag, ofBag],
          ] as const
        ).flatMap(([id, each]) => (each === null ? [] : [[id, each] as const])),
      ),
      platformFees: new Map(fee === null ? [] : [['etsy', fee]]),
    }),
  )

/** The same with none missing. */
export const allPrices: fc.Arbitrary<Rates> = fc
  .record({
    machineHourPrice: price,
    watts: fc.nat({ max: 2_000 }),
    energyPrice: price,
    labourHourPrice: price,
    plateLabourSeconds: seconds,
    assemblyLabourSeconds: seconds,
    orderLabourSeconds: seconds,
    filament: price,
    screw: price,
    bag: price,
    fixed: price,
  })
  .map(({ filament, screw: ofScrew, bag: ofBag, fixed, ...account }) =>
    anyRates({
      ...account,
      filamentPrices: new Map([['pla', filament]]),
      materialPrices: new Map([
        [screw, ofScrew],
        [bag, ofBag],
      ]),
      platformFees: new Map([['etsy', { sharePpm: 65_000, fixed }]]),
    }),
  )

export const printedPlates: fc.Arbitrary<PrintedPlates> = fc.record({
  runs: fc.array(
    fc.record({
      printer: fc.constantFrom(...printers.map((id) => ({ id, name: 'Bench' }))),
      model: fc.constantFrom('MK4S', 'P1S'),
      seconds,
    }),
    { maxLength: 3 },
  ),
  spools: fc.array(
    fc.record({
      materialId: fc.constantFrom(...spools),
      type: fc.constant('PLA'),
      name: fc.constant('PLA'),
      milligrams,
    }),
    { maxLength: 3 },
  ),
  unbooked: fc.constant(0),
  labourSeconds: seconds,
  untimedPlates: fc.nat({ max: 5 }),
})

/** A SKU that is printed, with a bill of materials. */
export const printedSku: fc.Arbitrary<SkuFacts> = fc
  .record({
    units: fc.integer({ min: 1, max: 200 }),
    seconds,
    milligrams,
    quantity: fc.nat({ max: 50 }),
    plates: printedPlates,
    goodUnits: fc.nat({ max: 500 }),
    requiresAssembly: fc.boolean(),
  })
  .map(({ units, quantity, plates, goodUnits, requiresAssembly, ...plate }) =>
    skuFacts({
      id: newId('sku'),
      recipe: {
        units,
        plate: {
          file,
          machine: { printer: null, model: 'MK4S' },
          seconds: plate.seconds,
          filaments: [{ type: 'PLA', color: 'Red', milligrams: plate.milligrams }],
        },
      },
      materials: [
        { id: screw, name: 'Screw', kind: 'components', quantity },
        { id: bag, name: 'Bag', kind: 'packaging', quantity: 1 },
      ],
      printed: { ...plates, goodUnits },
      requiresAssembly,
    }),
  )

/** An order of one SKU in several lines. */
export const orderOf = (sku: SkuFacts): fc.Arbitrary<OrderFacts> =>
  fc
    .record({
      goods: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 12n }),
      hasLeft: fc.boolean(),
      pieces: fc.nat({ max: 9 }),
      labourSeconds: fc.option(seconds),
      lines: fc.array(
        fc.record({ units: fc.integer({ min: 1, max: 50 }), price: fc.bigInt({ min: 0n, max: 10n ** 10n }) }),
        { minLength: 1, maxLength: 6 },
      ),
    })
    .map(({ goods, hasLeft, pieces, labourSeconds, lines }) => ({
      id: newId('order'),
      number: '1001',
      platform: 'etsy',
      currency: 'EUR',
      paid: goods < 0n ? 0n : goods,
      goods,
      lines: lines.map(
        ({ units, price: given }): LineFacts => ({
          id: newId('orderItem'),
          skuId: sku.id,
          name: sku.name,
          units,
          price: given,
          shippedUnits: units,
          restockedUnits: 0,
        }),
      ),
      hasLeft,
      packaging: pieces === 0 ? [] : [{ id: bag, name: 'Bag', pieces }],
      labourSeconds,
    }))
