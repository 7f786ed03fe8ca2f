import { type Micros, shareOf, spreadAmount } from './money.ts'

/** What a cost is made of. */
export const costParts = ['filament', 'machine', 'energy', 'labour', 'components', 'packaging', 'platform_fee'] as const
export type CostPart = (typeof costParts)[number]

/** What is not known, each with one place where it can be filled in. */
export const unknownInputs = [
  'machine_hour_price',
  'watts',
  'energy_price',
  'labour_hour_price',
  'plate_labour_seconds',
  'assembly_labour_seconds',
  'order_labour_seconds',
  'filament_price',
  'material_price',
  'platform_fee',
  'print_time',
  'filament_weight',
  'filament_usage',
  'recipe',
  'mapping',
  'prints',
  'currency',
] as const
export type UnknownInput = (typeof unknownInputs)[number]

/** What the input is one of. */
export const subjectKinds = [
  'account',
  'printer',
  'printer_model',
  'filament_type',
  'material',
  'print_file',
  'job',
  'sku',
  'order',
  'platform',
] as const

export interface Subject {
  kind: (typeof subjectKinds)[number]
  /** Null for the account, of which there is one. */
  id: string | null
  /** For people. */
  name: string
}

const theAccount: Subject = { kind: 'account', id: null, name: 'the account' }

export interface Unknown {
  part: CostPart
  input: UnknownInput
  subject: Subject
}

/** What something costs: the part of it that is known, and each input that is missing for the rest. */
export interface Cost {
  readonly parts: Readonly<Record<CostPart, Micros>>
  readonly unknown: readonly Unknown[]
}

const zeroParts = Object.fromEntries(costParts.map((part) => [part, 0n])) as Record<CostPart, Micros>

export const noCost: Cost = { parts: zeroParts, unknown: [] }

export function costOf(part: CostPart, amount: Micros): Cost {
  return { parts: { ...zeroParts, [part]: amount }, unknown: [] }
}

export function unknownCost(part: CostPart, input: UnknownInput, subject: Subject = theAccount): Cost {
  return { parts: zeroParts, unknown: [{ part, input, subject }] }
}

/** Printing of which nothing is known, for one reason. */
export function unknownPrinting(input: UnknownInput, subject: Subject): Cost {
  const unknown = (['filament', 'machine', 'energy', 'labour'] as const).map((part) => ({ part, input, subject }))
  return { parts: zeroParts, unknown }
}

/** An input is missing once, however many costs miss it. */
export function addCosts(costs: Iterable<Cost>): Cost {
  const parts = { ...zeroParts }
  const unknown = new Map<string, Unknown>()
  for (const cost of costs) {
    for (const part of costParts) parts[part] += cost.parts[part]
    for (const each of cost.unknown) {
      unknown.set(`${each.part} ${each.input} ${each.subject.kind} ${each.subject.id}`, each)
    }
  }
  return { parts, unknown: [...unknown.values()] }
}

/** The share of one of several that cost the same, or of all of them. */
export function scaleCost(cost: Cost, part: number | bigint, whole: number | bigint = 1): Cost {
  return mapParts(cost, (amount) => shareOf(amount, part, whole))
}

/** Divides a cost by weights into costs whose parts add up to it exactly. What is unknown of it, is unknown of each. */
export function spreadCost(cost: Cost, weights: readonly (bigint | number)[]): Cost[] {
  const spread = costParts.map((part) => [part, spreadAmount(cost.parts[part], weights)] as const)
  return weights.map((_, at) => {
    const parts = Object.fromEntries(spread.map(([part, amounts]) => [part, amounts[at]]))
    return { parts: parts as Cost['parts'], unknown: cost.unknown }
  })
}

/** The same without one of its parts, known or not. */
export function withoutPart(cost: Cost, dropped: CostPart): Cost {
  return { parts: { ...cost.parts, [dropped]: 0n }, unknown: cost.unknown.filter(({ part }) => part !== dropped) }
}

/** Answers what is known of it; the whole where nothing is missing. */
export function knownAmount({ parts }: Cost): Micros {
  return costParts.reduce((sum, part) => sum + parts[part], 0n)
}

/** The whole of it; null while an input is missing. */
export function totalAmount(cost: Cost): Micros | null {
  return cost.unknown.length > 0 ? null : knownAmount(cost)
}

function mapParts(cost: Cost, change: (amount: Micros) => Micros): Cost {
  const parts = Object.fromEntries(costParts.map((part) => [part, change(cost.parts[part])]))
  return { parts: parts as Cost['parts'], unknown: cost.unknown }
}
