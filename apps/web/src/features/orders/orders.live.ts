import type { LiveRule } from '../../lib/live/live-rules.ts'

/** A mapping may be for lines of any order. */
export const orderLiveRules: readonly LiveRule[] = [
  {
    on: ['order.*'],
    keys: (id) => [
      ['orders', 'list'],
      ['orders', 'one', id],
      ['orders', 'details', id],
      ['orders', 'shipments', id],
      ['orders', 'returns', id],
      ['orders', 'picks', id],
      // Orders wait for one another's units.
      ['orders', 'plan'],
    ],
  },
  {
    on: ['job.*', 'attempt.*', 'inventory.*', 'assembly_task.*', 'recipe.*', 'sku.*', 'material.*', 'printer.*'],
    keys: () => [
      ['orders', 'plan'],
      ['orders', 'picks'],
    ],
  },
  {
    on: ['listing_map.*'],
    keys: () => [['listing-maps'], ['orders', 'list'], ['orders', 'one'], ['orders', 'details'], ['orders', 'plan']],
  },
]
