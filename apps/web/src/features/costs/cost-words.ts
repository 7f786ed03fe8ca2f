import type { CostOf, UnknownInput } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatAmountText } from '../../lib/money.ts'

type Part = CostOf['parts'][number]['part']

export const partWords: Record<Part, string> = {
  filament: t('Filament'),
  machine: t('Machine'),
  energy: t('Energy'),
  labour: t('Labour'),
  components: t('Components'),
  packaging: t('Packaging'),
  platform_fee: t('Fee of the platform'),
}

const platformWords: Readonly<Record<string, string>> = {
  shopify: 'Shopify',
  etsy: 'Etsy',
  woocommerce: 'WooCommerce',
  manual: t('orders by hand'),
  other: t('other platforms'),
}

/** What is missing, as a thing to fill in. */
export function unknownWords({ input, subject, subject_kind: kind }: UnknownInput): string {
  const of = kind === 'account' ? '' : t(' of {subject}', { subject })
  switch (input) {
    case 'machine_hour_price':
      return t('Price of a machine hour{of}', { of })
    case 'watts':
      return t('Watts{of}', { of })
    case 'energy_price':
      return t('Price of energy')
    case 'labour_hour_price':
      return t('Price of an hour of labour')
    case 'plate_labour_seconds':
      return t('Time for a plate')
    case 'assembly_labour_seconds':
      return t('Time to put a unit together')
    case 'order_labour_seconds':
      return t('Time for an order')
    case 'filament_price':
    case 'material_price':
      return t('Price of {subject}', { subject })
    case 'platform_fee':
      return t('Fee of {platformWords}', { platformWords: platformWords[subject] ?? subject })
    case 'print_time':
      return t('Print time of {subject}', { subject })
    case 'filament_weight':
      return t('Filament that {subject} needs', { subject })
    case 'filament_usage':
      return t('Filament that {subject} used: nothing is booked on a spool', { subject })
    case 'recipe':
      return t('A recipe that makes {subject}', { subject })
    case 'mapping':
      return t('The SKU that {subject} stands for', { subject })
    case 'prints':
      return t('Usage of prints of {subject}: none has ended with good units', { subject })
    case 'currency':
      return t('Revenue in another currency: {subject}', { subject })
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
  return known === '0' ? t('unknown') : t('at least {known}', { known: formatAmountText(known, currency) })
}

/** The margin, or what it is at most. */
export function marginText(
  { margin, margin_at_most }: { margin: string | null; margin_at_most: string | null },
  currency: string,
): string {
  if (margin !== null) return formatAmountText(margin, currency)
  return margin_at_most === null
    ? t('unknown')
    : t('at most {margin_at_most}', { margin_at_most: formatAmountText(margin_at_most, currency) })
}
