import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const productionLiveRules: readonly LiveRule[] = [
  {
    on: ['order.*', 'job.*', 'inventory.*', 'assembly_task.*', 'recipe.*', 'sku.*', 'material.*', 'listing_map.*'],
    keys: () => [
      ['production', 'needs'],
      ['production', 'shelf'],
      ['production', 'unwanted'],
    ],
  },
]
