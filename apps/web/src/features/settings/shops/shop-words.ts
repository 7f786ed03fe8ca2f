import type { Shop } from '../../../lib/api/api-schema.generated.ts'
import type { Tone } from '../../../ui/tone.ts'

export const platformWords: Record<string, string> = { woocommerce: 'WooCommerce', shopify: 'Shopify' }

const states: Record<string, { tone: Tone; word: string }> = {
  active: { tone: 'working', word: 'Read every minute' },
  failing: { tone: 'trouble', word: 'Down' },
  paused: { tone: 'waiting', word: 'Paused' },
}

export function shopState({ status, last_read_at: lastReadAt }: Pick<Shop, 'status' | 'last_read_at'>) {
  if (status === 'active' && lastReadAt === null)
    return { tone: 'waiting' as const, word: 'Being read for the first time' }
  return states[status] ?? { tone: 'unknown' as const, word: status }
}

/** What a person should look at; undefined for nothing. */
export function troubleWords(shop: Pick<Shop, 'refused_orders' | 'failed_parcels'>): string | undefined {
  const parts = [
    counted(shop.refused_orders, 'order not recorded', 'orders not recorded'),
    counted(shop.failed_parcels, 'parcel not taken', 'parcels not taken'),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`
}
