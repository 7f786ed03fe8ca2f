import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, timestamp } from '../../http/schema.ts'
import { currencyCode } from '../orders/settings/order-settings.schema.ts'
import {
  type Cost,
  type CostPart,
  costParts,
  knownAmount,
  type Subject,
  subjectKinds,
  totalAmount,
  type UnknownInput,
  unknownInputs,
} from './calculation/cost.ts'
import { formatAmount, type Micros, percentOf } from './calculation/money.ts'
import { type Margin, marginAmount, marginAtMost } from './calculation/order-cost.ts'

/** An amount in the unit of the currency, as text: no digit is lost on the way. */
export const amount = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+([.][0-9]{1,6})?$', description, examples: ['4.35'] })

const part = oneOf(costParts, { description: 'Part of a cost' })

export const Unknown = resource('UnknownInput', 'Input that is missing for a cost, and where it belongs', {
  input: oneOf(unknownInputs, { description: 'Missing input' }),
  subject_kind: oneOf(subjectKinds, { description: 'Kind of the subject of the input' }),
  subject_id: nullable(Type.String({ description: 'The one of these', examples: ['sku_01kaxq3v7m2e8h5t9w4c6y0b1d'] })),
  subject: Type.String({ description: 'The same for people', examples: ['CLIP-RED'] }),
  parts: Type.Array(part, { description: 'The parts of the cost that miss it' }),
})

const CostOf = resource('CostOf', 'Cost, by part', {
  total: nullable(amount('The whole of it; null while an input is missing')),
  known: amount('The part of it that is known'),
  parts: Type.Array(
    resource('CostPart', 'A part of a cost', {
      part,
      known: amount('Known part of it'),
      is_known: Type.Boolean({ description: 'Whether the amount is complete' }),
    }),
    { description: 'Every part once; they add up to `known`' },
  ),
  unknown: Type.Array(Unknown, { description: 'Missing inputs; empty where the total is known' }),
})

const MarginOf = resource('MarginOf', 'Revenue, cost and margin', {
  revenue: nullable(amount('Without tax and shipping; null where the order is in another currency')),
  cost: CostOf,
  margin: nullable(amount('Revenue less cost; null while either is not known')),
  margin_at_most: nullable(amount('Revenue less the costs that are known')),
  margin_percent: nullable(Type.String({ description: 'The margin in % of the revenue', examples: ['41.2'] })),
})

const currency = currencyCode('Currency of all amounts')

export const SkuCost = resource('SkuCost', 'Cost of a unit of a SKU', {
  currency,
  estimate: CostOf,
  actual: CostOf,
  good_units: Type.Integer({
    description: 'Good units of its latest jobs, from which the actual cost is worked out',
    examples: [40],
  }),
})

export const JobCost = resource('JobCost', 'Cost of a job', {
  currency,
  estimate: resource('PlannedJobCost', 'Planned cost, from its file', { plate: CostOf, whole: CostOf }),
  actual: CostOf,
  good_units: nullable(Type.Integer({ description: 'Units that were not found bad; null of a job for no SKU' })),
  actual_per_good_unit: nullable(CostOf),
  plates: Type.Array(
    resource('PrintedPlateCost', 'Cost of a printed plate', {
      attempt_id: Type.String({ description: 'ID of the attempt' }),
      plate: Type.Integer({ description: 'Number of the plate in the job' }),
      printer_id: Type.String({ description: 'The printer' }),
      printer_name: Type.String({ description: 'Its name' }),
      outcome: oneOf(['done', 'failed', 'cancelled'], { description: 'Outcome' }),
      started_at: timestamp('Time at which it began to print'),
      finished_at: timestamp('Time at which it ended'),
      cost: CostOf,
    }),
    { description: 'Plates that ended, well or not, in their order' },
  ),
})

export const OrderCost = resource('OrderCost', 'Cost and margin of an order', {
  currency,
  order_currency: currencyCode('Currency of the order'),
  estimate: MarginOf,
  actual: nullable(MarginOf),
  lines: Type.Array(
    resource('OrderLineCost', 'Cost and margin of an order line', {
      item_id: Type.String({ description: 'ID of the line' }),
      product_sku_id: nullable(Type.String({ description: 'Its SKU' })),
      name: Type.String({ description: 'Its SKU, else what the shop calls it' }),
      units: Type.Integer({ description: 'Units of the SKU' }),
      estimate: MarginOf,
      actual: nullable(MarginOf),
    }),
    { description: 'Lines that were not cancelled; they add up to the order' },
  ),
})

/** Each input that is missing once, with all parts that miss it. */
export function groupUnknown(unknown: Cost['unknown']) {
  const inputs = new Map<string, { input: UnknownInput; subject: Subject; parts: CostPart[] }>()
  for (const { part: missing, input, subject } of unknown) {
    const key = `${input} ${subject.kind} ${subject.id}`
    const known = inputs.get(key) ?? { input, subject, parts: [] }
    known.parts.push(missing)
    inputs.set(key, known)
  }
  return [...inputs.values()].map(({ input, subject, parts }) => ({
    input,
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject: subject.name,
    parts,
  }))
}

export const orNull = (value: Micros | null) => (value === null ? null : formatAmount(value))

export function presentCost(cost: Cost): Static<typeof CostOf> {
  const missing = new Set(cost.unknown.map((each) => each.part))
  return {
    total: orNull(totalAmount(cost)),
    known: formatAmount(knownAmount(cost)),
    parts: costParts.map((each) => ({
      part: each,
      known: formatAmount(cost.parts[each]),
      is_known: !missing.has(each),
    })),
    unknown: groupUnknown(cost.unknown),
  }
}

export function presentMargin(margin: Margin): Static<typeof MarginOf> {
  const left = marginAmount(margin)
  return {
    revenue: orNull(margin.revenue),
    cost: presentCost(margin.cost),
    margin: orNull(left),
    margin_at_most: orNull(marginAtMost(margin)),
    margin_percent: left === null || margin.revenue === null ? null : percentOf(left, margin.revenue),
  }
}
