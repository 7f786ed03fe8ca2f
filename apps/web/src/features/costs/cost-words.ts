import type { CostOf, UnknownInput } from '../../lib/api/api-schema.generated.ts'
import { formatAmountText } from '../../lib/money.ts'

type Part = CostOf['parts'][number]['part']

export const partWords: Record<Part, string> = {
  filament: 'Filament',
  machine: 'Machine',
  energy: 'Energy',
  labour: 'Labour',
  components: 'Components',
  packaging: 'Packaging',
  platform_fee: 'Fee of the platform',
}

const platformWords: Readonly<Record<string, string>> = {
  shopify: 'Shopify',
  etsy: 'Etsy',
  woocommerce: 'WooCommerce',
  manual: 'orders by hand',
  other: 'other platforms',
}

/** What is missing, as a thing to fill in. */
export function unknownWords({ input, subject, subject_kind: kind }: UnknownInput): string {
  const of = kind === 'account' ? '' : ` of ${subject}`
  switch (input) {
    case 'machine_hour_price':
      return `Price of a machine hour${of}`
    case 'watts':
      return `Watts${of}`
    case 'energy_price':
      return 'Price of energy'
    case 'labour_hour_price':
      return 'Price of an hour of labour'
    case 'plate_labour_seconds':
      return 'Time for a plate'
    case 'assembly_labour_seconds':
      return 'Time to put a unit together'
    case 'order_labour_seconds':
      return 'Time for an order'
    case 'filament_price':
    case 'material_price':
      return `Price of ${subject}`
    case 'platform_fee':
      return `Fee of ${platformWords[subject] ?? subject}`
    case 'print_time':
      return `Print time of ${subject}`
    case 'filament_weight':
      return `Filament that ${subject} needs`
    case 'filament_usage':
      return `Filament that ${subject} used: nothing is booked on a spool`
    case 'recipe':
      return `A recipe that makes ${subject}`
    case 'mapping':
      return `The SKU that ${subject} stands for`
    case 'prints':
      return `What prints of ${subject} took: none has ended with good units`
    case 'currency':
      return `What is earned in another currency: ${subject}`
  }
}

/** Each missing input once, of several costs. */
export function missingOf(...costs: readonly { unknown: readonly UnknownInput[] }[]): UnknownInput[] {
  const all = costs.flatMap(({ unknown }) => unknown)
  return [...new Map(all.map((each) => [`${each.input} ${each.subject_kind} ${each.subject_id}`, each])).values()]
}

/** `€4.35`, or `at least €1.20` while something is missing; of a part of which nothing is known `unknown`. */
export function costText(known: string, isWhole: boolean, currency: string): string {
  if (isWhole) return formatAmountText(known, currency)
  return known === '0' ? 'unknown' : `at least ${formatAmountText(known, currency)}`
}

/** The margin, or what it is at most. */
export function marginText(
  { margin, margin_at_most }: { margin: string | null; margin_at_most: string | null },
  currency: string,
): string {
  if (margin !== null) return formatAmountText(margin, currency)
  return margin_at_most === null ? 'unknown' : `at most ${formatAmountText(margin_at_most, currency)}`
}
