import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const productLiveRules: readonly LiveRule[] = [
  {
    on: ['product.*'],
    keys: (id) => [
      ['products', 'list'],
      ['products', 'categories'],
      ['products', 'one', id],
      ['skus', 'one'],
      ['skus', 'bom'],
    ],
  },
  { on: ['sku.*'], keys: () => [['products', 'list'], ['products', 'one'], ['skus']] },
  { on: ['recipe.*'], keys: () => [['recipes'], ['skus', 'one']] },
  { on: ['color.*'], keys: () => [['colors']] },
  // What moves stock changes what is ready, and what can be put together.
  {
    on: ['inventory.*', 'job.completed', 'job.units_rejected', 'assembly_task.*', 'order.*', 'material.*'],
    keys: () => [
      ['products', 'list'],
      ['products', 'one'],
      ['skus', 'one'],
      ['skus', 'bom'],
    ],
  },
]
