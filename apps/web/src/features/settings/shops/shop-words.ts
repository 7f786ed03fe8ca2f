import type { Shop } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { Tone } from '../../../ui/tone.ts'

export const platformWords: Record<string, string> = { woocommerce: 'WooCommerce', shopify: 'Shopify', etsy: 'Etsy' }

const states: Record<string, { tone: Tone; word: string }> = {
  active: { tone: 'working', word: t('Read every minute') },
  failing: { tone: 'trouble', word: t('Down') },
  paused: { tone: 'waiting', word: t('Paused') },
}

export function shopState({
  status,
  last_read_at: lastReadAt,
  needs_authorisation: isWaiting,
}: Pick<Shop, 'status' | 'last_read_at' | 'needs_authorisation'>) {
  if (isWaiting) return { tone: 'waiting' as const, word: t('To be authorised at the shop') }
  if (status === 'active' && lastReadAt === null)
    return { tone: 'waiting' as const, word: t('Being read for the first time') }
  return states[status] ?? { tone: 'unknown' as const, word: status }
}

/** What a person should look at; undefined for nothing. */
export function troubleWords({
  refused_orders: refused,
  failed_parcels: untaken,
}: Pick<Shop, 'refused_orders' | 'failed_parcels'>): string | undefined {
  const parts = [
    refused === 0
      ? ''
      : t('{count, plural, one {# order not recorded} other {# orders not recorded}}', { count: refused }),
    untaken === 0 ? '' : t('{count, plural, one {# parcel not taken} other {# parcels not taken}}', { count: untaken }),
  ].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(', ')
}
